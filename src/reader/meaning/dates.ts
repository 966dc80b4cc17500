// Finds the date that a period, a grain or an event refers to.

import { isTemporal } from '../../contract/warehouse.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { isParticiple } from '../english/inflection.ts';
import { DETAIL_ROW_NOUNS, SAME_EVENT_VERBS } from '../english/words.ts';
import type { ReachablePath } from '../words/join-graph.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldText } from '../words/tokens.ts';
import { isEventDate, isStartDate } from './event-datasets.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import { isDerivedFromVerb, isEventOfOtherRows, requireEventDate } from './verbs.ts';

/**
 * Returns the date field of the event that the question names. Without such an event, returns the default date field,
 * or the only date field of the dataset.
 */
export function resolveDate(
  s: NameResolution,
  homeDataset: string,
  term: string,
  verb: string | null,
): PlacedField & { year: boolean } {
  const reachablePaths = s.listReachablePathsFrom(homeDataset).sort((a, b) => a.hops - b.hops);
  const hasMeasureDate = reachablePaths.some((item) => findMeasureDate(s, item)?.home === homeDataset);
  for (const { path, dataset: name, hops } of reachablePaths) {
    const dataset = s.vocabulary.dataset(name);
    const dates = dataset.fields.filter((field) => isTemporal(field.datatype) && !field.masked);
    const years = dataset.fields.filter((field) => field.datatype === 'integer' && isYearName(field.name));
    const namedDates = verb === null ? [] : [...dates, ...years].filter((item) => isNamedAfterVerb(item, verb));
    if (s.measureDates.length > 1 && namedDates.length === 0) rejectInterpretation('the measures have different dates');
    const measureDate = findMeasureDate(s, { path, dataset: name });
    // The date of a metric can belong to a joined dataset. For example, the metric measures tickets, and the date is
    // that of the flight.
    if (namedDates.length === 0 && hasMeasureDate && !measureDate) continue;
    const timeField = measureDate?.field ?? dataset.timeField;
    const defaultDates = dates.filter((date) => date.name === timeField);
    // If the only date isn't the date of an event, svc asks which date the question means. For example, "members in
    // 2023" could mean members who were born in 2023 or members who joined in 2023.
    const isThing = hops === 0 && namedDates.length === 0 && defaultDates.length === 0 && dates.length === 1;
    if (isThing && !isEventDate(s.vocabulary, dataset, dates[0]!)) {
      const key = `${path}.${dates[0]!.name}`;
      if (!s.ambiguities.some((ambiguity) => ambiguity.class === 'which date' && ambiguity.options[0]!.key === key))
        s.ambiguities.push({
          class: 'which date',
          term,
          options: [{ key, label: key.replaceAll('_', ' ') }],
          takenIndex: 0,
          open: true,
        });
      return { path, field: dates[0]!, dataset, year: false };
    }
    const candidates =
      namedDates.length > 0 ? namedDates : defaultDates.length > 0 ? defaultDates : dates.length > 0 ? dates : years;
    if (candidates.length === 0 || (hops > 0 && candidates !== namedDates && dates.length === 0)) continue;
    const [first, second] = candidates;
    const field = second
      ? s.pick(
          'which date',
          term,
          candidates.map((item) => ({ of: item, key: `${path}.${item.name}`, cost: 0 })),
        )
      : first!;
    if (hops === 0 && candidates === dates && !second)
      addUndeclaredDateDoubt(s, term, { path, field, dataset }, reachablePaths);
    if (hops > 0 && namedDates.length === 0 && !measureDate && !hasDateOfParent(s, homeDataset, name))
      s.addDoubt(
        `${homeDataset.replaceAll('_', ' ')} have no date of their own, so svc used the ${field.name.replaceAll('_', ' ')} of their ${name.replaceAll('_', ' ')} for "${term}".`,
      );
    if (verb !== null && namedDates.length === 0) {
      requireEventDate(s, verb, homeDataset);
      if (isEventOfOtherRows(s, verb, homeDataset)) rejectInterpretation(`${verb} refers to other rows`);
    }
    // The question "buses in 2016" could also mean the buses that existed in 2016.
    if (candidates === years && hops === 0 && isStartDate(field))
      s.addDoubt(`svc read "${term}" as the ${field.name.replaceAll('_', ' ')} of ${name.replaceAll('_', ' ')}.`);
    if (verb !== null && namedDates.length === 0 && dates.length > 1)
      s.addDoubt(`svc used ${field.name} as the date of "${verb}".`);
    return { path, field, dataset, year: !isTemporal(field.datatype) };
  }
  return rejectInterpretation(`there is no date for ${term}`);
}
/**
 * Adds a doubt if the dataset declares no default date and a joined dataset has a date. For example, if tickets declare
 * no date, "taxes of tickets by year" can mean the year of the check-in or of the flight.
 */
