import { api, dataOrThrow } from '../../../api/client.ts';
import { toUserMessage } from '../../../api/own-words.ts';

/** Stores and tests a connection, and removes it if the test fails. */
export async function addConnection(name: string, config: Record<string, unknown>): Promise<void> {
  await dataOrThrow(api.POST('/mgmt/connections', { body: { name, ...config } as never }));
  const params = { path: { id: name } };
  const testResult = await dataOrThrow(api.POST('/mgmt/connections/{id}/test', { params })).catch((fault: Error) => ({
    ok: false,
    error: fault.message,
  }));
  if (testResult.ok) return;
  await dataOrThrow(api.DELETE('/mgmt/connections/{id}', { params }));
  throw new Error(toUserMessage(testResult.error ?? 'The connection test failed.'));
}
