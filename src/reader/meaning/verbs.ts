// Decides whether a verb only links two entities or also restricts the rows.
import { isTemporal } from '../../contract/warehouse.ts';
import { derivesFromRoot, findStem, isParticiple, toVerbRoot } from '../english/inflection.ts';
import { CREATION_VERBS, LINKING_VERBS, RECORDING_VERBS, RELATING_VERBS, STATE_WORDS } from '../english/words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldText } from '../words/tokens.ts';
import { isEventDataset } from './event-datasets.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';

/** Returns true if the word can describe any kind of entity, such as "active" or "cancelled". */
export function isStateWord(verb: string): boolean {
  return STATE_WORDS.has(verb) || isParticiple(verb);
}
/** Returns true for an adjective such as "active", which describes a state and not a past event. */
export const isAdjective = (word: string): boolean => STATE_WORDS.has(word) && !isParticiple(word);
/** Returns true if the dataset can be the object of the verb, as orders can be for "placed". */
export function isObjectOfVerb(s: NameResolution, verb: string, dataset: string): boolean {
  const needs = LINKING_VERBS.get(verb)?.needs;
  const { name, synonyms } = s.dataset(dataset);
  return [name, ...synonyms].flatMap(splitWords).some((part) => needs?.has(findStem(part)));
}
/**
 * Rejects the interpretation if the verb may restrict rows. A verb is only a link if it has no other meaning, or if a
 * name in the lens matches the verb or its object.
 */
export function requireVerbLink(
  s: NameResolution,
  verb: string,
  homeDataset: string,
  otherDatasets: readonly string[],
): void {
  noteLinkingVerb(s, verb, homeDataset, otherDatasets);
  rejectStateOfVerb(s, verb, homeDataset);
  if (RELATING_VERBS.has(verb)) return;
  if (!CREATION_VERBS.has(verb)) rejectDateOfVerb(s, verb, [homeDataset, ...otherDatasets]);
  rejectRoleOfVerb(s, verb, homeDataset, otherDatasets);
  const isOwnCondition = otherDatasets.every((other) => other === homeDataset);
  if (isOwnCondition) {
    if (isEventOfOtherRows(s, verb, homeDataset)) rejectInterpretation(`${verb} refers to other rows`);
    if (CREATION_VERBS.has(verb)) return;
  }
  const requiredNouns = LINKING_VERBS.get(verb)?.needs;
  // Rows that refer to the subject can explain the verb only if no join links the subject and the object. For example,
  // "customers who returned items" means the returns of items, not the items of customers.
  const isLinked = otherDatasets.some((other) => s.reaches(homeDataset, other) || s.reaches(other, homeDataset));
  const referringDatasets = isLinked ? [] : listReferringDatasets(s, homeDataset);
  // If the condition is about the subject itself, only the subject's own fields can explain the verb. For example,
  // "customers who work in Bath" has nothing to do with the employees who serve the customers.
  const datasets = isOwnCondition
    ? [homeDataset]
    : [
        homeDataset,
        ...s.listReachablePathsFrom(homeDataset).map(({ dataset }) => dataset),
        ...referringDatasets,
        ...otherDatasets.flatMap((other) => [other, ...s.listReachablePathsFrom(other).map(({ dataset }) => dataset)]),
      ];
  const names = datasets.flatMap((name) => {
    const { synonyms, fields } = s.dataset(name);
    return [name, ...synonyms, ...fields.map((field) => field.name)].flatMap(splitWords).map(findStem);
  });
  const root = toVerbRoot(verb);
  if (!names.some((name) => requiredNouns?.has(name) || derivesFromRoot(name, root)))
    rejectInterpretation(`${verb} may restrict the rows`);
}
/** Notes that svc took a verb as a mere link, and which of the datasets can be the rows that the verb describes. */
export function noteLinkingVerb(
  s: NameResolution,
  verb: string,
  homeDataset: string,
  otherDatasets: readonly string[],
): void {
  const isPast = isParticiple(verb) || s.questionWords.has('did');
  if (!isPast || [RELATING_VERBS, CREATION_VERBS, RECORDING_VERBS].some((verbs) => verbs.has(verb))) return;
  for (const name of new Set([homeDataset, ...otherDatasets])) {
    const dataset = s.dataset(name);
    const isRecord = isRecordOfVerb(s, verb, name);
    const isEvent = isEventDataset(s.vocabulary, dataset);
    if (name === homeDataset ? isRecord || isEvent : isRecord && isEvent) s.linkingVerbs.push({ verb, dataset });
  }
}
const listReferringDatasets = (s: NameResolution, homeDataset: string): string[] =>
  s.vocabulary.lens.datasets
    .map(({ name }) => name)
    .filter((name) => name !== homeDataset && s.reaches(name, homeDataset));
