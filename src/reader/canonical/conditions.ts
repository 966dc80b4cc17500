// Writes filters in the words of a question.

import { countsOf, isRelated, relatedPath } from '../../plan/filters.ts';
import type { Condition, FieldRef, Filter, Operator, Related, Scalar } from '../../plan/lens-plan.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { fieldName, noSentence, pluralName, singularName, valueText } from './names-of.ts';
import { periodText } from './periods.ts';

export const COMPARED: Partial<Record<Operator, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'exactly',
};

const isRelatedFilter = (one: Part): one is Related => !isPeriod(one) && isRelated(one);
/** Conditions on related rows come last, because words after them would apply to those rows. */
export const filtersText = (vocabulary: Vocabulary, filters: readonly Filter[], home: string): string => {
  const parts = periodsAmong(filters);
  const [rows, related] = [parts.filter((one) => !isRelatedFilter(one)), parts.filter(isRelatedFilter)];
  if (related.length > 1) noSentence();
  // With two periods, each is written with its date.
  const usual = parts.filter(isPeriod).length > 1 ? '' : home;
  return [...rows, ...related].map((one) => partText(vocabulary, one, isPeriod(one) ? usual : home)).join(' ');
};

interface DateRange {
  field: FieldRef;
  from: string | null;
  to: string | null;
}
type Part = Filter | DateRange;
const isPeriod = (part: Part): part is DateRange => 'from' in part;
const isEdge = (one: Filter): one is Condition =>
  'field' in one && /^(?:>=|<)$/.test(one.op) && /^\d{4}-\d\d-\d\d$/.test(String(one.values[0]));
const same = (a: FieldRef, b: FieldRef): boolean => a.path === b.path && a.field === b.field;
/** The two ends of a period form one part. */
const periodsAmong = (filters: readonly Filter[]): Part[] => {
  const parts: Part[] = [];
  for (const one of filters) {
    if (!isEdge(one)) parts.push(one);
    else {
      const [edge] = one.values as string[];
      const open = parts.find((part): part is DateRange => isPeriod(part) && same(part.field, one.field));
      const end = one.op === '<' ? 'to' : 'from';
      if (open && open[end] === null) open[end] = edge!;
      else parts.push({ field: one.field, from: null, to: null, [end]: edge! });
    }
  }
  return parts;
};

const partText = (vocabulary: Vocabulary, part: Part, home: string): string => {
  if (isPeriod(part)) {
    const { field, ...ends } = part;
    const usual = field.path === home && vocabulary.dataset(home).timeField === field.field;
    return usual ? periodText(ends) : `where ${fieldName(vocabulary, field)} is ${periodText(ends)}`;
  }
  if ('field' in part) return conditionText(vocabulary, part, home);
  if (isRelatedFilter(part)) return relatedText(vocabulary, part);
  if (!('any' in part)) return noSentence();
  return part.any.map((one) => filtersText(vocabulary, [one], home)).join(' or ');
};

const isKey = (vocabulary: Vocabulary, { path, field }: FieldRef): boolean =>
  vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? noSentence()).primaryKey[0] === field;

const valueList = (values: readonly Scalar[]): string =>
  values
    .map((one) => (typeof one === 'string' ? valueText(one) : typeof one === 'number' ? String(one) : noSentence()))
    .join(' or ');

const conditionText = (
  vocabulary: Vocabulary,
  { field, op, values, than, other, or_null }: Condition,
  home: string,
): string => {
  if (op === 'is_null' && isKey(vocabulary, field) && field.path !== home)
    return `without ${singularName(vocabulary, field.path)}`;
  const called = fieldName(vocabulary, field);
  const [first, second] = values;
  if (typeof first === 'boolean') return flagText(called, op, first, or_null === true);
  if (other || than || field.grain) return noSentence();
  switch (op) {
    case '=':
    case 'in':
      return `where ${called} is ${valueList(values)}`;
    case '!=':
    case 'not_in':
      return or_null ? `excluding ${called} ${valueList(values)}` : noSentence();
    case 'between':
      return `where ${called} between ${first} and ${second}`;
    case 'contains':
      return `where ${called} contains "${first}"`;
    case 'starts_with':
      return `where ${called} starts with "${first}"`;
    case 'is_null':
      return `missing ${called}`;
    default:
      return typeof first === 'number' && COMPARED[op] ? `where ${called} ${COMPARED[op]} ${first}` : noSentence();
  }
};

const flagText = (called: string, op: Operator, first: boolean, or_null: boolean): string =>
  !first || (op !== '=' && !(op === '!=' && or_null)) ? noSentence() : op === '=' ? `where ${called}` : `not ${called}`;

const relatedText = (vocabulary: Vocabulary, related: Related): string => {
  const { via, where = [], sharing } = related;
  if (sharing || via) return noSentence();
  const path = relatedPath(related);
  const said = `${pluralName(vocabulary, path)}${where.length > 0 ? ` ${filtersText(vocabulary, where, path)}` : ''}`;
  if ('not_exists' in related) return `without ${said}`;
  const [count, more] = countsOf(related);
  if (more) return noSentence();
  return count ? `with ${COMPARED[count.op]} ${count.value} ${said}` : `with ${said}`;
};
