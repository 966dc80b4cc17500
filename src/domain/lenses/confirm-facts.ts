// Confirms or corrects inferred facts as an ordinary edit of the lens.
import type { FactFile, LensFile } from '../../contract/files/lens-file.ts';
import type { ConfirmFactsBody } from '../../contract/mgmt/facts.ts';
import { nearestNames } from '../../lens/files/project-problem.ts';
import { authoredFacts, factId, findFactJoin, normalizeFact } from '../../lens/model/facts.ts';
import type { Lens, LensFact } from '../../lens/model/lens.ts';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { createSlicer } from '../../platform/schedule/in-turns.ts';
import type { Actor } from '../audit/audited.ts';
import { countJoinedValues, countRepeatedRows, findKeyFault, queryContextFor } from '../profiling/fact-evidence.ts';
import { editFile, readLensFile } from '../project/files/read-files.ts';
import type { YamlAssignment } from '../project/files/rewrite-yaml.ts';
import type { QueryContext } from '../semantic/joins/weigh-join.ts';
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
  const hasUnlistedIds = [...(confirm === 'proven_joins' ? [] : confirm), ...Object.keys(correct)].some(
    (id) => !facts.has(id),
  );
  const writtenById = new Map(hasUnlistedIds ? authoredFacts(lens).map((fact) => [factId(lens, fact), fact]) : []);
  requireKnownIds(facts, writtenById, confirm === 'proven_joins' ? [] : confirm, Object.keys(correct));
  const joins = confirm === 'proven_joins' ? await proveJoins(deps, actor.orgId, liveLens, signal) : null;
  const correctedIds = Object.keys(correct);
  const confirmedIds = [...new Set(joins?.provenIds ?? (confirm as string[]))].filter(
    (id) => facts.get(id)!.origin === 'inferred' && !Object.hasOwn(correct, id),
  );
  const skippedFacts = joins?.left ?? [];
  if (confirmedIds.length + correctedIds.length === 0)
    return {
      version: liveLens.version,
      confirmed: confirmedIds,
      corrected: correctedIds,
      left: skippedFacts,
      warnings: [],
    };
  const signature = {
    origin: 'confirmed' as const,
    by: actor.name.slice(0, 200),
    at: deps.clock.now().toISOString().slice(0, 10),
  };
  const openQueryContext = async () => queryContextFor(await deps.warehouses.get(actor.orgId, lens.connection), signal);
  let warnings: string[] = [];
  const confirmFactsInText = async (text: string): Promise<string> => {
    const { value: file } = await readLensFile(actor.orgId, name, text);
    if (!file) throw new Problem('conflict', 'svc can’t read lens.yaml. Correct the file.');
    const corrections = await resolveCorrections(
      { lens, queryContext: openQueryContext },
      file,
      { listed: facts, authored: writtenById },
      correct,
      signature,
    );
    warnings = corrections.warnings;
    const sets = [
      ...confirmedIds.flatMap((id) =>
        toYamlAssignments(file, facts.get(id)!, { ...signature, ...(joins && { withdrawn: undefined }) }),
      ),
      ...corrections.sets,
    ];
    return (await editFile(actor.orgId, text, { set: moveRemovalsLast(sets) })) ?? text;
  };
  const summary = [
    ...(confirmedIds.length > 0 ? [`Confirm ${confirmedIds.join(', ')}`] : []),
    ...(correctedIds.length > 0 ? [`correct ${correctedIds.join(', ')}`] : []),
  ].join('; ');
  const editResult = await editLensText(deps, actor, name, confirmFactsInText, {
    message: shortenText(summary.replace(/^c/, 'C')),
    action: 'lens.facts',
    after: { confirmed: confirmedIds, corrected: correct },
  });
  return {
    ...editResult,
    confirmed: confirmedIds,
    corrected: correctedIds,
    left: skippedFacts,
    warnings: [...warnings, ...editResult.warnings],
  };
}

