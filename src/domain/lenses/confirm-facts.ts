// Confirms or corrects inferred facts as an ordinary edit of the lens.
import type { z } from 'zod';
import type { FactFile, LensFile } from '../../contract/files/lens-file.ts';
import type { ConfirmFactsBody, confirmationResultSchema } from '../../contract/mgmt/lenses.ts';
import type { ProblemDetail } from '../../contract/problem.ts';
import {
  createFactId,
  type FactClaim,
  findFactJoin,
  listAuthoredFacts,
  normalizeFact,
} from '../../lens/model/facts.ts';
import type { Lens, LensFact } from '../../lens/model/lens.ts';
import type { Clock } from '../../platform/clock.ts';
import { findClosestNames } from '../../platform/closest-names.ts';
import { memoize } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import type { Actor } from '../audit/audit-log.ts';
import {
  countJoinedValues,
  countRepeatedRows,
  createQueryContext,
  describeRepeatedRows,
  findKeyFault,
} from '../profiling/fact-evidence.ts';
import type { YamlAssignment } from '../project/files/rewrite-yaml.ts';
import type { QueryContext } from '../semantic/joins/measure-join.ts';
import { type Correction, correctFact } from './correct-fact.ts';
import { type EditLensDeps, editLensFile } from './edit-lens.ts';
import { getLiveLens } from './get-live-lens.ts';
import type { LiveLens, LiveLenses } from './lens-repository.ts';

export type FactsDeps = EditLensDeps & { lenses: LiveLenses; clock: Clock };
export type ConfirmationResult = Omit<z.infer<typeof confirmationResultSchema>, 'lens'>;

export async function confirmFacts(
  deps: FactsDeps,
  actor: Actor,
  name: string,
  { confirm = [], correct = {} }: ConfirmFactsBody,
  signal: AbortSignal,
): Promise<ConfirmationResult> {
  const liveLens = await getLiveLens(deps.lenses, actor.orgId, name);
  const { lens } = liveLens;
  const facts = new Map((lens.facts ?? []).map((fact) => [createFactId(lens, fact), fact]));
  const namedIds = confirm === 'proven_joins' ? [] : confirm;
  const corrected = Object.keys(correct);
  const hasUnlistedIds = [...namedIds, ...corrected].some((id) => !facts.has(id));
  const writtenById = new Map(
    hasUnlistedIds ? listAuthoredFacts(lens).map((fact) => [createFactId(lens, fact), fact]) : [],
  );
  requireKnownIds(facts, writtenById, namedIds, corrected);
  const joins = confirm === 'proven_joins' ? await proveJoins(deps, actor.orgId, liveLens, signal) : null;
  const confirmed = [...new Set(joins?.provenIds ?? namedIds)].filter(
    (id) => facts.get(id)!.origin === 'inferred' && !Object.hasOwn(correct, id),
  );
  const left = joins?.left ?? [];
  if (confirmed.length + corrected.length === 0)
    return { version: liveLens.version, confirmed, corrected, left, warnings: [] };
  const signature = {
    origin: 'confirmed' as const,
    by: actor.name.slice(0, 200),
    at: deps.clock.now().toISOString().slice(0, 10),
  };
  const queryContext = async () => createQueryContext(await deps.warehouses.get(actor.orgId, lens.connection), signal);
  let warnings: string[] = [];
  const assignFacts = async (file: LensFile): Promise<YamlAssignment[]> => {
    const known = { listed: facts, authored: writtenById };
    const corrections = await resolveCorrections({ lens, queryContext }, file, known, correct, signature);
    warnings = corrections.warnings;
    const confirmation = { ...signature, ...(joins && { withdrawn: undefined }) };
    const confirmations = confirmed.flatMap((id) => toYamlAssignments(file, facts.get(id)!, confirmation));
    return sortRemovalsLast([...confirmations, ...corrections.sets]);
  };
  const summary = [
    ...(confirmed.length > 0 ? [`Confirm ${confirmed.join(', ')}`] : []),
    ...(corrected.length > 0 ? [`correct ${corrected.join(', ')}`] : []),
  ].join('; ');
  const editResult = await editLensFile(deps, actor, name, assignFacts, {
    message: shortenText(summary.replace(/^c/, 'C')),
    action: 'lens.facts',
    after: { confirmed, corrected: correct },
  });
  return { ...editResult, confirmed, corrected, left, warnings: [...warnings, ...editResult.warnings] };
}

