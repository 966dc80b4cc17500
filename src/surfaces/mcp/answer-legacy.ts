// One message of the revisions before 2026-07-28, which the SDK would answer as a stream of one event. A server of its own
// answers it as JSON, which those revisions allow as well: no stream is opened, written, read again and closed for it.
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';

export interface LegacyAnswer {
  status: 200 | 202 | 400;
  /** Null: the message asks for nothing. */
  body: unknown;
}

/** `given` is one JSON-RPC message; `version` the header MCP-Protocol-Version, which an initialization goes without. */
export async function answerLegacy(server: Server, given: object, version: unknown): Promise<LegacyAnswer> {
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(given);
  } catch {
    return refused(-32700, 'Parse error: Invalid JSON-RPC message');
  }
  if (typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !isInitializeRequest(message)) {
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return refused(-32000, `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`);
  }
  if (!isJSONRPCRequest(message)) return { status: 202, body: null };
  return { status: 200, body: await exchange(server, message) };
}

function exchange(server: Server, request: JSONRPCMessage): Promise<JSONRPCMessage> {
  return new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => undefined,
      close: async () => transport.onclose?.(),
      async send(message) {
        if (!('method' in message)) resolve(message); // what is no answer has nowhere to go
      },
    };
    server.connect(transport).then(() => transport.onmessage?.(request), reject);
  });
}

const refused = (code: number, message: string): LegacyAnswer => ({
  status: 400,
  body: { jsonrpc: '2.0', error: { code, message }, id: null },
});
