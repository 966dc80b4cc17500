// Finds answers that a change would affect. Runs the certified entries and evals of the changed lenses on the current
// and on the planned version of each lens, within a time limit.
import type { Envelope, JsonScalar } from '../contract/ask.ts';
import { createInternalAdmin } from '../domain/identity/principal.ts';
import type { LiveLens, LiveLenses } from '../domain/lenses/lens-repository.ts';
import type { Warehouse, WarehouseDirectory, WarehouseOpener } from '../domain/ports.ts';
import type { AnswerChange, AnswerComparer, PreparedProject } from '../domain/project/project-deps.ts';
import { withDictionaries } from '../domain/project/read-dictionaries.ts';
import { toCanonicalJson } from '../domain/receipts/canonical-json.ts';
import type { CertifiedEntry, Lens, LensDefinition } from '../lens/model/lens.ts';
import { createId } from '../platform/ids.ts';
import { Problem } from '../platform/problem.ts';
import { mapInParallel } from '../platform/schedule/in-parallel.ts';
import { type AskContext, createBackgroundContext } from './entry-points.ts';
import type { UntracedAsk } from './untraced-ask.ts';

interface ComparedCase extends Pick<AnswerChange, 'lens' | 'kind' | 'id'> {
  ask(side: LensVersionAsk): Promise<Envelope>;
}

/** Asks the served or the planned version of a lens. */
type LensVersionAsk = ReturnType<UntracedAsk>;

const MAX_SHOWN_ROWS = 5;

export const createAnswerComparer =
  (deps: { lenses: LiveLenses; opener: WarehouseOpener; untracedAsk: UntracedAsk }): AnswerComparer =>
  async (orgId, preparedProject, budgetMs, { report, signal }) => {
    const deadline = AbortSignal.any([AbortSignal.timeout(budgetMs), ...(signal ? [signal] : [])]);
    const changedLenses = await deps.lenses.list(orgId, [...preparedProject.changedLensNames]);
    const openedWarehouses = new Map<string, Promise<Warehouse>>();
    const plannedWarehouses: WarehouseDirectory = {
      stuck: () => 0,
      get: (_org, name) => {
        const warehouse = openedWarehouses.get(name) ?? openPlannedWarehouse(deps.opener, orgId, preparedProject, name);
        warehouse.catch(() => undefined);
        openedWarehouses.set(name, warehouse);
        return warehouse;
      },
    };
    const cases = changedLenses.flatMap((liveLens) => {
      const nextLens = buildNextLensVersion(liveLens, preparedProject);
      if (!nextLens) return [];
      const sides = [deps.untracedAsk(liveLens), deps.untracedAsk(nextLens, plannedWarehouses)] as const;
      const createContext = () => createBackgroundContext(createInternalAdmin(orgId, 'plan'), deadline);
      return createComparedCases(liveLens, nextLens, preparedProject, createContext).map((item) => ({
        ...item,
        sides,
      }));
    });
    let skippedCount = 0;
    let startedCount = 0;
    const pendingComparison = mapInParallel(
      cases,
      2,
      async ({ lens, kind, id, ask, sides: [servedAsk, plannedAsk] }): Promise<AnswerChange | null> => {
        report?.({ step: 'answers', done: startedCount++, total: cases.length });
        if (!deadline.aborted) {
          const previous = await captureOutcome(() => ask(servedAsk));
          const current = await captureOutcome(() => ask(plannedAsk));
          if (!deadline.aborted)
            return toCanonicalJson(previous.whole) === toCanonicalJson(current.whole)
              ? null
              : { lens, kind, id, before: previous.shown, after: current.shown };
        }
        skippedCount++;
        return null;
      },
    );
    const comparedCases = await pendingComparison.finally(async () => {
      for (const opening of openedWarehouses.values())
        await opening.then((warehouse) => warehouse.close()).catch(() => undefined);
    });
    const warnings =
      skippedCount > 0
        ? [`${skippedCount} of ${cases.length} certified entries and evals were not compared within the time limit.`]
        : [];
    return { answerChanges: comparedCases.filter((change) => change !== null), warnings };
  };

