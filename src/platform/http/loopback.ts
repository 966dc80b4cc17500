// Whether two addresses of this very machine are speaking, whoever forwarded it.

const NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const ADDRESS = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

export const isLoopbackHost = (host: string): boolean => NAMES.has(host) || ADDRESS.test(host);

export const isLoopbackUrl = (url: string): boolean => NAMES.has(new URL(url).hostname);

/** The address, and the name in Host: behind a proxy of this machine everybody comes from loopback. */
export const fromLoopback = ({ ip, hostname }: { ip: string; hostname: string }): boolean =>
  ADDRESS.test(ip) && NAMES.has(hostname);
