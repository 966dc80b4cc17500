// A redirect URI is https, or http on loopback. svc compares URIs as strings. Only the port of a loopback address can
// vary (RFC 8252), because native clients use any free port.
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Null if a redirect URI can be registered. */
export function findRedirectUriFault(uri: string): string | null {
  if (!URL.canParse(uri)) return 'it is not an absolute URL';
  const url = new URL(uri);
  if (uri.includes('#')) return 'it has a fragment';
  if (url.username || url.password) return 'it contains a user name or password';
  // The URL parser accepts characters in a host that are unsafe in security policies and headers.
  if (!/^[a-z0-9._:[\]-]+$/i.test(url.host) && !uri.includes('*') && /^https?:$/.test(url.protocol))
    return 'its host is not a valid name or address';
  if (uri.includes('*')) return 'it contains a wildcard';
  if (/[^\x21-\x7e]|\\/.test(uri)) return 'it contains white space, a backslash or a character that must be encoded';
  // The URL parser expands "https:host" and "http://127.1" to a URL that differs from what a person reads.
  if (!uri.toLowerCase().startsWith(`${url.protocol}//${url.host}`)) return 'its host is not written out in full';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:') return isLoopbackUrl(url) ? null : 'http is allowed only for loopback addresses';
  return 'it must start with https://, or http:// on a loopback address';
}

export function isSameRedirectUri(registeredUris: readonly string[], redirectUri: string): boolean {
  if (registeredUris.includes(redirectUri)) return true;
  const url = findRedirectUriFault(redirectUri) === null ? new URL(redirectUri) : null;
  if (url?.protocol !== 'http:') return false;
  return registeredUris.some((item) => {
    const registeredUrl = findRedirectUriFault(item) === null ? new URL(item) : null;
    return (
      registeredUrl !== null && registeredUrl.protocol === 'http:' && withoutPort(item) === withoutPort(redirectUri)
    );
  });
}

export const isLoopbackUrl = (url: URL): boolean => LOOPBACK_HOSTS.has(url.hostname);

const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d{1,5}(?=[/?]|$)/, '$1');
