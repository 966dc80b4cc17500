// The path to return to after signing in (SECURITY AS-12): a path of this server with its query. Anything
// else is ignored.
export function safeReturnTo(given: unknown, baseUrl: string): string {
  if (typeof given !== 'string' || given.length > 8_000) return '/';
  if (!/^\/(?![/\\])/.test(given) || /[\\\u0000-\u001f\u007f]/.test(given)) return '/';
  const base = new URL(baseUrl);
  if (!URL.canParse(given, base.origin)) return '/';
  const url = new URL(given, base.origin);
  const path = url.pathname + url.search;
  // Checked again, because resolving dots ("/.//other") can leave two slashes, which lead to another host.
  return url.origin === base.origin && new URL(path, base.origin).origin === base.origin ? path : '/';
}