const MAX_REPORTED_IDS = 10;
const shortenText = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 199)}…`);

function requireKnownIds(
  facts: Map<string, LensFact>,
  writtenById: Map<string, FactClaim>,
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
          message: `"${id}" was written by the author of the lens and needs no confirmation. You can still correct the fact.`,
        };
      // Each search compares a name with every id, so only the first ids get suggestions.
      const similarNames = index < MAX_REPORTED_IDS ? findClosestNames(id, ids) : [];
      const nextStep =
        similarNames.length > 0
          ? `Did you mean ${similarNames.join(' or ')}?`
          : 'To list the facts, call GET /mgmt/lenses/{name}/facts.';
      return { path, code: 'unknown_name', message: `The lens has no fact "${id}". ${nextStep}` };
    });
  if (details.length > 0) throw createFaultyFactsProblem(details);
}

const createFaultyFactsProblem = (details: ProblemDetail[]): Problem => {
  const messages = details.slice(0, MAX_REPORTED_IDS).map(({ message }) => message);
  return new Problem('invalid', messages.join(' '), { details, param: details[0]!.path });
};

interface LensQueryContext {
  lens: Lens;
  queryContext: () => Promise<QueryContext>;
}

/** Pauses between corrections, because each one searches all names of the lens. */
async function resolveCorrections(
  { lens, queryContext }: LensQueryContext,
  file: LensFile,
  facts: { listed: Map<string, LensFact>; authored: Map<string, FactClaim> },
  correct: Record<string, string | null>,
  signature: Partial<FactFile>,
): Promise<{ sets: YamlAssignment[]; warnings: string[] }> {
  const acceptedCorrections: (Exclude<Correction, { fault: string }> & { listedFact: LensFact | undefined })[] = [];
  const details: ProblemDetail[] = [];
  const pause = createYieldIfDue();
  for (const [id, value] of Object.entries(correct)) {
    await pause();
    const listedFact = facts.listed.get(id);
    const fact = listedFact ?? facts.authored.get(id)!;
    const requestedCorrection = correctFact(lens, file, fact, value === null ? null : value.trim());
    const correction = await checkKey({ lens, queryContext }, fact, requestedCorrection);
    if ('fault' in correction) details.push({ path: `correct.${id}`, code: 'invalid', message: correction.fault });
    else acceptedCorrections.push({ ...correction, listedFact });
    if (details.length === MAX_REPORTED_IDS) break;
  }
  if (details.length > 0) throw createFaultyFactsProblem(details);
  const sets = acceptedCorrections.flatMap(({ listedFact: fact, says, sets: correctionSets }) => {
    if (!fact) return correctionSets;
    const evidence = shortenText(`corrected by a person; before: ${fact.says}`);
    const members = says === null ? undefined : { ...signature, says, evidence, withdrawn: undefined };
    return [...correctionSets, ...toYamlAssignments(file, fact, members)];
  });
  return { sets, warnings: acceptedCorrections.flatMap(({ warnings = [] }) => warnings) };
}

/** A corrected key must identify the rows in the warehouse, like the target of a join. */
async function checkKey(
  { lens, queryContext }: LensQueryContext,
  { kind, of }: FactClaim,
  correction: Correction,
): Promise<Correction> {
  if (kind !== 'key' || 'fault' in correction || correction.says === null) return correction;
  const fault = await findKeyFault(lens, of, correction.says.split(', '), await queryContext());
  if (fault) return { fault: `${fault} Name columns that identify each row.` };
  const unreadNote = `svc could not check in time whether ${correction.says} identifies the rows of ${of}.`;
  return fault === null ? correction : { ...correction, warnings: [unreadNote] };
}

const toFactKey = ({ kind, of, says }: FactClaim): string => JSON.stringify([kind, of, says]);
/** One change can concern thousands of facts, so the positions of their entries in the file are cached. */
const memoizeIndexes = memoize<LensFile, Map<string, number>>(1);
const indexFacts = (file: LensFile): Map<string, number> =>
  memoizeIndexes(file, '', () => new Map(file.facts.map((entry, index) => [toFactKey(normalizeFact(entry)), index])));

/** Removes the entry of the fact if `members` is undefined. */
export function toYamlAssignments(
  file: LensFile,
  fact: LensFact,
  members: Partial<FactFile> | undefined,
): YamlAssignment[] {
  const index = indexFacts(file).get(toFactKey(fact));
  if (index === undefined)
    throw new Problem(
      'conflict',
      `The entry of ${fact.kind} ${fact.of} was just changed by someone else. List the facts again.`,
    );
  if (!members) return [{ at: ['facts', index], value: undefined }];
  return Object.entries(members).map(([member, value]) => ({ at: ['facts', index, member], value }));
}

/** Removes the highest index first, so that the other positions in the list stay valid. */
export function sortRemovalsLast(sets: readonly YamlAssignment[]): YamlAssignment[] {
  const isRemoval = ({ at, value }: YamlAssignment): boolean => value === undefined && typeof at.at(-1) === 'number';
  return [
    ...sets.filter((set) => !isRemoval(set)),
    ...sets.filter(isRemoval).sort((a, b) => (b.at.at(-1) as number) - (a.at.at(-1) as number)),
  ];
}

/** Each value of the many side must exist exactly once on the one side. */
async function proveJoins(
  deps: FactsDeps,
  orgId: string,
  { lens }: LiveLens,
  signal: AbortSignal,
): Promise<{ provenIds: string[]; left: ConfirmationResult['left'] }> {
  const queryContext = createQueryContext(await deps.warehouses.get(orgId, lens.connection), signal);
  const openJoins = (lens.facts ?? []).filter(({ kind, origin }) => kind === 'join' && origin === 'inferred');
  const joinChecks = await mapInParallel(openJoins, 4, async (fact) => {
    signal.throwIfAborted();
    const id = createFactId(lens, fact);
    const relationship = findFactJoin(lens, fact)!;
    const values = await countJoinedValues(lens, relationship, queryContext);
    const { dataset, columns } = relationship.to;
    const repeatedRows = await countRepeatedRows(lens, dataset, columns, queryContext);
    if (!values || repeatedRows === null) return { id, why: 'svc could not read the values of this join in time.' };
    if (repeatedRows > 0) return { id, why: `${describeRepeatedRows(repeatedRows, dataset, columns)}.` };
    const { checked, matched } = values;
    if (checked === 0) return { id, why: `${fact.of} has no values yet.` };
    return { id, why: matched < checked ? `${checked - matched} of ${checked} values are not in ${fact.says}.` : null };
  });
  return {
    provenIds: joinChecks.filter(({ why }) => why === null).map(({ id }) => id),
    left: joinChecks.flatMap(({ id, why }) => (why === null ? [] : [{ id, why }])),
  };
}
