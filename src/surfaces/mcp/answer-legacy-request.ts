// svc answers in JSON, because the SDK's event streams cost more. MCP revisions before 2026-07-28 allow both.
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
  /** Null if the message needs no response. */
  body: unknown;
}

/** `version` is the MCP-Protocol-Version header, which an `initialize` request doesn't have. */
export async function answerLegacyRequest(server: Server, payload: object, version: unknown): Promise<LegacyAnswer> {
  let message: JSONRPCMessage;
  try {
    message = parseJSONRPCMessage(payload);
  } catch {
    return createRefusedAnswer(-32700, 'Parse error: Invalid JSON-RPC message');
  }
  if (typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !isInitializeRequest(message)) {
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return createRefusedAnswer(
      -32000,
      `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`,
    );
  }
  if (!isJSONRPCRequest(message)) return { status: 202, body: null };
  return { status: 200, body: await exchangeMessage(server, message) };
}

function exchangeMessage(server: Server, request: JSONRPCMessage): Promise<JSONRPCMessage> {
  return new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => undefined,
      close: async () => transport.onclose?.(),
      async send(message) {
        if (!('method' in message)) resolve(message); // only a response can be returned
      },
    };
    server.connect(transport).then(() => transport.onmessage?.(request), reject);
  });
}

const createRefusedAnswer = (code: number, message: string): LegacyAnswer => ({
  status: 400,
  body: { jsonrpc: '2.0', error: { code, message }, id: null },
});
