// What a first start says: short, and one line that works when pasted.
import type { Config } from './config.ts';
import type { Credentials } from './home.ts';

export function welcome(credentials: Credentials, config: Config): string {
  const { base_url, caller_key, connect_line } = credentials;
  const agents =
    connect_line ??
    `MCP at ${base_url}/mcp with the key below (set SVC_PUBLIC_BASE_URL to serve /SKILL.md, the one-line way)`;
  return `
  svc is ready at ${base_url}   (API description: ${base_url}/docs)

  Ask:
  curl -s ${base_url}/v1/lenses/superstore/query -H 'Authorization: Bearer ${caller_key}' -H 'Content-Type: application/json' -d '{"q":"What was revenue in the West in 2016?"}'

  Agents: ${agents}
  Credentials: ${config.home}/credentials.json

`;
}
