// Rate limits count IPv6 clients by their /64 network, because a client usually controls all its addresses.
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