async function openPlannedWarehouse(
  opener: WarehouseOpener,
  orgId: string,
  { desiredState: desired }: PreparedProject,
  name: string,
): Promise<Warehouse> {
  const connection = desired.connections.find((connection) => connection.name === name);
  if (!connection) throw new Problem('not_found', `There is no connection "${name}".`);
  return opener.open({ orgId, name, config: connection.config, fromOperator: connection.fromOperator });
}

function buildNextLensVersion(
  liveLens: LiveLens,
  { desiredState: desired, dictionaries }: PreparedProject,
): LiveLens | null {
  const lens = desired.lenses.find(({ name }) => name === liveLens.name)?.compiled?.lens;
  if (!lens) return null;
  const certified = desired.certified
    .filter((entry) => entry.lens === liveLens.name && entry.body['status'] === 'approved')
    .map(({ id, body }): [string, CertifiedEntry] => [
      id,
      {
        certId: id,
        question: String(body['question']),
        alsoAsked: body['also_asked'] as string[],
        sql: String(body['sql']),
        parameters: body['parameters'] as CertifiedEntry['parameters'],
        approvedBy: body['approved_by'] as string | null,
        approvedAt: body['approved_at'] as string | null,
        status: 'approved',
        notes: null,
      },
    ]);
  return {
    ...liveLens,
    version: liveLens.version + 1,
    stamp: createId(),
    lens: {
      ...withDictionaries(lens, dictionaries.get(liveLens.name) ?? []),
      definitions: addApiDefinitions(lens, liveLens),
    },
    certified: new Map(certified),
    suspended: new Map(),
  };
}

/** Adds the terms that were created through the API, because a deployment keeps them too. */
function addApiDefinitions(
  { definitions }: Lens,
  { lens: { definitions: currentDefinitions } }: LiveLens,
): LensDefinition[] {
  const definedTerms = new Set(definitions.map(({ term }) => term.toLowerCase()));
  return [
    ...definitions,
    ...currentDefinitions.filter(({ term, shared }) => shared === 'api' && !definedTerms.has(term.toLowerCase())),
  ];
}

function createComparedCases(
  liveLens: LiveLens,
  { certified: nextCertified }: LiveLens,
  { desiredState: { evals } }: PreparedProject,
  createContext: () => AskContext,
): ComparedCase[] {
  const lens = liveLens.name;
  const hasNoParameters = (entry: CertifiedEntry | undefined) =>
    entry !== undefined && Object.keys(entry.parameters).length === 0;
  const certifiedIds = [...liveLens.certified]
    .filter(([id, entry]) => hasNoParameters(entry) && hasNoParameters(nextCertified.get(id)))
    .map(([id]) => id);
  return [
    ...certifiedIds.map(
      (id): ComparedCase => ({
        ...{ lens, kind: 'certified', id },
        ask: (side) => side.certifiedRun(createContext(), lens, id, { format: 'structured' }),
      }),
    ),
    ...evals
      .filter((entry) => entry.lens === lens)
      .map(({ id, body }): ComparedCase => {
        const choices = (body['choices'] as Record<string, string> | null) ?? undefined;
        const question = { q: String(body['question']), format: 'structured' as const, choices };
        return { lens, kind: 'eval', id, ask: (side) => side.query(createContext(), lens, question) };
      }),
  ];
}

async function captureOutcome(ask: () => Promise<Envelope>): Promise<{ whole: unknown; shown: unknown }> {
  try {
    const { status, data, row_count, clarification } = await ask();
    if (status !== 'answered') return createCompleteOutcome({ status, clarification: clarification?.kind ?? null });
    const rows = (data ?? []).map((row) => Object.values(row) as JsonScalar[]);
    const comparedRows = rows.map((row) => toCanonicalJson(row)).sort();
    if (rows.length === 1 && rows[0]!.length === 1) return { whole: comparedRows, shown: rows[0]![0] };
    return { whole: comparedRows, shown: { row_count, rows: data?.slice(0, MAX_SHOWN_ROWS) } };
  } catch (error) {
    return createCompleteOutcome({ status: 'failed', code: error instanceof Problem ? error.code : 'internal' });
  }
}

const createCompleteOutcome = (value: unknown) => ({ whole: value, shown: value });
