// Adds a doubt if a period restricts a start date. For example, someone hired before 2023 can have worked in 2023, but
// a period on the hire date excludes that person.

import { isTemporal } from '../../contract/warehouse.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
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

export function addStartDateDoubt(
  s: NameResolution,
  { field, dataset }: PlacedField,
  text: string,
  predicates: readonly PredicateTerm[],
): void {
  const { name, timeField, fields } = dataset;
  if (field.name !== timeField || !isStartDate(field)) return;
  const dateName = `the ${expandAbbreviations(field.name)} of ${name.replaceAll('_', ' ')}`;
  const hasEndDate = fields.some(
    (item) => isTemporal(item.datatype) && !item.masked && item.name !== field.name && isEndDateField(item),
  );
  const state = predicates.find(
    (predicate) =>
      predicate.is === 'value' &&
      predicate.value.any.every(({ options }) =>
        options.some((option) => option.dataset === name && STATE_FIELD_PATTERN.test(option.field.name)),
      ),
  );
  if (hasEndDate && state?.is === 'value') {
    s.addDoubt(
      `svc applied "${text}" to ${dateName}. "${state.value.text}" is the current state, not the state at that time.`,
    );
    return;
  }
  const isMetricDate = s.measureDates.some((date) => date.dataset === name && date.field === field.name);
  if (isEventName(name) || ((!hasEndDate || isMetricDate) && isEventDataset(s.vocabulary, dataset))) return;
  s.addDoubt(
    `svc applied "${text}" to ${dateName}. The result leaves out ${name.replaceAll('_', ' ')} that began earlier and had not ended by then.`,
  );
}
