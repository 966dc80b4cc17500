// The result is a path of this server with its query. Any other value becomes `/`.
export function toSafeReturnTo(returnTo: unknown, baseUrl: string): string {
  if (typeof returnTo !== 'string' || returnTo.length > 8_000) return '/';
  if (!/^\/(?![/\\])/.test(returnTo) || /[\\\u0000-\u001f\u007f]/.test(returnTo)) return '/';
  const base = new URL(baseUrl);
  if (!URL.canParse(returnTo, base.origin)) return '/';
  const url = new URL(returnTo, base.origin);
  const path = url.pathname + url.search;
  // Resolving dots ("/.//other") can leave two slashes at the start, which lead to another host.
  return url.origin === base.origin && new URL(path, base.origin).origin === base.origin ? path : '/';
}
