// Finds an Ollama server on this machine, so that the startup message can name the server. svc uses it only if the
// configuration names it.
const TIMEOUT_MS = 500;
const MAX_LISTED_MODELS = 3;

export interface Ollama {
  baseUrl: string;
  models: string[];
}

/** Returns null if the host doesn't respond like Ollama. */
export async function findOllama(host: string): Promise<Ollama | null> {
  const base = host.includes('://') ? host.replace(/\/+$/, '') : `http://${host.replace(/^0\.0\.0\.0/, '127.0.0.1')}`;
  try {
    const reply = await fetch(`${base}/api/tags`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    const { models } = (await reply.json()) as { models?: { name?: unknown }[] };
    if (!reply.ok || !Array.isArray(models)) return null;
    const names = models.flatMap(({ name }) =>
      typeof name === 'string' && /^[\w./:-]{1,100}$/.test(name) ? [name] : [],
    );
    return { baseUrl: `${base}/v1`, models: names.slice(0, MAX_LISTED_MODELS) };
  } catch {
    return null;
  }
}
