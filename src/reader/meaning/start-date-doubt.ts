// Adds a doubt if a period restricts a start date. For example, someone hired before 2023 can have worked in 2023, but
// a period on the hire date excludes that person.

import { isTemporal } from '../../contract/warehouse.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { isEventDataset, isEventName, isStartDate } from './event-datasets.ts';
import type { NameResolution, PlacedField } from './name-resolution.ts';
import type { PredicateTerm, ValueTerm } from './terms.ts';

const END_WORD_PATTERN =
  /^(?:end(?:s|ed|ing)?|cancel\w*|clos\w*|finish\w*|expir\w*|terminat\w*|resolv\w*|left|leav\w*|retir\w*|discharg\w*|churn\w*|complet\w*|until)$/;
export const STATE_FIELD_PATTERN = /(?:^|_)(?:status|state|stage|phase)$/;

/**
 * Returns true if the value is a state that can change, such as "open". Returns false for a proper name such as
 * California, which starts with a capital letter.
 */
export const isState = ({ any, features }: ValueTerm): boolean =>
  features.includes('state') &&
  any.every(({ options }) => options.length > 0 && options.every(({ field }) => STATE_FIELD_PATTERN.test(field.name)));

const isEndDateField = ({ name }: { name: string }): boolean =>
  expandAbbreviations(name)
    .split(' ')
    .some((word) => END_WORD_PATTERN.test(word));

/** Adds a doubt if a period without the name of a date restricts the start date of rows that can last. */
export function addStartDateDoubt(
  s: NameResolution,
  placedField: PlacedField,
  text: string,
  predicates: readonly PredicateTerm[],
): void {
  const { field, dataset } = placedField;
  const { name, timeField } = dataset;
  const hasEndDate = hasDateOfEnd(placedField);
  if (field.name !== timeField || !(hasEndDate || isStartDate(field))) return;
  const state = predicates.find(
    (predicate) =>
      predicate.is === 'value' &&
      predicate.value.any.every(({ options }) =>
        options.some((option) => option.dataset === name && STATE_FIELD_PATTERN.test(option.field.name)),
      ),
  );
  if (hasEndDate && state?.is === 'value') {
    s.addDoubt(
      `svc applied "${text}" to ${describeDate(placedField)}. "${state.value.text}" is the current state, not the state at that time.`,
    );
    return;
  }
  const isMetricDate = s.measureDates.some((date) => date.dataset === name && date.field === field.name);
  if (isEventName(name) || ((!hasEndDate || isMetricDate) && isEventDataset(s.vocabulary, dataset))) return;
  s.addDoubt(describeEarlierStarts(placedField, text));
}

/**
 * Adds a doubt if the question names a date in another form than the lens, and the rows can last. In "open on 1 May", a
 * word of the date opens_on describes a state, because a venue that was open on that day can have opened earlier. Only
 * the last word can differ, such as in "opening dates".
 */
export function addOtherFormDoubt(s: NameResolution, placedField: PlacedField, dateName: string, text: string): void {
  const { name, synonyms } = placedField.field;
  const listFirstWords = (title: string): string => splitWords(title).slice(0, -1).join(' ');
  const isNameAsWritten = [name, ...synonyms].some((title) => listFirstWords(title) === listFirstWords(dateName));
  if (!isNameAsWritten && hasDateOfEnd(placedField)) s.addDoubt(describeEarlierStarts(placedField, text));
}

const hasDateOfEnd = ({ field, dataset }: PlacedField): boolean =>
  dataset.fields.some(
    (item) => isTemporal(item.datatype) && !item.masked && item.name !== field.name && isEndDateField(item),
  );
const describeDate = ({ field, dataset: { name } }: PlacedField): string =>
  `the ${expandAbbreviations(field.name)} of ${name.replaceAll('_', ' ')}`;
const describeEarlierStarts = (placedField: PlacedField, text: string): string =>
  `svc applied "${text}" to ${describeDate(placedField)}. The result leaves out ${placedField.dataset.name.replaceAll('_', ' ')} that began earlier and had not ended by then.`;
