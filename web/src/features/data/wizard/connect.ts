import { apiClient, unwrapData } from '../../../api/client.ts';
import { toUserMessage } from '../../../api/user-messages.ts';

/** Removes the connection if its test fails. */
export async function addConnection(name: string, config: Record<string, unknown>): Promise<void> {
  await unwrapData(apiClient.POST('/mgmt/connections', { body: { name, ...config } as never }));
  const params = { path: { id: name } };
  const testResult = await unwrapData(apiClient.POST('/mgmt/connections/{id}/test', { params })).catch(
    (fault: Error) => ({
      ok: false,
      error: fault.message,
    }),
  );
  if (testResult.ok) return;
  await unwrapData(apiClient.DELETE('/mgmt/connections/{id}', { params }));
  throw new Error(toUserMessage(testResult.error ?? 'The connection test failed.'));
}
