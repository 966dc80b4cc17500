// Detects requests that come from this machine, including requests through a local proxy.

const NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const ADDRESS = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

export const isLoopbackHost = (host: string): boolean => NAMES.has(host) || ADDRESS.test(host);

export const isLoopbackUrl = (url: string): boolean => NAMES.has(new URL(url).hostname);

/** Checks the Host header in addition to the address: behind a local proxy every request comes from loopback. */
export const fromLoopback = ({ ip, hostname }: { ip: string; hostname: string }): boolean =>
  ADDRESS.test(ip) && NAMES.has(hostname);