function addUndeclaredDateDoubt(
  s: NameResolution,
  term: string,
  { path, field }: PlacedField,
  reachablePaths: readonly ReachablePath[],
): void {
  for (const other of reachablePaths) {
    const { timeField, fields } = s.dataset(other.path);
    const date = fields.find(({ name }) => name === timeField);
    if (!date || !isEventDate(s.vocabulary, s.dataset(other.path), date)) continue;
    const [used, unused] = [`${field.name} of ${path}`, `${date.name} of ${other.path}`].map((name) =>
      name.replaceAll('_', ' '),
    );
    s.addDoubt(`svc used the ${used} for "${term}", not the ${unused}.`);
    return;
  }
}
const findMeasureDate = (
  { measureDates }: NameResolution,
  { path, dataset }: Pick<ReachablePath, 'path' | 'dataset'>,
): NameResolution['measureDates'][number] | undefined =>
  measureDates.find((date) => date.dataset === path || date.dataset === dataset);
/**
 * Returns true if the rows are parts of a record and therefore have its date. For example, order lines have the date of
 * their order.
 */
function hasDateOfParent(s: NameResolution, path: string, parent: string): boolean {
  const { name, synonyms, primaryKey } = s.dataset(path);
  const { key, lens } = s.vocabulary;
  const parts = key(parent).split(' ');
  const isWholePart = [name, ...synonyms].some((title) => {
    const rest = key(title)
      .split(' ')
      .filter((part) => !parts.includes(part));
    return rest.length > 0 && rest.every((part) => DETAIL_ROW_NOUNS.has(part));
  });
  return (
    isWholePart ||
    (primaryKey.length > 1 &&
      lens.relationships.some(
        ({ from, to }) =>
          from.dataset === name && to.dataset === parent && from.columns.every((column) => primaryKey.includes(column)),
      ))
  );
}
function isNamedAfterVerb({ name, synonyms }: LensField, verb: string): boolean {
  return [name, ...synonyms].some((title) =>
    splitWords(title).some(
      (part) => isDerivedFromVerb(part, verb) || (SAME_EVENT_VERBS.has(part) && SAME_EVENT_VERBS.has(verb)),
    ),
  );
}
export function hasDates(s: NameResolution, path: string): boolean {
  return listDates(s, path).length > 0;
}
function listDates(s: NameResolution, path: string): LensField[] {
  return s.dataset(path).fields.filter(({ datatype, masked }) => isTemporal(datatype) && !masked);
}
export function hasEventDate(s: NameResolution, path: string, verb: string): boolean {
  return hasDateForVerb(s, path, verb) && isParticiple(verb);
}
/** Returns true if a date field of the dataset is named after the verb, in any form of the verb. */
export function hasDateForVerb(s: NameResolution, path: string, verb: string): boolean {
  return listDates(s, path).some((date) => isNamedAfterVerb(date, verb));
}
/**
 * Returns true if the default date field of the dataset is named after the verb, such as opened_on for "the tickets
 * that Acme opened".
 */
export function hasDefaultDateForVerb(s: NameResolution, path: string, verb: string): boolean {
  const { timeField } = s.dataset(path);
  return listDates(s, path).some((date) => date.name === timeField && isNamedAfterVerb(date, verb));
}
/**
 * Returns true if the state has its own date field, other than the default date field. For example, a dataset with the
 * state "cancelled" can have the field cancelled_on.
 */
export function hasDateOfState(s: NameResolution, path: string, state: string): boolean {
  const { timeField } = s.dataset(path);
  const verb = foldText(state);
  return (
    hasEventDate(s, path, verb) &&
    !listDates(s, path).some((date) => date.name === timeField && isNamedAfterVerb(date, verb))
  );
}
function isYearName(name: string): boolean {
  return splitWords(name).includes('year');
}
/** Returns true if the integer field contains years, so that groups by this field sort like periods. */
export function isYearField(s: NameResolution, path: string, field: string): boolean {
  const yearField = s.dataset(path).fields.find(({ name }) => name === field);
  return yearField?.datatype === 'integer' && isYearName(field);
}
