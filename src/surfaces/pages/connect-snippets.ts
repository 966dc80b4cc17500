// SKILL.md shows these settings with a placeholder key, and /demo shows them with the visitor's own key.
import type { Snippet } from '../../contract/demo.ts';

export const KEY_PLACEHOLDER = '<API_KEY>';

export interface ServerInstance {
  baseUrl: string;
  instance: string;
}

export const toSlug = (instance: string): string =>
  instance
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'svc';

export const writeAgentInstruction = ({ baseUrl, instance }: ServerInstance, key: string): string =>
  `Connect to ${instance}: read ${baseUrl}/SKILL.md and use my key ${key}`;

export function createConnectSnippets(endpoint: ServerInstance, key: string): Snippet[] {
  const name = toSlug(endpoint.instance);
  const url = `${endpoint.baseUrl}/mcp`;
  const toJsonText = (value: unknown) => JSON.stringify(value, null, 2);
  const headers = { Authorization: `Bearer ${key}` };
  const oauthInstructions = `Add a custom connector with the URL ${url}, choose Connect, and sign in. You need no key.`;
  return [
    {
      id: 'claude',
      label: 'Claude (web and desktop)',
      auth: 'oauth',
      code: `Settings, Connectors: ${oauthInstructions}`,
    },
    {
      id: 'claude-code',
      label: 'Claude Code',
      auth: 'key',
      code: `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      id: 'chatgpt',
      label: 'ChatGPT',
      auth: 'oauth',
      code: `In Settings, Apps & Connectors, Advanced settings, turn on Developer mode. Then choose Create, enter the URL ${url} and OAuth, and sign in.`,
    },
    {
      id: 'cursor',
      label: 'Cursor (~/.cursor/mcp.json)',
      auth: 'key',
      code: toJsonText({ mcpServers: { [name]: { url, headers } } }),
    },
    {
      id: 'vscode',
      label: 'VS Code (.vscode/mcp.json)',
      auth: 'key',
      code: toJsonText({ servers: { [name]: { type: 'http', url, headers } } }),
    },
    {
      id: 'gemini-cli',
      label: 'Gemini CLI',
      auth: 'key',
      code: `gemini mcp add --transport http --header "Authorization: Bearer ${key}" ${name} ${url}`,
    },
  ];
}

export function createOtherSnippets(
  { baseUrl }: ServerInstance,
  key: string,
  ask: { lens: string; question: string } | null,
): Snippet[] {
  const question = ask?.question ?? 'your question';
  const auth = `-H "Authorization: Bearer ${key}"`;
  const body = JSON.stringify({ q: question }).replaceAll("'", "'\\''");
  const curl = ask
    ? `curl -s ${baseUrl}/v1/query ${auth} -H "Content-Type: application/json" -d '${body}'`
    : `curl -s ${baseUrl}/v1/lenses ${auth}`;
  return [
    {
      id: 'curl',
      label: 'curl',
      auth: 'key',
      code: curl,
    },
    {
      id: 'openai',
      label: 'Chat-completions client (Python)',
      auth: 'key',
      code: `from openai import OpenAI
client = OpenAI(base_url="${baseUrl}/v1", api_key="${key}")
reply = client.chat.completions.create(
    model="svc/${ask?.lens ?? 'auto'}", messages=[{"role": "user", "content": ${JSON.stringify(question)}}])
print(reply.choices[0].message.content)`,
    },
  ];
}