const MAX_REPORTED_IDS = 10; // limit of unknown ids and faulty corrections in one response
const shortenText = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 199)}…`);

type FactKey = Pick<LensFact, 'kind' | 'of' | 'says'>;
function requireKnownIds(
  facts: Map<string, LensFact>,
  writtenById: Map<string, FactKey>,
  confirm: readonly string[],
  correct: readonly string[],
): void {
  const ids = [...facts.keys()];
  const details = [
    ...confirm.map((id, index) => ({ id, path: `confirm[${index}]` })),
    ...correct.filter((id) => !writtenById.has(id)).map((id) => ({ id, path: `correct.${id}` })),
  ]
    .filter(({ id }) => !facts.has(id))
    .map(({ id, path }, index) => {
      if (writtenById.has(id))
        return {
          path,
          code: 'invalid',
          message: `"${id}" was written by the author of the lens and needs no confirmation. You can correct it.`,
        };
      // Searches for similar names only for the first ids, because each search compares a name with every id.
      const similarNames = index < MAX_REPORTED_IDS ? nearestNames(id, ids) : [];
      const nextStep =
        similarNames.length > 0
          ? `Did you mean ${similarNames.join(' or ')}?`
          : 'To list the facts, call GET /mgmt/lenses/{name}/facts.';
      return { path, code: 'unknown_name', message: `The lens has no fact "${id}". ${nextStep}` };
    });
  if (details.length > 0)
    throw new Problem(
      'invalid',
      details
        .slice(0, MAX_REPORTED_IDS)
        .map(({ message }) => message)
        .join(' '),
      {
        ...{ details, param: details[0]!.path },
      },
    );
}

interface LensQueryContext {
  lens: Lens;
  queryContext: () => Promise<QueryContext>;
}

/** Pauses between corrections, because each one searches all names of the lens. Reports only the first faults. */
async function resolveCorrections(
  { lens, queryContext }: LensQueryContext,
  file: LensFile,
  facts: { listed: Map<string, LensFact>; authored: Map<string, FactKey> },
  correct: Record<string, string | null>,
  signature: Partial<FactFile>,
): Promise<{ sets: YamlAssignment[]; warnings: string[] }> {
  const acceptedCorrections: (Exclude<Correction, { fault: string }> & { listedFact: LensFact | undefined })[] = [];
  const details: { path: string; code: string; message: string }[] = [];
  const pause = createSlicer();
  for (const [id, value] of Object.entries(correct)) {
    await pause();
    const listedFact = facts.listed.get(id);
    const fact = listedFact ?? facts.authored.get(id)!;
    const correction = await checkKey(
      { lens, queryContext },
      fact,
      correctFact(lens, file, fact, value === null ? null : value.trim()),
    );
    if ('fault' in correction) details.push({ path: `correct.${id}`, code: 'invalid', message: correction.fault });
    else acceptedCorrections.push({ ...correction, listedFact });
    if (details.length === MAX_REPORTED_IDS) break;
  }
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
  const sets = acceptedCorrections.flatMap(({ listedFact: fact, says, sets: correctionSets }) => {
    if (!fact) return correctionSets;
    const evidence = shortenText(`corrected by a person; before: ${fact.says}`);
    const members = says === null ? undefined : { ...signature, says, evidence, withdrawn: undefined };
    return [...correctionSets, ...toYamlAssignments(file, fact, members)];
  });
  return { sets, warnings: acceptedCorrections.flatMap(({ warnings = [] }) => warnings) };
}

/** A corrected key must identify the rows in the warehouse. The compiler checks the targets of joins in the same way. */
async function checkKey(
  { lens, queryContext }: LensQueryContext,
  { kind, of }: FactKey,
  correction: Correction,
): Promise<Correction> {
  if (kind !== 'key' || 'fault' in correction || correction.says === null) return correction;
  const fault = await findKeyFault(lens, of, correction.says.split(', '), await queryContext());
  if (fault) return { fault: `${fault} Name columns that identify each row.` };
  const unreadNote = `svc could not check in time whether ${correction.says} identifies the rows of ${of}.`;
  return fault === null ? correction : { ...correction, warnings: [unreadNote] };
}

const factKey = ({ kind, of, says }: Pick<LensFact, 'kind' | 'of' | 'says'>): string =>
  JSON.stringify([kind, of, says]);
const factIndexesByFile = new WeakMap<LensFile, Map<string, number>>();
function factIndexesOf(file: LensFile): Map<string, number> {
  const positions =
    factIndexesByFile.get(file) ?? new Map(file.facts.map((entry, index) => [factKey(normalizeFact(entry)), index]));
  factIndexesByFile.set(file, positions);
  return positions;
}

/** Sets these members of a fact's entry, or removes the entry if `members` is undefined. */
export function toYamlAssignments(
  file: LensFile,
  fact: LensFact,
  members: Partial<FactFile> | undefined,
): YamlAssignment[] {
  const index = factIndexesOf(file).get(factKey(fact));
  if (index === undefined)
    throw new Problem(
      'conflict',
      `The entry of ${fact.kind} ${fact.of} was just changed by someone else. List the facts again.`,
    );
  if (!members) return [{ at: ['facts', index], value: undefined }];
  return Object.entries(members).map(([member, value]) => ({ at: ['facts', index, member], value }));
}

/** Moves removals from a list to the end, highest index first, so that the other positions stay valid. */
export function moveRemovalsLast(sets: readonly YamlAssignment[]): YamlAssignment[] {
  const isRemoval = ({ at, value }: YamlAssignment): boolean => value === undefined && typeof at.at(-1) === 'number';
  return [
    ...sets.filter((set) => !isRemoval(set)),
    ...sets.filter(isRemoval).sort((a, b) => (b.at.at(-1) as number) - (a.at.at(-1) as number)),
  ];
}

/**
 * Checks inferred joins against the warehouse again. Each value of the many side must exist exactly once on the one
 * side.
 */
async function proveJoins(
  deps: FactsDeps,
  orgId: string,
  { lens }: ServedLens,
  signal: AbortSignal,
): Promise<{ provenIds: string[]; left: ConfirmationResult['left'] }> {
  const queryContext = queryContextFor(await deps.warehouses.get(orgId, lens.connection), signal);
  const openJoins = (lens.facts ?? []).filter(({ kind, origin }) => kind === 'join' && origin === 'inferred');
  const joinChecks = await mapInParallel(openJoins, 4, async (fact) => {
    signal.throwIfAborted();
    const id = factId(lens, fact);
    const relationship = findFactJoin(lens, fact)!;
    const values = await countJoinedValues(lens, relationship, queryContext);
    const repeatedRowCount = await countRepeatedRows(
      lens,
      relationship.to.dataset,
      relationship.to.columns,
      queryContext,
    );
    if (!values || repeatedRowCount === null) return { id, why: 'svc could not read the values of this join in time.' };
    if (repeatedRowCount > 0)
      return {
        id,
        why: `${repeatedRowCount === 1 ? '1 row repeats' : `${repeatedRowCount} rows repeat`} a value of ${fact.says}.`,
      };
    const { checked, matched } = values;
    if (checked === 0) return { id, why: `${fact.of} has no values yet.` };
    return { id, why: matched < checked ? `${checked - matched} of ${checked} values are not in ${fact.says}.` : null };
  });
  return {
    provenIds: joinChecks.filter(({ why }) => why === null).map(({ id }) => id),
    left: joinChecks.flatMap(({ id, why }) => (why === null ? [] : [{ id, why }])),
  };
}
