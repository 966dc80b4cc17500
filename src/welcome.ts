// What a first start says: short, and one line that works when pasted.
import type { Config } from './config.ts';
import type { Credentials } from './home.ts';

export function welcome(
  credentials: Credentials,
  config: Config,
  example: { lens: string; question: string | undefined } | null,
  link: string | null,
): string {
  const { base_url, caller_key, connect_line } = credentials;
  const agents =
    connect_line ??
    `MCP at ${base_url}/mcp with that key as bearer (set SVC_PUBLIC_BASE_URL to serve /SKILL.md, the one-line way)`;
  const headers = `-H 'Authorization: Bearer ${caller_key}'`;
  const curl = example?.question
    ? `curl -s ${base_url}/v1/lenses/${example.lens}/query ${headers} -H 'Content-Type: application/json' -d '${quoted({ q: example.question })}'`
    : `curl -s ${base_url}/v1/lenses ${headers}`;
  return `
  svc is ready at ${base_url}   (API description: ${base_url}/docs)

  Open it in your browser${link ? ', signed in by this link (once, within 15 minutes)' : ''}:
  ${link ?? `${base_url}/app`}

  Ask from the command line:
  ${curl}

  Agents: ${agents}
  Credentials: ${config.home}/credentials.json

`;
}

/** JSON inside single quotes of a shell. */
const quoted = (body: unknown): string => JSON.stringify(body).replaceAll("'", String.raw`'\''`);
