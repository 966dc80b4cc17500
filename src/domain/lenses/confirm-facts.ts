// Confirms or corrects inferred facts as an ordinary edit of the lens.
import type { FactFile, LensFile } from '../../contract/files/lens-file.ts';
import type { ConfirmFactsBody } from '../../contract/mgmt/facts.ts';
import { nearestNames } from '../../lens/files/project-problem.ts';
import { factId, factsWritten, joinFor, normalFact } from '../../lens/model/facts.ts';
import type { Lens, LensFact } from '../../lens/model/lens.ts';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import { slices } from '../../platform/schedule/in-turns.ts';
import type { Actor } from '../audit/audited.ts';
import { joinedValues, readingFor, repeatedRows } from '../profiling/fact-evidence.ts';
import { editFile, readLensFile } from '../project/files/read-files.ts';
import type { YamlSet } from '../project/files/rewrite-yaml.ts';
import { type Correction, correctFact } from './correct-fact.ts';
import { type EditLensDeps, editLensText } from './edit-lens.ts';
import { getServedLens } from './get-served-lens.ts';
import type { ServedLens, ServedLenses } from './lens-repository.ts';

export type FactsDeps = EditLensDeps & { lenses: ServedLenses; clock: Clock };
export interface ConfirmationResult {
  version: number;
  confirmed: string[];
  corrected: string[];
  left: { id: string; why: string }[];
  warnings: string[];
}

export async function confirmFacts(
  deps: FactsDeps,
  actor: Actor,
  name: string,
  { confirm = [], correct = {} }: ConfirmFactsBody,
  signal: AbortSignal,
): Promise<ConfirmationResult> {
  const liveLens = await getServedLens(deps.lenses, actor.orgId, name);
  const { lens } = liveLens;
  const facts = new Map((lens.facts ?? []).map((fact) => [factId(lens, fact), fact]));
  const hasUnknown = [...(confirm === 'proven_joins' ? [] : confirm), ...Object.keys(correct)].some(
    (id) => !facts.has(id),
  );
  const written = new Map(hasUnknown ? factsWritten(lens).map((fact) => [factId(lens, fact), fact]) : []);
  requireKnown(facts, written, confirm === 'proven_joins' ? [] : confirm, Object.keys(correct));
  const joins = confirm === 'proven_joins' ? await provenJoins(deps, actor.orgId, liveLens, signal) : null;
  const corrected = Object.keys(correct);
  const confirmed = [...new Set(joins?.proven ?? (confirm as string[]))].filter(
    (id) => facts.get(id)!.origin === 'inferred' && !Object.hasOwn(correct, id),
  );
  const left = joins?.left ?? [];
  if (confirmed.length + corrected.length === 0)
    return { version: liveLens.version, confirmed, corrected, left, warnings: [] };
  const signed = {
    origin: 'confirmed' as const,
    by: actor.name.slice(0, 200),
    at: deps.clock.now().toISOString().slice(0, 10),
  };
  let warnings: string[] = [];
  const change = async (text: string): Promise<string> => {
    const { value: file } = await readLensFile(actor.orgId, name, text);
    if (!file) throw new Problem('conflict', 'The lens.yaml can’t be read. Check the lens.');
    const corrections = await correctionsOf(lens, file, { marked: facts, written }, correct, signed);
    warnings = corrections.warnings;
    const sets = [
      ...confirmed.flatMap((id) =>
        membersAt(file, facts.get(id)!, { ...signed, ...(joins && { withdrawn: undefined }) }),
      ),
      ...corrections.sets,
    ];
    return (await editFile(actor.orgId, text, { set: inOrder(sets) })) ?? text;
  };
  const summary = [
    ...(confirmed.length > 0 ? [`Confirm ${confirmed.join(', ')}`] : []),
    ...(corrected.length > 0 ? [`correct ${corrected.join(', ')}`] : []),
  ].join('; ');
  const edited = await editLensText(deps, actor, name, change, {
    message: shortened(summary.replace(/^c/, 'C')),
    action: 'lens.facts',
    after: { confirmed, corrected: correct },
  });
  return { ...edited, confirmed, corrected, left, warnings: [...warnings, ...edited.warnings] };
}

