// What a test file opens is closed when the file ends, the last opened first, so that no test closes it by hand.
// test/support/after-file.ts calls `closeOpened` after each file.
const opened: (() => Promise<void>)[] = [];

/** Closes once: when it is called, and otherwise when the file ends. */
export function untilFileEnds(close: () => unknown): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const once = () => {
    closing ??= (async () => void (await close()))();
    return closing;
  };
  opened.push(once);
  return once;
}

export async function closeOpened(): Promise<void> {
  const faults: unknown[] = [];
  for (let close = opened.pop(); close; close = opened.pop()) await close().catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
