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
import { inParallel } from '../platform/schedule/in-parallel.ts';
import type { Ask, AskContext } from './entrances.ts';
import type { SideAsk } from './side-ask.ts';

interface Case {
  lens: string;
  kind: 'certified' | 'eval';
  id: string;
  before: (() => Promise<Envelope>) | null;
  after: (() => Promise<Envelope>) | null;
}
const SHOWN_ROWS = 5;

export const compareAnswersWith =
  (deps: { lenses: ServedLenses; opener: WarehouseOpener; sideAsk: SideAsk }): CompareAnswers =>
  async (orgId, prepared, budgetMs, { report, signal }) => {
    const late = AbortSignal.timeout(budgetMs);
    const deadline = signal ? AbortSignal.any([late, signal]) : late;
    const context = (): AskContext => ({
      principal: planningPrincipal(orgId),
      requestId: newId(),
      surface: 'mgmt',
      client: null,
      signal: deadline,
    });
    const touched = await deps.lenses.list(orgId, [...prepared.touched]);
    const opened = new Map<string, Promise<Warehouse>>();
    const planned: WarehouseDirectory = {
      stuck: () => 0,
      get: (_org, name) => {
        const opening = opened.get(name) ?? openPlannedLens(deps.opener, orgId, prepared, name);
        opening.catch(() => undefined);
        opened.set(name, opening);
        return opening;
      },
    };
    const cases = touched.flatMap((liveLens) => {
      const next = nextVersion(liveLens, prepared);
      return next
        ? casesOf(
            { served: liveLens, ask: deps.sideAsk(liveLens) },
            { served: next, ask: deps.sideAsk(next, planned) },
            prepared,
            context,
          )
        : [];
    });
    let skipped = 0;
    let startedCount = 0;
    const comparing = inParallel(cases, 2, async ({ before, after, ...named }): Promise<AnswerChange | null> => {
      report?.({ step: 'answers', done: startedCount++, total: cases.length });
      if (deadline.aborted) {
        skipped++;
        return null;
      }
      const [previous, current] = [await outcomeOfAsk(before), await outcomeOfAsk(after)];
      if (deadline.aborted) skipped++;
      return deadline.aborted || canonicalJson(previous.whole) === canonicalJson(current.whole)
        ? null
        : { ...named, before: previous.shown, after: current.shown };
    });
    const compared = await comparing.finally(async () => {
      for (const opening of opened.values())
        await opening.then((warehouse) => warehouse.close()).catch(() => undefined);
    });
    const warnings =
      skipped > 0
        ? [`${skipped} of ${cases.length} certified entries and evals were not compared within the time limit.`]
        : [];
    return { answerChanges: compared.filter((change) => change !== null), warnings };
  };

async function openPlannedLens(
  opener: WarehouseOpener,
  orgId: string,
  { wanted }: PreparedProject,
  name: string,
): Promise<Warehouse> {
  const connection = wanted.connections.find((connection) => connection.name === name);
  if (!connection) throw new Problem('not_found', `There is no connection "${name}".`);
  return opener.open({ orgId, name, config: connection.config, fromOperator: connection.fromOperator });
}

function nextVersion(liveLens: ServedLens, { wanted, dictionaries }: PreparedProject): ServedLens | null {
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

/** Keeps terms created by API, as an apply does. */
function withApiTerms({ definitions }: Lens, { lens: { definitions: now } }: ServedLens): LensDefinition[] {
  const definedTerms = new Set(definitions.map(({ term }) => term.toLowerCase()));
  return [
    ...definitions,
    ...now.filter(({ term, shared }) => shared === 'api' && !definedTerms.has(term.toLowerCase())),
  ];
}

interface AskedLens {
  served: ServedLens;
  ask: Pick<Ask, 'query' | 'certifiedRun'>;
}
function casesOf(old: AskedLens, next: AskedLens, { wanted }: PreparedProject, context: () => AskContext): Case[] {
  const lens = old.served.name;
  const runs = ({ served, ask }: AskedLens, id: string) => {
    const entry = served.certified.get(id);
    return entry && Object.keys(entry.parameters).length === 0
      ? () => ask.certifiedRun(context(), lens, id, { format: 'structured' })
      : null;
  };
  const certified = [...new Set([...old.served.certified.keys(), ...next.served.certified.keys()])]
    .map((id): Case => ({ lens, kind: 'certified', id, before: runs(old, id), after: runs(next, id) }))
    .filter(({ before, after }) => before !== null && after !== null);
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
        before: () => old.ask.query(context(), lens, input),
        after: () => next.ask.query(context(), lens, input),
      };
    });
  return [...certified, ...evals];
}

async function outcomeOfAsk(ask: (() => Promise<Envelope>) | null): Promise<{ whole: unknown; shown: unknown }> {
  try {
    const { status, data, row_count, clarification } = await ask!();
    if (status !== 'answered') return outcomeOf({ status, clarification: clarification?.kind ?? null });
    const rows = (data ?? []).map((row) => Object.values(row) as JsonValue[]);
    const compared = rows.map((row) => canonicalJson(row)).sort();
    if (rows.length === 1 && rows[0]!.length === 1) return { whole: compared, shown: rows[0]![0] };
    return { whole: compared, shown: { row_count, rows: data?.slice(0, SHOWN_ROWS) } };
  } catch (error) {
    return outcomeOf({ status: 'failed', code: error instanceof Problem ? error.code : 'internal' });
  }
}
const outcomeOf = (value: unknown) => ({ whole: value, shown: value });

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