const LOOKED_FOR = 10; // unknown ids and faulty corrections in one response
const shortened = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 199)}…`);

type FactKey = Pick<LensFact, 'kind' | 'of' | 'says'>;
function requireKnown(
  facts: Map<string, LensFact>,
  written: Map<string, FactKey>,
  confirm: readonly string[],
  correct: readonly string[],
): void {
  const ids = [...facts.keys()];
  const details = [
    ...confirm.map((id, index) => ({ id, path: `confirm[${index}]` })),
    ...correct.filter((id) => !written.has(id)).map((id) => ({ id, path: `correct.${id}` })),
  ]
    .filter(({ id }) => !facts.has(id))
    .map(({ id, path }, index) => {
      if (written.has(id))
        return {
          path,
          code: 'invalid',
          message: `"${id}" was written by the author of the lens and needs no confirmation. You can correct it.`,
        };
      // Finding similar names compares with every id.
      const similarNames = index < LOOKED_FOR ? nearestNames(id, ids) : [];
      const next =
        similarNames.length > 0
          ? `Did you mean ${similarNames.join(' or ')}?`
          : 'GET /mgmt/lenses/{name}/facts lists them.';
      return { path, code: 'unknown_name', message: `The lens lists no fact "${id}". ${next}` };
    });
  if (details.length > 0)
    throw new Problem(
      'invalid',
      details
        .slice(0, LOOKED_FOR)
        .map(({ message }) => message)
        .join(' '),
      {
        ...{ details, param: details[0]!.path },
      },
    );
}

/** Pauses between corrections, because each searches all names of the lens. Reports only the first faults. */
async function correctionsOf(
  lens: Lens,
  file: LensFile,
  facts: { marked: Map<string, LensFact>; written: Map<string, FactKey> },
  correct: Record<string, string | null>,
  signed: Partial<FactFile>,
): Promise<{ sets: YamlSet[]; warnings: string[] }> {
  const accepted: (Exclude<Correction, { fault: string }> & { marked: LensFact | undefined })[] = [];
  const details: { path: string; code: string; message: string }[] = [];
  const slice = slices();
  for (const [id, value] of Object.entries(correct)) {
    await slice();
    const marked = facts.marked.get(id);
    const correction = correctFact(lens, file, marked ?? facts.written.get(id)!, value === null ? null : value.trim());
    if ('fault' in correction) details.push({ path: `correct.${id}`, code: 'invalid', message: correction.fault });
    else accepted.push({ ...correction, marked });
    if (details.length === LOOKED_FOR) break;
  }
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
  const sets = accepted.flatMap(({ marked: fact, says, sets: correctionSets }) => {
    if (!fact) return correctionSets;
    const evidence = shortened(`corrected by a person; before: ${fact.says}`);
    const members = says === null ? undefined : { ...signed, says, evidence, withdrawn: undefined };
    return [...correctionSets, ...membersAt(file, fact, members)];
  });
  return { sets, warnings: accepted.flatMap(({ warnings = [] }) => warnings) };
}

const factKey = ({ kind, of, says }: Pick<LensFact, 'kind' | 'of' | 'says'>): string =>
  JSON.stringify([kind, of, says]);
const placesByFile = new WeakMap<LensFile, Map<string, number>>();
function placesOf(file: LensFile): Map<string, number> {
  const positions =
    placesByFile.get(file) ?? new Map(file.facts.map((entry, index) => [factKey(normalFact(entry)), index]));
  placesByFile.set(file, positions);
  return positions;
}

/** Undefined removes the entry. */
export function membersAt(file: LensFile, fact: LensFact, members: Partial<FactFile> | undefined): YamlSet[] {
  const index = placesOf(file).get(factKey(fact));
  if (index === undefined)
    throw new Problem(
      'conflict',
      `The entry of ${fact.kind} ${fact.of} was just changed by someone else. List the facts again.`,
    );
  if (!members) return [{ at: ['facts', index], value: undefined }];
  return Object.entries(members).map(([member, value]) => ({ at: ['facts', index, member], value }));
}

/** Removals from a list come last, from its end, so that other positions stay valid. */
export function inOrder(sets: readonly YamlSet[]): YamlSet[] {
  const leaves = ({ at, value }: YamlSet): boolean => value === undefined && typeof at.at(-1) === 'number';
  return [
    ...sets.filter((set) => !leaves(set)),
    ...sets.filter(leaves).sort((a, b) => (b.at.at(-1) as number) - (a.at.at(-1) as number)),
  ];
}

/** Reads the values of inferred joins again. Each value must exist exactly once. */
async function provenJoins(
  deps: FactsDeps,
  orgId: string,
  { lens }: ServedLens,
  signal: AbortSignal,
): Promise<{ proven: string[]; left: ConfirmationResult['left'] }> {
  const reading = readingFor(await deps.warehouses.get(orgId, lens.connection), signal);
  const open = (lens.facts ?? []).filter(({ kind, origin }) => kind === 'join' && origin === 'inferred');
  const looked = await inParallel(open, 4, async (fact) => {
    signal.throwIfAborted();
    const id = factId(lens, fact);
    const relationship = joinFor(lens, fact)!;
    const values = await joinedValues(lens, relationship, reading);
    const repeated = await repeatedRows(lens, relationship.to.dataset, relationship.to.columns, reading);
    if (!values || repeated === null) return { id, why: 'svc could not read its values in time.' };
    if (repeated > 0) return { id, why: `${fact.says} repeats in ${repeated} rows.` };
    const { checked, held } = values;
    if (checked === 0) return { id, why: `${fact.of} has no values yet.` };
    return { id, why: held < checked ? `${checked - held} of ${checked} values are not in ${fact.says}.` : null };
  });
  return {
    proven: looked.filter(({ why }) => why === null).map(({ id }) => id),
    left: looked.flatMap(({ id, why }) => (why === null ? [] : [{ id, why }])),
  };
}
