// What this person asked in this browser. Questions only, never rows: it lies in local storage.
export interface Past {
  q: string;
  lens: string | null;
  status: string;
  at: number;
}

const MOST = 100;
const keyOf = (who: string): string => `svc history ${who}`;

export function pastOf(who: string): Past[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(who)) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** The newest first, each question once. */
export function remember(who: string, past: Past): Past[] {
  const others = pastOf(who).filter(({ q, lens }) => q !== past.q || lens !== past.lens);
  const kept = [past, ...others].slice(0, MOST);
  try {
    localStorage.setItem(keyOf(who), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing forgets.
  }
  return kept;
}

export function forgetPast(who: string): void {
  localStorage.removeItem(keyOf(who));
}
