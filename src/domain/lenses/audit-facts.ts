// Withdraws confirmed or declared facts that the data contradicts: orphaned values of a join, repeated values of a key.
// The withdrawal is an ordinary edit of the lens.
import type { FactFile } from '../../contract/files/lens-file.ts';
import { columnList, factId, joinOf } from '../../lens/model/facts.ts';
import type { Lens, LensFact, LensRelationship } from '../../lens/model/lens.ts';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import type { Actor } from '../audit/audited.ts';
import type { Warehouse } from '../ports.ts';
import { joinedValues, readingFor, repeatedRows } from '../profiling/fact-evidence.ts';
import { editFile, readLensFile } from '../project/files/read-files.ts';
import type { YamlSet } from '../project/files/rewrite-yaml.ts';
import { membersAt } from './confirm-facts.ts';
import { type EditLensDeps, editLensText } from './edit-lens.ts';

export type AuditDeps = EditLensDeps & { clock: Clock };
interface ContradictedFact {
  fact: Pick<LensFact, 'kind' | 'of' | 'says'>;
  pointer: string;
  why: string;
}

export async function auditFacts(
  deps: AuditDeps,
  actor: Actor,
  lens: Lens,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<{ pointer: string; message: string }[]> {
  const found = (await contradictions(lens, warehouse, signal)).filter(
    (contradiction) => listedFact(lens, contradiction.fact)?.origin !== 'inferred',
  );
  if (found.length === 0) return [];
  const ids = found.map(({ fact }) => factId(lens, fact));
  const outcome = await withdrawFacts(deps, actor, lens, found).then(
    () =>
      'svc withdrew its confirmation. Answers that depend on it are partial until you correct the data or the lens.',
    (fault: unknown) => {
      if (!(fault instanceof Problem)) throw fault;
      return `svc could not withdraw its confirmation: ${fault.message}`;
    },
  );
  return found.map(({ pointer, why }, index) => ({
    pointer,
    message: `${ids[index]}: ${why}. ${outcome}`,
  }));
}

const listedFact = (lens: Lens, { kind, of, says }: ContradictedFact['fact']): LensFact | undefined =>
  lens.facts?.find((fact) => fact.kind === kind && fact.of === of && fact.says === says);

async function contradictions(lens: Lens, warehouse: Warehouse, signal: AbortSignal): Promise<ContradictedFact[]> {
  const reading = readingFor(warehouse, signal);
  const keyed = new Map(
    [
      ...lens.datasets.map(({ name, primaryKey }) => ({ dataset: name, columns: primaryKey })),
      ...lens.relationships.map(({ to }) => to),
    ].map((key) => [JSON.stringify([key.dataset, ...key.columns.toSorted()]), key]),
  );
  const keys = [...keyed].filter(([, { columns }]) => columns.length > 0);
  const repeated = new Map(
    await inParallel(keys, 4, async ([id, { dataset, columns }]): Promise<[string, number]> => {
      signal.throwIfAborted();
      return [id, (await repeatedRows(lens, dataset, columns, reading)) ?? 0];
    }),
  );
  const repeats = (dataset: string, columns: string[]): string | null => {
    const rows = repeated.get(JSON.stringify([dataset, ...columns.toSorted()])) ?? 0;
    return rows > 0 ? `${rows} rows of ${dataset} repeat a value of ${columns.join(', ')}` : null;
  };
  const ofKeys = lens.datasets.flatMap(({ name, primaryKey }): ContradictedFact[] => {
    const why = repeats(name, primaryKey);
    const fact = { kind: 'key' as const, of: name, says: columnList(primaryKey.join()) };
    return why === null ? [] : [{ fact, pointer: `/datasets/${name}/primary_key`, why }];
  });
  const ofJoins = await inParallel([...lens.relationships.entries()], 4, async ([index, relationship]) => {
    signal.throwIfAborted();
    const fact = { kind: 'join' as const, ...joinOf(relationship) };
    const why =
      repeats(relationship.to.dataset, relationship.to.columns) ??
      (await orphanedValues(lens, relationship, fact, reading));
    return why === null ? [] : [{ fact, pointer: `/relationships/${index}`, why }];
  });
  return [...ofKeys, ...ofJoins.flat()];
}

async function orphanedValues(
  lens: Lens,
  join: LensRelationship,
  fact: ContradictedFact['fact'],
  reading: ReturnType<typeof readingFor>,
): Promise<string | null> {
  // A person who confirmed the join after its withdrawal has accepted the orphaned values.
  if (listedFact(lens, fact)?.withdrawn !== undefined) return null;
  const values = await joinedValues(lens, join, reading);
  return values && values.held < values.checked
    ? `${values.checked - values.held} of ${values.checked} values of ${fact.of} are not in ${fact.says}`
    : null;
}

async function withdrawFacts(
  deps: AuditDeps,
  actor: Actor,
  lens: Lens,
  found: readonly ContradictedFact[],
): Promise<void> {
  const today = deps.clock.now().toISOString().slice(0, 10);
  const change = async (text: string): Promise<string> => {
    const { value: file } = await readLensFile(actor.orgId, lens.name, text);
    if (!file) throw new Problem('conflict', 'The lens.yaml can’t be read. Check the lens.');
    const added: FactFile[] = [];
    const sets = found.flatMap(({ fact, why }): YamlSet[] => {
      const mark = listedFact(lens, fact);
      const doubt = {
        origin: 'inferred' as const,
        evidence: `audit of ${today}: ${why}`.slice(0, 500),
        withdrawn: today,
      };
      if (mark) return membersAt(file, mark, { ...doubt, by: undefined, at: undefined });
      added.push({ ...fact, ...doubt });
      return [];
    });
    const appended = added.map((value, index) => ({ at: ['facts', file.facts.length + index], value }));
    return (await editFile(actor.orgId, text, { set: [...sets, ...appended] })) ?? text;
  };
  const ids = found.map(({ fact }) => factId(lens, fact));
  await editLensText(deps, actor, lens.name, change, {
    message: `Withdraw the confirmation of ${ids.join(', ')}`.slice(0, 200),
    action: 'lens.facts_withdrawn',
    after: { withdrawn: Object.fromEntries(found.map(({ why }, index) => [ids[index], why])) },
  });
}
