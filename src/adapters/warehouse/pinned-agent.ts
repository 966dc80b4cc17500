// Connects to the IP address that svc has checked, even if the host name now resolves to another address.
import http from 'node:http';
import https from 'node:https';
import { isIPv6 } from 'node:net';
import type { PostgresOptions } from '../../engines/postgres/warehouse/sessions.ts';

const FREE_SOCKET_TIMEOUT_MS = 2_500; // shorter than the keep-alive time of any server

export function createPinnedAgent(
  { address, ssl }: Pick<PostgresOptions, 'address' | 'ssl'>,
  maxSockets: number,
): http.Agent {
  const lookup: http.AgentOptions['lookup'] = (_host, options, callback) => {
    const family = isIPv6(address!) ? 6 : 4;
    if ((options as { all?: boolean }).all) (callback as (e: null, all: object[]) => void)(null, [{ address, family }]);
    else callback(null, address!, family);
  };
  const agentOptions = { keepAlive: true, timeout: FREE_SOCKET_TIMEOUT_MS, maxSockets, ...(address && { lookup }) };
  if (!ssl) return new http.Agent(agentOptions);
  return new https.Agent({ ...agentOptions, rejectUnauthorized: ssl.verify, ...(ssl.ca && { ca: ssl.ca }) });
}
