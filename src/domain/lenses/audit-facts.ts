// Withdraws confirmed or declared facts that the data contradicts. The withdrawal is an ordinary edit of the lens.
import type { FactFile, LensFile } from '../../contract/files/lens-file.ts';
import { createFactId, createJoinFact, type FactClaim, formatColumnList } from '../../lens/model/facts.ts';
import type { Lens, LensFact, LensRelationship } from '../../lens/model/lens.ts';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { Actor } from '../audit/audit-log.ts';
import type { Warehouse } from '../ports.ts';
import {
  countJoinedValues,
  countRepeatedRows,
  createQueryContext,
  describeRepeatedRows,
} from '../profiling/fact-evidence.ts';
import type { YamlAssignment } from '../project/files/rewrite-yaml.ts';
import { toYamlAssignments } from './confirm-facts.ts';
import { type EditLensDeps, editLensFile } from './edit-lens.ts';

export type FactAuditDeps = EditLensDeps & { clock: Clock };
interface ContradictedFact {
  fact: FactClaim;
  pointer: string;
  reason: string;
}

export async function auditFacts(
  deps: FactAuditDeps,
  actor: Actor,
  lens: Lens,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<{ pointer: string; message: string }[]> {
  const contradictedFacts = (await findContradictions(lens, warehouse, signal)).filter(
    (contradiction) => findListedFact(lens, contradiction.fact)?.origin !== 'inferred',
  );
  if (contradictedFacts.length === 0) return [];
  const ids = contradictedFacts.map(({ fact }) => createFactId(lens, fact));
  const outcome = await withdrawFacts(deps, actor, lens, contradictedFacts).then(
    () =>
      'svc withdrew the confirmation of this fact. Answers that depend on the fact are partial until you correct the data or the lens.',
    (fault: unknown) => {
      if (!(fault instanceof Problem)) throw fault;
      return `svc could not withdraw the confirmation of this fact: ${fault.message}`;
    },
  );
  return contradictedFacts.map(({ pointer, reason }, index) => ({
    pointer,
    message: `${ids[index]}: ${reason}. ${outcome}`,
  }));
}

const findListedFact = (lens: Lens, { kind, of, says }: ContradictedFact['fact']): LensFact | undefined =>
  lens.facts?.find((fact) => fact.kind === kind && fact.of === of && fact.says === says);

async function findContradictions(lens: Lens, warehouse: Warehouse, signal: AbortSignal): Promise<ContradictedFact[]> {
  const queryContext = createQueryContext(warehouse, signal);
  const keyByDataset = new Map(
    [
      ...lens.datasets.map(({ name, primaryKey }) => ({ dataset: name, columns: primaryKey })),
      ...lens.relationships.map(({ to }) => to),
    ].map((key) => [JSON.stringify([key.dataset, ...key.columns.toSorted()]), key]),
  );
  const keys = [...keyByDataset].filter(([, { columns }]) => columns.length > 0);
  const repeatedByDataset = new Map(
    await mapInParallel(keys, 4, async ([id, { dataset, columns }]): Promise<[string, number]> => {
      signal.throwIfAborted();
      return [id, (await countRepeatedRows(lens, dataset, columns, queryContext)) ?? 0];
    }),
  );
  const describeRepetition = (dataset: string, columns: string[]): string | null => {
    const rows = repeatedByDataset.get(JSON.stringify([dataset, ...columns.toSorted()])) ?? 0;
    return rows > 0 ? describeRepeatedRows(rows, dataset, columns) : null;
  };
  const keyContradictions = lens.datasets.flatMap(({ name, primaryKey }): ContradictedFact[] => {
    const reason = describeRepetition(name, primaryKey);
    const fact = { kind: 'key' as const, of: name, says: formatColumnList(primaryKey.join()) };
    return reason === null ? [] : [{ fact, pointer: `/datasets/${name}/primary_key`, reason }];
  });
  const joinContradictions = await mapInParallel(
    [...lens.relationships.entries()],
    4,
    async ([index, relationship]) => {
      signal.throwIfAborted();
      const fact = { kind: 'join' as const, ...createJoinFact(relationship) };
      const reason =
        describeRepetition(relationship.to.dataset, relationship.to.columns) ??
        (await describeOrphanedValues(lens, relationship, fact, queryContext));
      return reason === null ? [] : [{ fact, pointer: `/relationships/${index}`, reason }];
    },
  );
  return [...keyContradictions, ...joinContradictions.flat()];
}

async function describeOrphanedValues(
  lens: Lens,
  join: LensRelationship,
  fact: ContradictedFact['fact'],
  queryContext: ReturnType<typeof createQueryContext>,
): Promise<string | null> {
  // A person who confirmed the join after its withdrawal has accepted the orphaned values.
  if (findListedFact(lens, fact)?.withdrawn !== undefined) return null;
  const values = await countJoinedValues(lens, join, queryContext);
  return values && values.matched < values.checked
    ? `${values.checked - values.matched} of ${values.checked} values of ${fact.of} are not in ${fact.says}`
    : null;
}

async function withdrawFacts(
  deps: FactAuditDeps,
  actor: Actor,
  lens: Lens,
  contradictedFacts: readonly ContradictedFact[],
): Promise<void> {
  const today = deps.clock.now().toISOString().slice(0, 10);
  const withdraw = (file: LensFile): YamlAssignment[] => {
    const addedFacts: FactFile[] = [];
    const sets = contradictedFacts.flatMap(({ fact, reason }): YamlAssignment[] => {
      const listedFact = findListedFact(lens, fact);
      const evidence = `audit of ${today}: ${reason}`.slice(0, 500);
      const members = { origin: 'inferred' as const, evidence, withdrawn: today };
      if (listedFact) return toYamlAssignments(file, listedFact, { ...members, by: undefined, at: undefined });
      addedFacts.push({ ...fact, ...members });
      return [];
    });
    return [...sets, ...addedFacts.map((value, index) => ({ at: ['facts', file.facts.length + index], value }))];
  };
  const ids = contradictedFacts.map(({ fact }) => createFactId(lens, fact));
  await editLensFile(deps, actor, lens.name, withdraw, {
    message: `Withdraw the confirmation of ${ids.join(', ')}`.slice(0, 200),
    action: 'lens.facts_withdrawn',
    after: { withdrawn: Object.fromEntries(contradictedFacts.map(({ reason }, index) => [ids[index], reason])) },
  });
}
