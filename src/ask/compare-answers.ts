// Finds answers that a change would affect. Runs certified entries and evals of the changed lenses on the current and
// the planned version, within a time limit.
import type { Envelope, JsonValue } from '../contract/ask.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { ServedLens, ServedLenses } from '../domain/lenses/lens-repository.ts';
import { withDictionaries } from '../domain/lenses/with-dictionaries.ts';
import type { Warehouse, WarehouseDirectory, WarehouseOpener } from '../domain/ports.ts';
import type { PreparedProject } from '../domain/project/prepared-project.ts';
import type { AnswerChange, CompareAnswers } from '../domain/project/project-deps.ts';
import { canonicalJson } from '../domain/receipts/canonical-json.ts';
import type { CertifiedEntry, Lens, LensDefinition } from '../lens/model/lens.ts';
import { newId } from '../platform/ids.ts';
import { Problem } from '../platform/problem.ts';
import { mapInParallel } from '../platform/schedule/in-parallel.ts';
import type { Ask, AskContext } from './entrances.ts';
import type { SideAsk } from './side-ask.ts';

interface Case {
  lens: string;
  kind: 'certified' | 'eval';
  id: string;
  askBefore: (() => Promise<Envelope>) | null;
  askAfter: (() => Promise<Envelope>) | null;
}
const MAX_SHOWN_ROWS = 5;

export const compareAnswersWith =
  (deps: { lenses: ServedLenses; opener: WarehouseOpener; sideAsk: SideAsk }): CompareAnswers =>
  async (orgId, preparedProject, budgetMs, { report, signal }) => {
    const timeoutSignal = AbortSignal.timeout(budgetMs);
    const deadline = signal ? AbortSignal.any([timeoutSignal, signal]) : timeoutSignal;
    const createContext = (): AskContext => ({
      principal: planningPrincipal(orgId),
      requestId: newId(),
      surface: 'mgmt',
      client: null,
      signal: deadline,
    });
    const touchedLenses = await deps.lenses.list(orgId, [...preparedProject.touched]);
    const openedWarehouses = new Map<string, Promise<Warehouse>>();
    const plannedWarehouses: WarehouseDirectory = {
      stuck: () => 0,
      get: (_org, name) => {
        const openingWarehouse =
          openedWarehouses.get(name) ?? openPlannedLens(deps.opener, orgId, preparedProject, name);
        openingWarehouse.catch(() => undefined);
        openedWarehouses.set(name, openingWarehouse);
        return openingWarehouse;
      },
    };
    const cases = touchedLenses.flatMap((liveLens) => {
      const nextLens = nextLensVersion(liveLens, preparedProject);
      return nextLens
        ? createCases(
            { liveLens: liveLens, ask: deps.sideAsk(liveLens) },
            { liveLens: nextLens, ask: deps.sideAsk(nextLens, plannedWarehouses) },
            preparedProject,
            createContext,
          )
        : [];
    });
    let skippedCount = 0;
    let startedCount = 0;
    const pendingComparison = mapInParallel(
      cases,
      2,
      async ({ askBefore, askAfter, ...named }): Promise<AnswerChange | null> => {
        report?.({ step: 'answers', done: startedCount++, total: cases.length });
        if (deadline.aborted) {
          skippedCount++;
          return null;
        }
        const [previous, current] = [await runForOutcome(askBefore), await runForOutcome(askAfter)];
        if (deadline.aborted) skippedCount++;
        return deadline.aborted || canonicalJson(previous.whole) === canonicalJson(current.whole)
          ? null
          : { ...named, before: previous.shown, after: current.shown };
      },
    );
    const comparedCases = await pendingComparison.finally(async () => {
      for (const openingWarehouse of openedWarehouses.values())
        await openingWarehouse.then((warehouse) => warehouse.close()).catch(() => undefined);
    });
    const warnings =
      skippedCount > 0
        ? [`${skippedCount} of ${cases.length} certified entries and evals were not compared within the time limit.`]
        : [];
    return { answerChanges: comparedCases.filter((change) => change !== null), warnings };
  };

