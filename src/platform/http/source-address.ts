// The address that a rate limit counts: an IPv4 address, or the /64 network of an IPv6 address. A client usually
// controls its whole /64.
import ipaddr from 'ipaddr.js';

export function toRateLimitAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
