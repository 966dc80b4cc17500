// Starts the run that drafts a lens from a connection.

import type { Actor } from '../audit/audited.ts';
import { type ConnectionDeps, getConnection } from '../connections/connections.ts';
import { createLens } from '../lenses/lenses.ts';
import type { Runs } from '../runs/runs.ts';
import { introspect } from './introspect.ts';

interface DraftRequest {
  connection: string;
  name?: string | undefined;
  tables?: string[] | undefined;
  profile: boolean;
  /** Whether svc also stores the result as the first draft of a lens. */
  save: boolean;
}

export async function startDraft(
  deps: ConnectionDeps & Parameters<typeof createLens>[0] & { runs: Runs },
  actor: Actor,
  { connection, name: lens, tables, profile, save }: DraftRequest,
): Promise<string> {
  await getConnection(deps, actor.orgId, connection);
  const run = { kind: 'semantic.introspect', about: { kind: 'connection', id: connection } };
  return deps.runs.start(actor, run, async ({ report, signal }) => {
    const request = { connection, lens, tables, profile };
    const {
      leftOut,
      sampleQuestions,
      findings: lookAt,
      ...draft
    } = await introspect(deps, actor.orgId, request, report, signal);
    const text = draft.files[`lenses/${draft.lens}/lens.yaml`]!;
    const savedLens = save ? await createLens(deps, actor, { name: draft.lens, files: { 'lens.yaml': text } }) : null;
    return {
      ...{ ...draft, left_out: leftOut, look_at: lookAt, sample_questions: sampleQuestions },
      draft_id: savedLens?.id ?? null,
    };
  });
}
