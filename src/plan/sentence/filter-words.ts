// Writes filters in words: "where region is West and discount is more than 0.2 excluding category Furniture".

import { getRelatedPath, isRelated, listCountConditions } from '../filters.ts';
import {
  type Condition,
  type FieldRef,
  type Filter,
  isSameField,
  type Operator,
  type RelatedFilter,
  type Scalar,
} from '../lens-plan.ts';
import { areComparedByDay, findComparedTypes } from '../sql/field-sql.ts';
import { describeBaseMeasure } from './base-words.ts';
import { requireDataset, type SentenceNames } from './names.ts';
import { describePeriod } from './period-words.ts';

export const OPERATOR_WORDS: Record<Operator, string> = {
  '=': 'exactly',
  '!=': 'not',
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  in: '',
  not_in: 'not',
  between: 'between',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_null: 'missing',
  is_not_null: 'given',
};
export const joinList = (items: readonly string[], word = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;

const WHERE_PREFIX = 'where ';
const withoutWhere = (clause: string): string =>
  clause.startsWith(WHERE_PREFIX) ? clause.slice(WHERE_PREFIX.length) : clause;
/** Conditions on related rows come last, because any words after them would refer to the related rows. */
export const describeFilters = (names: SentenceNames, filters: readonly Filter[], homeDataset: string): string => {
  const clauses = writeClauses(names, filters, homeDataset);
  const [wheres, otherClauses] = [true, false].map((isWanted) =>
    clauses.filter((clause) => clause.startsWith(WHERE_PREFIX) === isWanted),
  ) as [string[], string[]];
  const [periodClauses, rest] = [true, false].map((isWanted) =>
    otherClauses.filter((other) => startsWithTimePreposition(other) === isWanted),
  ) as [string[], string[]];
  // After "and", repeats "where" only before an ambiguous clause. For example, a date could belong to a verb.
  const conditions = wheres
    .sort((a, b) => +continuesWhereClause(a) - +continuesWhereClause(b))
    .map((where, index) => (index > 0 && continuesWhereClause(where) ? where.slice(WHERE_PREFIX.length) : where));
  return [...periodClauses, conditions.join(' and '), ...rest].filter(Boolean).join(' ');
};
const startsWithTimePreposition = (text: string): boolean => /^(?:in|on|since|before|from) /.test(text);
const continuesWhereClause = (clause: string): boolean =>
  /^where .+ (?:is (?!between|in|on|since|before|from)\D|contains|starts with|equals)/.test(clause);

/** The clauses of the filters, each with its first word, such as "where" or "without". */
export const writeClauses = (names: SentenceNames, filters: readonly Filter[], homeDataset: string): string[] => {
  const parts = mergePeriods(filters);
  const [rows, relatedParts] = [parts.filter((part) => !isRelatedFilter(part)), parts.filter(isRelatedFilter)];
  if (relatedParts.length > 1 || (parts.length > 1 && parts.some((part) => 'any' in part)))
    names.describeIfAllowed(() => '');
  // If there are two periods, each period needs the name of its date.
  const defaultDataset = parts.filter(isPeriod).length > 1 ? '' : homeDataset;
  const related = relatedParts
    .map((part) => describeRelatedRows(names, part, { isFollowed: relatedParts.length > 1 }))
    .join(' and ');
  const clauses = rows.map((item) => {
    const clause = writeClause(names, item, isPeriod(item) ? defaultDataset : homeDataset);
    return 'any' in item && parts.length > 1 ? `${WHERE_PREFIX}(${withoutWhere(clause)})` : clause;
  });
  return related ? [...clauses, related] : clauses;
};
/** One filter as a statement: "region is West". */
export const describeFilter = (names: SentenceNames, filter: Filter): string =>
  withoutWhere(writeClause(names, filter, ''));

interface DateRange {
  field: FieldRef;
  from: string | null;
  to: string | null;
}
type FilterPart = Filter | DateRange;
const isPeriod = (part: FilterPart): part is DateRange => 'from' in part;
const isRelatedFilter = (part: FilterPart): part is RelatedFilter => !isPeriod(part) && isRelated(part);
const isPeriodBound = (filter: Filter): filter is Condition =>
  'field' in filter && /^(?:>=|<)$/.test(filter.op) && /^\d{4}-\d\d-\d\d$/.test(String(filter.values[0]));
/** Returns true if the filters are one period, such as "in 2024", without the name of its date. */
export const isPeriodOnly = (names: SentenceNames, filters: readonly Filter[], homeDataset: string): boolean =>
  filters.length > 0 &&
  filters.every(isPeriodBound) &&
  startsWithTimePreposition(describeFilters(names, filters, homeDataset));
const mergePeriods = (filters: readonly Filter[]): FilterPart[] => {
  const parts: FilterPart[] = [];
  for (const filter of filters) {
    if (!isPeriodBound(filter)) parts.push(filter);
    else {
      const [boundValue] = filter.values as string[];
      const openRange = parts.find(
        (part): part is DateRange => isPeriod(part) && isSameField(part.field, filter.field),
      );
      const end = filter.op === '<' ? 'to' : 'from';
      if (openRange && openRange[end] === null) openRange[end] = boundValue!;
      else parts.push({ field: filter.field, from: null, to: null, [end]: boundValue! });
    }
  }
  return parts;
};

const writeClause = (names: SentenceNames, part: FilterPart, homeDataset: string): string => {
  if (isPeriod(part)) {
    const isDefaultDate = part.field.path === homeDataset && names.usualDate(homeDataset) === part.field.field;
    return isDefaultDate
      ? describePeriod(part)
      : `${WHERE_PREFIX}${names.field(part.field)} is ${describePeriod(part)}`;
  }
  if ('field' in part) return writeConditionClause(names, part, homeDataset);
  if (isRelatedFilter(part)) return describeRelatedRows(names, part, { isFollowed: false });
  if ('any' in part) return part.any.map((item) => writeAlternative(names, item, homeDataset)).join(' or ');
  return names.describeIfAllowed(() => {
    if ('not' in part)
      return `not (${'all' in part.not ? writeAll(names, part.not.all) : describeFilter(names, part.not)})`;
    const statements = writeAll(names, part.all);
    return `${WHERE_PREFIX}${mergePeriods(part.all).length === 1 ? statements : `(${statements})`}`;
  });
};
/** In a list, the conditions of related rows are in parentheses, because the other statements don't belong to them. */
const writeAlternative = (names: SentenceNames, filter: Filter, homeDataset: string): string =>
  isRelatedFilter(filter)
    ? describeRelatedRows(names, filter, { isFollowed: true })
    : describeFilters(names, [filter], homeDataset);
/** Filters as one statement: "region is West and discount is more than 0.2". */
export const writeAll = (names: SentenceNames, filters: readonly Filter[]): string => {
  const parts = mergePeriods(filters);
  if (parts.length === 1) return withoutWhere(writeClause(names, parts[0]!, ''));
  return parts
    .map((part) => {
      if (isRelatedFilter(part)) return describeRelatedRows(names, part, { isFollowed: true });
      const statement = withoutWhere(writeClause(names, part, ''));
      return 'any' in part ? `(${statement})` : statement;
    })
    .join(' and ');
};

const formatValue = (names: SentenceNames, value: Scalar): string =>
  typeof value === 'string' ? names.value(value) : String(value);
const formatValues = (names: SentenceNames, { op, values }: Pick<Condition, 'op' | 'values'>): string =>
  values.map((value) => formatValue(names, value)).join(op === 'between' ? ' and ' : ' or ');

const writeConditionClause = (names: SentenceNames, condition: Condition, homeDataset: string): string => {
  const { field, op, values, than, other, or_null } = condition;
  const isKey = requireDataset(names, field.path).primaryKey[0] === field.field;
  if (op === 'is_null' && isKey && field.path !== homeDataset) return `without ${names.singular(field.path)}`;
  const fieldName = names.field(field);
  const [firstValue] = values;
  const describeGenerally = (): string =>
    names.describeIfAllowed(() => `${WHERE_PREFIX}${describeComplexCondition(names, condition)}`);
  if (other || than || field.grain) return describeGenerally();
  if (typeof firstValue === 'boolean') {
    const whereWord = op === '=' ? 'where' : op === '!=' && or_null ? 'where not' : null;
    return firstValue && whereWord ? `${whereWord} ${fieldName}` : describeGenerally();
  }
  switch (op) {
    case '=':
    case 'in':
      return or_null || firstValue === null
        ? describeGenerally()
        : `${WHERE_PREFIX}${fieldName} is ${formatValues(names, condition)}`;
    case '!=':
    case 'not_in':
      return or_null ? `excluding ${fieldName} ${formatValues(names, condition)}` : describeGenerally();
    case 'between':
      return `${WHERE_PREFIX}${fieldName} is between ${formatValues(names, condition)}`;
    case 'contains':
    case 'starts_with':
      return `${WHERE_PREFIX}${fieldName} ${OPERATOR_WORDS[op]} "${firstValue}"`;
    case 'is_null':
      return `${WHERE_PREFIX}${fieldName} is missing`;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return typeof firstValue === 'number' && !or_null
        ? `${WHERE_PREFIX}${fieldName} is ${OPERATOR_WORDS[op]} ${firstValue}`
        : describeGenerally();
    default:
      return describeGenerally();
  }
};

const describeComplexCondition = (
  names: SentenceNames,
  { field, op, values, than, other, or_null }: Condition,
): string => {
  const operatorWord = /^(?:contains|starts_with|ends_with)$/.test(op)
    ? OPERATOR_WORDS[op]
    : op === '='
      ? other
        ? 'equals'
        : 'is'
      : `is ${OPERATOR_WORDS[op]}`;
  const per = than?.per?.length ? ` of the same ${joinList(than.per.map((item) => names.field(item)))}` : '';
  const { amount = 0, unit = '' } = other?.plus ?? {};
  const span = other?.plus
    ? ` ${amount < 0 ? 'minus' : 'plus'} ${Math.abs(amount)} ${unit}${Math.abs(amount) === 1 ? '' : 's'}`
    : '';
  const operand = than
    ? `the ${describeBaseMeasure(names, than)}${isAggregateComparedByDay(names, field, than) ? BY_DAY : ''}${per}${than.where?.length ? ` (${describeFilters(names, than.where, '')})` : ''}`
    : other
      ? `${names.field(other.field)}${span}${areComparedByDay(...findComparedTypes(names.lens, field, other)) ? BY_DAY : ''}`
      : formatValues(names, { op, values });
  return `${names.field(field)} ${operatorWord} ${operand}${or_null ? ' or missing' : ''}`.replace(/ +/g, ' ').trim();
};

/** Follows the second of two dates that svc compares by day, because one of them has no time of day. */
export const BY_DAY = ' (by day)';
const isAggregateComparedByDay = (
  names: SentenceNames,
  field: FieldRef,
  { fn, field: aggregated }: NonNullable<Condition['than']>,
): boolean =>
  (fn === 'min' || fn === 'max') && areComparedByDay(...findComparedTypes(names.lens, field, { field: aggregated }));

const describeRelatedRows = (
  names: SentenceNames,
  related: RelatedFilter,
  { isFollowed }: { isFollowed: boolean },
): string => {
  const { via, where = [], sharing } = related;
  const sharingText =
    sharing || via
      ? names.describeIfAllowed(() =>
          sharing ? ` of the same ${names.singular(sharing)}` : ` as ${names.singular(via!)}`,
        )
      : '';
  const path = getRelatedPath(related);
  const rowsText = `${names.plural(path)}${sharingText}`;
  const describeRestricted = (): string => `${rowsText} ${describeFilters(names, where, path)}`;
  const relatedText =
    where.length === 0
      ? rowsText
      : isFollowed
        ? names.describeIfAllowed(() => `(${describeRestricted()})`)
        : describeRestricted();
  if ('not_exists' in related) return `without ${relatedText}`;
  const counts = listCountConditions(related).map(({ op, value }) => `${OPERATOR_WORDS[op]} ${value}`);
  if (counts.length > 1) names.describeIfAllowed(() => '');
  return ['with', counts.join(' and '), relatedText].filter(Boolean).join(' ');
};
