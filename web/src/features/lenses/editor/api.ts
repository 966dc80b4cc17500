import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { waitForRun } from '../../../api/runs.ts';
import type { components, paths } from '../../../api/schema.d.ts';
import type { JsonSchema } from './complete.ts';

export type Draft = paths['/mgmt/lenses/{name}/drafts/{id}']['get']['responses']['200']['content']['application/json'];
export type DraftValidation =
  paths['/mgmt/lenses/{name}/drafts/{id}/validate']['post']['responses']['200']['content']['application/json'];
export type DeploymentPlan = paths['/mgmt/project/plan']['post']['responses']['200']['content']['application/json'];

const LENS_FILE = 'lens.yaml';
const createPathParameters = (name: string, id: string) => ({ path: { name, id } });

export interface EditedLens {
  origin: 'file' | 'api';
  text: string;
  draft: Draft | null;
}
export const createEditedLensQuery = (name: string, draft: string | undefined) =>
  queryOptions({
    queryKey: ['editing', name, draft ?? null],
    queryFn: async ({ signal }): Promise<EditedLens> => {
      const lens = await unwrapData(apiClient.GET('/mgmt/lenses/{name}', { signal, params: { path: { name } } }));
      const storedDraft = draft
        ? await unwrapData(
            apiClient.GET('/mgmt/lenses/{name}/drafts/{id}', { signal, params: createPathParameters(name, draft) }),
          )
        : null;
      return { origin: lens.origin, text: (storedDraft ?? lens).files[LENS_FILE] ?? '', draft: storedDraft };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const lensSchemaQuery = queryOptions({
  queryKey: ['schema', 'lens'],
  queryFn: async ({ signal }) =>
    (await unwrapData(
      apiClient.GET('/schemas/{file}', { signal, params: { path: { file: 'lens.json' } } as never }),
    )) as unknown as JsonSchema,
  staleTime: Number.POSITIVE_INFINITY,
});

export async function saveDraft(name: string, draft: Draft | null, text: string): Promise<Draft> {
  const files = { [LENS_FILE]: text };
  if (!draft)
    return unwrapData(apiClient.POST('/mgmt/lenses/{name}/drafts', { params: { path: { name } }, body: { files } }));
  return unwrapData(
    apiClient.PUT('/mgmt/lenses/{name}/drafts/{id}', {
      params: createPathParameters(name, draft.id),
      headers: { 'if-match': `"${draft.revision}"` },
      body: { files },
    }),
  );
}

export const validateDraft = (name: string, draft: Draft) =>
  unwrapData(
    apiClient.POST('/mgmt/lenses/{name}/drafts/{id}/validate', { params: createPathParameters(name, draft.id) }),
  );

export async function computePlanWithText(name: string, text: string): Promise<DeploymentPlan> {
  const { files } = await unwrapData(apiClient.GET('/mgmt/project/export'));
  const reply = await unwrapData(
    apiClient.POST('/mgmt/project/plan', {
      headers: { prefer: 'respond-async' },
      body: { files: { ...files, [`lenses/${name}/${LENS_FILE}`]: text } },
    }),
  );
  return 'run_id' in reply ? ((await waitForRun(String(reply.run_id))) as DeploymentPlan) : (reply as DeploymentPlan);
}

export async function publishDraft(name: string, draft: Draft): Promise<{ version: number; warnings: string[] }> {
  const reply = await unwrapData(
    apiClient.POST('/mgmt/lenses/{name}/drafts/{id}/publish', {
      params: createPathParameters(name, draft.id),
      headers: { prefer: 'respond-async', 'if-match': `"${draft.revision}"` },
    }),
  );
  return ('run_id' in reply ? await waitForRun(String(reply.run_id)) : reply) as {
    version: number;
    warnings: string[];
  };
}

export type DraftAnswer = components['schemas']['Envelope'];

export async function tryQuestion(name: string, draft: Draft, q: string) {
  const [before, after] = await Promise.all([
    unwrapData(apiClient.POST('/v1/lenses/{name}/query', { params: { path: { name } }, body: { q } })),
    unwrapData(
      apiClient.POST('/mgmt/lenses/{name}/drafts/{id}/try', {
        params: createPathParameters(name, draft.id),
        body: { q },
      }),
    ),
  ]);
  return { before: before as DraftAnswer, after: after as DraftAnswer };
}
