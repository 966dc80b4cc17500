// Whom a budget is charged to: an IPv4 address, or the /64 of an IPv6 one, because whoever holds one of its addresses
// holds them all.
import ipaddr from 'ipaddr.js';

export function sourceOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
