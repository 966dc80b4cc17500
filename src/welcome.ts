// svc prints this message at each start of an embedded installation. Readers can paste and run its command.
import type { Ollama } from './adapters/language-model/find-ollama.ts';
import type { Config } from './config.ts';
import type { Credentials } from './home.ts';

export function formatWelcome(
  credentials: Credentials,
  config: Config,
  example: { lens: string; question: string | undefined } | null,
  link: string | null,
  ollama: Ollama | null,
): string {
  const { base_url, caller_key, connect_line } = credentials;
  const agents =
    connect_line ??
    `connect to ${base_url}/mcp with the key as bearer token. To get one line that connects an agent, set SVC_PUBLIC_BASE_URL`;
  const headers = `-H 'Authorization: Bearer ${caller_key}'`;
  const curl = example?.question
    ? `curl -s ${base_url}/v1/lenses/${example.lens}/query ${headers} -H 'Content-Type: application/json' -d '${quoteForShell({ q: example.question })}'`
    : `curl -s ${base_url}/v1/lenses ${headers}`;
  return `
  svc is ready at ${base_url}   (guide: ${base_url}/guide, API: ${base_url}/docs)

  Open it in your browser${link ? ' (this link signs you in once, within 15 minutes)' : ''}:
  ${link ?? `${base_url}/app`}

  Ask from the command line:
  ${curl}

  Agents: ${agents}
  Credentials: ${config.home}/credentials.json
  ${composeModelLine(config, ollama)}

`;
}

/** States which data svc sends from this machine to a language model. */
export function composeModelLine({ operator }: Pick<Config, 'operator'>, ollama: Ollama | null): string {
  const { fast, smart } = operator.models ?? {};
  const entries = [fast, smart].filter((entry) => entry !== undefined);
  if (entries.length === 0)
    return ollama
      ? `Language model: none. Ollama is running on this machine${ollama.models.length > 0 ? ` with ${ollama.models.join(', ')}` : ''}; svc does not use it unless you set SVC_MODEL=${ollama.models[0] ?? '<name>'} SVC_MODEL_BASE_URL=${ollama.baseUrl}`
      : 'Language model: none. No data is sent to a model.';
  const modelNames = [...new Set(entries.map(({ model, base_url }) => `${model} at ${findModelHost(base_url)}`))].join(
    ' and ',
  );
  const rows = smart ? ', and rows of answers to write sentences' : ', never rows';
  return `Language model: ${modelNames}. svc sends it questions; names, descriptions and listed values of lenses; approved SQL${rows} (docs/models.md).`;
}

const findModelHost = (baseUrl: string | undefined): string =>
  baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).host : 'api.openai.com';

const quoteForShell = (value: unknown): string => JSON.stringify(value).replaceAll("'", String.raw`'\''`);
