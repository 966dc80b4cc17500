// Finds plans that no one can mean: plans with disjoint periods, with two values of one field, or with the date of a
// different event.

import { spellOut } from '../../lens/model/name-words.ts';
import { timeFieldsOf } from '../../plan/bind/bind-measures.ts';
import { basesOf, type Condition, type FieldRef, type LensPlan, measuresOf, rowsOf } from '../../plan/lens-plan.ts';
import { isTemporal } from '../words/datatypes.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

export const hasContradiction = (plan: LensPlan, vocabulary: Vocabulary): boolean => {
  const windows = windowsOf(plan);
  return usesOtherDate(plan) || hasConflictingFilters(plan) || usesDistantDate(plan, windows, vocabulary);
};

interface Window {
  field: FieldRef;
  from: string;
  to: string;
}
const EARLIEST = '';
const LATEST = '9999';
const windowsOf = ({ filters, time }: LensPlan): Window[] => [
  ...(time ? [time] : []),
  ...filters.flatMap((filter): Window[] => {
    if (!('field' in filter) || filter.other || filter.than) return [];
    const [value] = filter.values;
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return [];
    if (filter.op === '>=' || filter.op === '>') return [{ field: filter.field, from: value, to: LATEST }];
    return filter.op === '<' || filter.op === '<=' ? [{ field: filter.field, from: EARLIEST, to: value }] : [];
  }),
];
/** Returns a message if two periods of one date field share no day. */
export const describeDisjointPeriods = (plan: LensPlan): string | null => {
  const windows = windowsOf(plan);
  const [emptyWindow] = windows.flatMap((window) =>
    windows.filter(({ field, to }) => window.from >= to && JSON.stringify(field) === JSON.stringify(window.field)),
  );
  return emptyWindow ? `No day lies in both periods of ${spellOut(emptyWindow.field.field)}. Name one period.` : null;
};
/** A field of a row has at most one value. */
const hasConflictingFilters = ({ filters }: LensPlan): boolean => {
  const nullConditions = filters.flatMap((filter) => ('field' in filter && filter.op === 'is_null' ? [filter] : []));
  const equalConditions = filters.flatMap((filter) =>
    'field' in filter && filter.op === '=' && !filter.other ? [filter] : [],
  );
  const listConditions = filters.flatMap((filter) => ('field' in filter && filter.op === 'in' ? [filter] : []));
  const isMissing = ({ field: { path, field } }: Condition): boolean =>
    nullConditions.some((item) => item.field.path === path && item.field.field === field);
  if ([...equalConditions, ...listConditions].some(isMissing)) return true;
  return equalConditions.some((item) =>
    equalConditions.some(
      ({ field: { path, field }, values }) =>
        path === item.field.path && field === item.field.field && values[0] !== item.values[0],
    ),
  );
};
/** True for "jobs closed per month" grouped by the month in which the jobs were opened. */
const usesOtherDate = ({ filters, dimensions }: LensPlan): boolean =>
  filters.some(
    (filter) =>
      'field' in filter &&
      filter.op === 'is_not_null' &&
      dimensions.some(
        ({ path, field: name, grain }) => grain && path === filter.field.path && name !== filter.field.field,
      ),
  );
/** True if a period uses a date of other rows, although the measured rows have their own or a closer date. */
const usesDistantDate = (
  { measures, having }: LensPlan,
  windows: readonly Window[],
  { lens, graph, dataset }: Vocabulary,
): boolean =>
  [...measures, ...having.flatMap(measuresOf)].flatMap(basesOf).some((base) => {
    const usualPaths = timeFieldsOf(lens, base);
    const homeDataset =
      base.fn === 'metric' ? lens.metrics.find(({ name }) => name === base.metric)?.home : rowsOf(base);
    const datedDatasets = [...graph.pathsFrom(homeDataset ?? '').values()].filter((item) =>
      dataset(item.dataset).fields.some((field) => isTemporal(field.datatype)),
    );
    const minHops = Math.min(...datedDatasets.map(({ hops }) => hops));
    const paths = usualPaths.length > 0 ? usualPaths : datedDatasets.filter(({ hops }) => hops === minHops);
    return paths.length > 0 && windows.some(({ field }) => !paths.some(({ path }) => path === field.path));
  });
