// Prevents requests to internal addresses (SSRF). The caller must connect to the returned address, because a later DNS
// lookup could return another one.
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { Problem } from '../../platform/problem.ts';

export interface ServerAddress {
  host: string;
  port: number;
  /** If absent, svc assumes that the connection could reach any database at this address. */
  database?: string | undefined;
}

export interface AddressRule {
  /** The names, addresses and CIDR ranges in SVC_ALLOWED_ADDRESSES. */
  allowed: string[];
  /** True if the operator configured the connection, because the operator can also allow private addresses. */
  fromOperator: boolean;
  controlDatabase: { host: string; port: number; database: string } | null;
  /** Returns all A and AAAA records. The default is the system's resolver. */
  resolve?: (host: string) => Promise<string[]>;
}

export async function resolveAllowedAddress(connection: ServerAddress, rule: AddressRule): Promise<string> {
  const resolve = rule.resolve ?? resolveAllAddresses;
  const addresses = await resolve(connection.host).catch((cause: unknown) => {
    throw new Problem('unreachable', 'Can’t resolve the host name of the connection. Check its spelling.', {
      cause,
    });
  });
  if (addresses.length === 0)
    throw new Problem('unreachable', 'The host name of the connection does not resolve to an address.');
  const hasForbiddenAddress = addresses.some(
    (address) => !isPublicAddress(address) && !isAllowedAddress(connection.host, address, rule.allowed),
  );
  if (!rule.fromOperator && hasForbiddenAddress)
    throw new Problem(
      'invalid',
      'The host of the connection has a private address. The operator can allow it with SVC_ALLOWED_ADDRESSES.',
    );
  if (await isControlDatabase(connection, addresses, rule, resolve))
    throw new Problem(
      'invalid',
      'The connection is to svc’s own control database, which can’t be a warehouse. Choose another database.',
    );
  return addresses[0]!;
}

async function isControlDatabase(
  connection: ServerAddress,
  addresses: string[],
  { controlDatabase }: AddressRule,
  resolve: (host: string) => Promise<string[]>,
): Promise<boolean> {
  if (!controlDatabase || controlDatabase.port !== connection.port) return false;
  if (controlDatabase.database !== (connection.database ?? controlDatabase.database)) return false;
  if (controlDatabase.host.toLowerCase() === connection.host.toLowerCase()) return true;
  // The path of a Unix socket refers to this machine.
  const controlAddresses = controlDatabase.host.startsWith('/')
    ? ['127.0.0.1']
    : await resolve(controlDatabase.host).catch(() => []);
  const controlLocations = new Set(controlAddresses.map(toHostKey));
  return addresses.some((address) => controlLocations.has(toHostKey(address)));
}

export const resolveAllAddresses = async (host: string) =>
  (await lookup(host, { all: true })).map((record) => record.address);

/** IPv6 addresses with an IPv4 address in their last four bytes. ipaddr.js classifies them as public. */
const IPV4_COMPATIBLE_RANGE = ipaddr.parseCIDR('::/96');
export const isPublicAddress = (address: string) => {
  const parsedAddress = ipaddr.process(address);
  return (
    parsedAddress.range() === 'unicast' &&
    !(parsedAddress.kind() === 'ipv6' && parsedAddress.match(IPV4_COMPATIBLE_RANGE))
  );
};

export function isAllowedAddress(host: string, address: string, allowedAddresses: string[]): boolean {
  const parsedAddress = ipaddr.process(address);
  return allowedAddresses.some((entry) => {
    if (entry.toLowerCase() === host.toLowerCase()) return true;
    if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === parsedAddress.toString();
    if (!ipaddr.isValidCIDR(entry)) return false;
    const [range, bits] = ipaddr.parseCIDR(entry);
    return range.kind() === parsedAddress.kind() && parsedAddress.match(range, bits);
  });
}

/** All addresses of this machine have the same key. */
function toHostKey(address: string): string {
  const text = ipaddr.process(address).toString();
  const localInterfaces = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  const isLocal =
    ['loopback', 'unspecified'].includes(ipaddr.process(address).range()) ||
    localInterfaces.some((item) => ipaddr.process(item.address.split('%')[0]!).toString() === text);
  return isLocal ? 'here' : text;
}
