const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const LOOPBACK_ADDRESS_PATTERN = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

export const isLoopbackHost = (host: string): boolean =>
  LOOPBACK_NAMES.has(host) || LOOPBACK_ADDRESS_PATTERN.test(host);

export const isLoopbackUrl = (url: string): boolean => LOOPBACK_NAMES.has(new URL(url).hostname);

/** Also checks the Host header, because a local proxy forwards every request from a loopback address. */
export const isFromLoopback = ({ ip, hostname }: { ip: string; hostname: string }): boolean =>
  LOOPBACK_ADDRESS_PATTERN.test(ip) && LOOPBACK_NAMES.has(hostname);
