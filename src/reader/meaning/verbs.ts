// Decides whether a verb only links two entities or also restricts the rows.
import { isTemporal } from '../../contract/warehouse.ts';
import { derivesFromRoot, findStem, isParticiple, toVerbRoot } from '../english/inflection.ts';
import { CREATION_VERBS, LINKING_VERBS, RELATING_VERBS, STATE_WORDS } from '../english/words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldText } from '../words/tokens.ts';
import { type NameResolution, rejectReading } from './name-resolution.ts';

/** Returns true if the word can describe anything. */
export function isStateWord(verb: string): boolean {
  return STATE_WORDS.has(verb) || isParticiple(verb);
}
/** Returns true for a word such as "open", which describes a state and not an event in the past. */
export const isAdjective = (word: string): boolean => STATE_WORDS.has(word) && !isParticiple(word);
/** Returns true if the dataset is an object of the verb. */
export function isObjectOfVerb(s: NameResolution, verb: string, dataset: string): boolean {
  const needs = LINKING_VERBS.get(verb)?.needs;
  const { name, synonyms } = s.dataset(dataset);
  return [name, ...synonyms].flatMap(splitWords).some((part) => needs?.has(findStem(part)));
}
/**
 * Accepts a verb as a link between two entities only if it has no other meaning, or if a name in the lens matches the
 * verb or its object.
 */
export function requireVerbLink(
  s: NameResolution,
  verb: string,
  homeDataset: string,
  otherDatasets: readonly string[],
): void {
  rejectStateOfVerb(s, verb, homeDataset);
  if (RELATING_VERBS.has(verb)) return;
  if (!CREATION_VERBS.has(verb)) rejectDateOfVerb(s, verb, [homeDataset, ...otherDatasets]);
  rejectRoleOfVerb(s, verb, homeDataset, otherDatasets);
  const isOwnCondition = otherDatasets.every((other) => other === homeDataset);
  if (isOwnCondition) {
    if (isEventOfOtherRows(s, verb, homeDataset)) rejectReading(`${verb} refers to other rows`);
    if (CREATION_VERBS.has(verb)) return;
  }
  const requiredNouns = LINKING_VERBS.get(verb)?.needs;
  // Rows that refer to the subject of the verb explain the verb only if no join links the subject and the object. In
  // "customers who returned items", the returns of items say more than the items of customers.
  const isLinked = otherDatasets.some((other) => s.reaches(homeDataset, other) || s.reaches(other, homeDataset));
  const referringDatasets = isLinked ? [] : listReferringDatasets(s, homeDataset);
  // In "customers who work in Bath", the employees who serve the customers have nothing to do with "work".
  const datasets = isOwnCondition
    ? [homeDataset]
    : [
        homeDataset,
        ...s.reachablePathsFrom(homeDataset).map(({ dataset }) => dataset),
        ...referringDatasets,
        ...otherDatasets.flatMap((other) => [other, ...s.reachablePathsFrom(other).map(({ dataset }) => dataset)]),
      ];
  const names = datasets.flatMap((name) => {
    const { synonyms, fields } = s.dataset(name);
    return [name, ...synonyms, ...fields.map((field) => field.name)].flatMap(splitWords).map(findStem);
  });
  const root = toVerbRoot(verb);
  if (!names.some((name) => requiredNouns?.has(name) || derivesFromRoot(name, root)))
    rejectReading(`${verb} may restrict the rows`);
}
const listReferringDatasets = (s: NameResolution, homeDataset: string): string[] =>
  s.vocabulary.lens.datasets
    .map(({ name }) => name)
    .filter((name) => name !== homeDataset && s.reaches(name, homeDataset));
/**
 * Returns true if related rows record the action of the verb. In "customers ordered", a condition on the customers
 * alone says nothing about orders.
 */
export const isEventOfOtherRows = (s: NameResolution, verb: string, homeDataset: string): boolean =>
  !RELATING_VERBS.has(verb) &&
  !isRecordOfVerb(s, verb, homeDataset) &&
  listReferringDatasets(s, homeDataset).some((name) => isRecordOfVerb(s, verb, name));
/**
 * Returns true if the rows link two entities and record the action of the verb. Loans record "borrowed", but
 * reservations don't.
 */
export function isNamedByVerb(s: NameResolution, verb: string, dataset: string): boolean {
  return RELATING_VERBS.has(verb) || isRecordOfVerb(s, verb, dataset);
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
 * Declines "mechanics who closed no jobs", because the question is about jobs with a closing date, not just about a
 * link.
 */
function rejectDateOfVerb(s: NameResolution, verb: string, datasets: readonly string[]): void {
  for (const { fields, timeField } of datasets.map((name) => s.dataset(name)))
    for (const { name, datatype } of fields)
      if (isTemporal(datatype) && name !== timeField && splitWords(name).some((part) => isDerivedFromVerb(part, verb)))
        rejectReading(`${verb} is a date`);
}
/** Returns true if a word of the name derives from the verb: "shipped" matches the field ship_mode. */
export function hasWordDerivedFromVerb(name: string, verb: string): boolean {
  return splitWords(name).some((part) => isDerivedFromVerb(part, verb));
}
/**
 * Returns true if the word is another form of the verb or a noun that derives from the verb. "Scanned" matches the verb
 * scan, and "shipment" matches ship.
 */
export function isDerivedFromVerb(part: string, verb: string): boolean {
  return derivesFromRoot(part, toVerbRoot(verb)) || (isParticiple(part) && toVerbRoot(part) === toVerbRoot(verb));
}
/** Declines "claims filed by the machine" if claims refer to the clerk who filed them. */
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
      if (![homeDataset, ...otherDatasets].includes(to.dataset)) rejectReading(`${verb} is the name of a role`);
}
/** Declines a verb whose event has no date in the lens, unless the verb is one for the creation of an entity. */
export function requireEventDate(s: NameResolution, verb: string, homeDataset: string): void {
  rejectStateOfVerb(s, verb, homeDataset);
  if (!CREATION_VERBS.has(verb)) rejectReading(`no date field records when rows were ${verb}`);
}
/**
 * Declines "shares bought" if a field has the value "buy", because "bought" could then mean only the rows with that
 * value.
 */
export function rejectStateOfVerb(s: NameResolution, verb: string, homeDataset: string): void {
  const root = toVerbRoot(verb);
  if (root.length < 3) return;
  for (const { dataset } of s.reachablePathsFrom(homeDataset))
    for (const field of s.vocabulary.dataset(dataset).fields)
      if (
        (field.datatype === 'boolean' && splitWords(field.name).some((part) => toVerbRoot(part) === root)) ||
        ((field.dictionary?.values.length ?? 0) <= 50 &&
          field.dictionary?.values.some(({ value }) => toVerbRoot(foldText(value)) === root))
      )
        rejectReading(`${verb} is a value of ${field.name}`);
}
