/** The body of a call of an MCP tool. */
export const toolCall = (name: string, toolArguments: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: toolArguments },
});