/**
 * Returns true if only related rows record the action of the verb. For example, only the orders record the action in
 * "customers ordered".
 */
export const isEventOfOtherRows = (s: NameResolution, verb: string, homeDataset: string): boolean =>
  !RELATING_VERBS.has(verb) &&
  !isRecordOfVerb(s, verb, homeDataset) &&
  listReferringDatasets(s, homeDataset).some((name) => isRecordOfVerb(s, verb, name));
/**
 * Returns true if the verb only links entities, or if the rows record its action. For example, loans record "borrowed",
 * but reservations don't.
 */
export function canLinkByVerb(s: NameResolution, verb: string, dataset: string): boolean {
  return RELATING_VERBS.has(verb) || isRecordOfVerb(s, verb, dataset);
}
/**
 * Rejects a verb that says something else about the values of a field than the rows with these values. For example, if
 * only complaints name customers, they don't record which customers bought a product.
 */
export function requireRecordedVerb(
  s: NameResolution,
  verb: string,
  { home, by }: { home: string; by?: PlacedField },
): void {
  if (by && !canLinkByVerb(s, verb, home)) rejectInterpretation(`the rows don't record what ${verb} means`);
}
function isRecordOfVerb(s: NameResolution, verb: string, dataset: string): boolean {
  const { forms, needs } = LINKING_VERBS.get(verb) ?? {};
  const { name, synonyms } = s.dataset(dataset);
  const root = toVerbRoot(verb);
  return [name, ...synonyms]
    .flatMap(splitWords)
    .some((part) => forms?.has(part) || needs?.has(findStem(part)) || derivesFromRoot(findStem(part), root));
}
/**
 * Rejects a verb that names a date of the object. For example, "mechanics who closed no jobs" asks for jobs with a
 * closing date, not for any link between mechanics and jobs.
 */
function rejectDateOfVerb(s: NameResolution, verb: string, datasets: readonly string[]): void {
  for (const { fields, timeField } of datasets.map((name) => s.dataset(name)))
    for (const { name, datatype } of fields)
      if (isTemporal(datatype) && name !== timeField && splitWords(name).some((part) => isDerivedFromVerb(part, verb)))
        rejectInterpretation(`${verb} is a date`);
}
/** Returns true if a word in the name derives from the verb. For example, "shipped" matches ship_mode. */
export function hasWordDerivedFromVerb(name: string, verb: string): boolean {
  return splitWords(name).some((part) => isDerivedFromVerb(part, verb));
}
/**
 * Returns true if the word is another form of the verb, or a noun that derives from the verb. For example, "scanned"
 * matches scan, and "shipped" matches shipment.
 */
export function isDerivedFromVerb(part: string, verb: string): boolean {
  return derivesFromRoot(part, toVerbRoot(verb)) || (isParticiple(part) && toVerbRoot(part) === toVerbRoot(verb));
}
/**
 * Rejects a verb that names a role whose dataset the question doesn't mention. An example is "claims filed by the
 * machine", if claims refer to the clerk who filed them.
 */
function rejectRoleOfVerb(
  s: NameResolution,
  verb: string,
  homeDataset: string,
  otherDatasets: readonly string[],
): void {
  const root = toVerbRoot(verb);
  for (const { role, named, from, to } of s.vocabulary.lens.relationships)
    if (
      named &&
      [homeDataset, ...otherDatasets].includes(from.dataset) &&
      splitWords(role).some((part) => derivesFromRoot(part, root))
    )
      if (![homeDataset, ...otherDatasets].includes(to.dataset)) rejectInterpretation(`${verb} is the name of a role`);
}
/** Rejects a verb whose event has no date in the lens, unless the verb describes the creation of an entity. */
export function requireEventDate(s: NameResolution, verb: string, homeDataset: string): void {
  rejectStateOfVerb(s, verb, homeDataset);
  if (!CREATION_VERBS.has(verb)) rejectInterpretation(`no date field records when rows were ${verb}`);
}
/**
 * Rejects a verb that is also a stored value. For example, "shares bought" could mean only the rows with the value
 * "buy".
 */
export function rejectStateOfVerb(s: NameResolution, verb: string, homeDataset: string): void {
  const root = toVerbRoot(verb);
  if (root.length < 3) return;
  for (const { dataset } of s.listReachablePathsFrom(homeDataset))
    for (const field of s.vocabulary.dataset(dataset).fields)
      if (
        (field.datatype === 'boolean' && splitWords(field.name).some((part) => toVerbRoot(part) === root)) ||
        ((field.dictionary?.values.length ?? 0) <= 50 &&
          field.dictionary?.values.some(({ value }) => toVerbRoot(foldText(value)) === root))
      )
        rejectInterpretation(`${verb} is a value of ${field.name}`);
}
