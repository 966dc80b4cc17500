import type { ClientOptions, OpenAI } from 'openai';

/** Returns a function that loads the client when it is first called. */
export function createOpenAiLoader(
  { apiKey, baseUrl }: { apiKey: string; baseUrl: string | null },
  options: ClientOptions,
): () => Promise<OpenAI> {
  let client: Promise<OpenAI> | undefined;
  return () => {
    client ??= import('openai').then(
      ({ default: Client }) => new Client({ apiKey, baseURL: baseUrl ?? undefined, ...options }),
    );
    return client;
  };
}