async function openPlannedLens(
  opener: WarehouseOpener,
  orgId: string,
  { wantedState: wanted }: PreparedProject,
  name: string,
): Promise<Warehouse> {
  const connection = wanted.connections.find((connection) => connection.name === name);
  if (!connection) throw new Problem('not_found', `There is no connection "${name}".`);
  return opener.open({ orgId, name, config: connection.config, fromOperator: connection.fromOperator });
}

function nextLensVersion(
  liveLens: ServedLens,
  { wantedState: wanted, dictionaries }: PreparedProject,
): ServedLens | null {
  const lens = wanted.lenses.find(({ name }) => name === liveLens.name)?.compiled?.lens;
  if (!lens) return null;
  const certified = wanted.certified
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
    stamp: newId(),
    lens: {
      ...withDictionaries(lens, dictionaries.get(liveLens.name) ?? []),
      definitions: withApiTerms(lens, liveLens),
    },
    certified: new Map(certified),
    suspended: new Map(),
  };
}

/** Keeps the terms that were created through the API, as a deployment does. */
function withApiTerms(
  { definitions }: Lens,
  { lens: { definitions: currentDefinitions } }: ServedLens,
): LensDefinition[] {
  const definedTerms = new Set(definitions.map(({ term }) => term.toLowerCase()));
  return [
    ...definitions,
    ...currentDefinitions.filter(({ term, shared }) => shared === 'api' && !definedTerms.has(term.toLowerCase())),
  ];
}

interface LensWithAsk {
  liveLens: ServedLens;
  ask: Pick<Ask, 'query' | 'certifiedRun'>;
}
function createCases(
  previousLens: LensWithAsk,
  nextLens: LensWithAsk,
  { wantedState: wanted }: PreparedProject,
  context: () => AskContext,
): Case[] {
  const lens = previousLens.liveLens.name;
  const askEntry = ({ liveLens, ask }: LensWithAsk, id: string) => {
    const entry = liveLens.certified.get(id);
    return entry && Object.keys(entry.parameters).length === 0
      ? () => ask.certifiedRun(context(), lens, id, { format: 'structured' })
      : null;
  };
  const certified = [...new Set([...previousLens.liveLens.certified.keys(), ...nextLens.liveLens.certified.keys()])]
    .map(
      (id): Case => ({
        lens,
        kind: 'certified',
        id,
        askBefore: askEntry(previousLens, id),
        askAfter: askEntry(nextLens, id),
      }),
    )
    .filter(({ askBefore, askAfter }) => askBefore !== null && askAfter !== null);
  const evals = wanted.evals
    .filter((entry) => entry.lens === lens)
    .map(({ id, body }): Case => {
      const input = {
        q: String(body['question']),
        format: 'structured' as const,
        choices: (body['choices'] as Record<string, string> | null) ?? undefined,
      };
      return {
        lens,
        kind: 'eval',
        id,
        askBefore: () => previousLens.ask.query(context(), lens, input),
        askAfter: () => nextLens.ask.query(context(), lens, input),
      };
    });
  return [...certified, ...evals];
}

async function runForOutcome(ask: (() => Promise<Envelope>) | null): Promise<{ whole: unknown; shown: unknown }> {
  try {
    const { status, data, row_count, clarification } = await ask!();
    if (status !== 'answered') return unabridgedOutcome({ status, clarification: clarification?.kind ?? null });
    const rows = (data ?? []).map((row) => Object.values(row) as JsonValue[]);
    const comparedRows = rows.map((row) => canonicalJson(row)).sort();
    if (rows.length === 1 && rows[0]!.length === 1) return { whole: comparedRows, shown: rows[0]![0] };
    return { whole: comparedRows, shown: { row_count, rows: data?.slice(0, MAX_SHOWN_ROWS) } };
  } catch (error) {
    return unabridgedOutcome({ status: 'failed', code: error instanceof Problem ? error.code : 'internal' });
  }
}
const unabridgedOutcome = (value: unknown) => ({ whole: value, shown: value });

const planningPrincipal = (orgId: string): Principal => ({
  ...{
    orgId,
    orgName: '',
    kind: 'admin',
    credentialKind: 'admin_token',
    credentialId: null,
    callerId: null,
    userId: null,
  },
  ...{ name: 'plan', role: null, groups: [], attributes: {}, lenses: [], demo: false },
});
