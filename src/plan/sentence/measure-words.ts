// Writes counts, sums, ratios and comparisons in words.

import type { Datatype } from '../../contract/warehouse.ts';
import { findCommonDataset } from '../../lens/model/join-paths.ts';
import { findField } from '../../lens/model/lens.ts';
import {
  countsRows,
  findPeriodComparison,
  type GroupAggregate,
  type GroupCount,
  type Having,
  isBaseMeasure,
  listFields,
  type Measure,
  type RowCount,
  type WindowMeasure,
} from '../lens-plan.ts';
import { formatPeriodName } from '../period-name.ts';
import { areComparedByDay } from '../sql/field-sql.ts';
import { AGGREGATE_WORDS, describeBaseMeasure } from './base-words.ts';
import { BY_DAY, describeFilters, isPeriodOnly, joinList, OPERATOR_WORDS } from './filter-words.ts';
import { describeGrouping } from './grouping-words.ts';
import { requireDataset, type SentenceNames, withNamedDates } from './names.ts';
import { describePeriod, describePeriodRange } from './period-words.ts';

export const findMainDataset = (names: SentenceNames, measure: Measure): string => {
  if (!isBaseMeasure(measure)) return findMainDataset(names, Array.isArray(measure.of) ? measure.of[0]! : measure.of);
  if (measure.fn === 'metric') return names.lens.metrics.find(({ name }) => name === measure.metric)?.home ?? '';
  if ('value' in measure)
    return findCommonDataset(names.lens, [...new Set(listFields(measure.value).map(({ path }) => path))]) ?? '';
  return 'rows' in measure ? measure.rows : measure.field.path;
};

const OPERATOR_PHRASES = { ratio: ' divided by ', difference: ' minus ', total: ' plus ' } as const;
export const writeMeasure = (names: SentenceNames, measure: Measure): string => {
  const describeMeasure = (innerMeasure: Measure): string => writeMeasure(names, innerMeasure);
  if (isBaseMeasure(measure)) {
    const baseText = describeBaseMeasure(names, measure);
    if (!measure.where?.length) return baseText;
    const ownNames = withNamedDates(names, { measures: [measure], dimensions: [] });
    return `${baseText} ${describeFilters(ownNames, measure.where, findMainDataset(names, measure))}`;
  }
  const describeOperand = (operandMeasure: Measure): string =>
    isBaseMeasure(operandMeasure) && !operandMeasure.where?.length
      ? describeMeasure(operandMeasure)
      : `(${describeMeasure(operandMeasure)})`;
  switch (measure.fn) {
    case 'ratio':
    case 'difference':
    case 'total': {
      const [, , thirdMeasure] = measure.of;
      const isPlain =
        !measure.percent && !thirdMeasure && measure.of.every((item) => !Array.isArray((item as { of?: unknown }).of));
      const [left, right] = isPlain ? writeOperands(names, measure.of) : [];
      if (isPlain && measure.fn === 'ratio') return `ratio of ${left} to ${right}`;
      if (isPlain && measure.fn === 'difference') return `difference between ${left} and ${right}`;
      return names.describeIfAllowed(
        () =>
          `${measure.of.map(describeOperand).join(OPERATOR_PHRASES[measure.fn])}${measure.percent ? ' in percent' : ''}`,
      );
    }
    case 'share':
      return writeShare(names, measure);
    case 'over_groups':
    case 'count_groups':
      return writeGroupMeasure(names, measure);
    case 'change':
      return writeChangeMeasure(names, measure);
    case 'product':
    case 'quotient':
      return names.describeIfAllowed(
        () => `${describeOperand(measure.of)} ${measure.fn === 'quotient' ? 'divided by' : 'times'} ${measure.by}`,
      );
    case 'round': {
      const decimalPlaces = `${measure.digits} decimal place${measure.digits === 1 ? '' : 's'}`;
      return names.describeIfAllowed(() => `${describeOperand(measure.of)} rounded to ${decimalPlaces}`);
    }
    case 'or_zero':
      return names.describeIfAllowed(() => `${describeOperand(measure.of)} or 0`);
    default:
      return writeWindowMeasure(names, measure);
  }
};
export const chooseShareWord = (measure: { percent?: boolean }): string => (measure.percent ? 'percentage' : 'share');
const isUnfilteredCount = (measure: Measure): measure is RowCount => countsRows(measure) && !measure.where;
const writeShare = (names: SentenceNames, measure: Extract<Measure, { fn: 'share' }>): string => {
  const { of, where } = measure;
  const mainDataset = findMainDataset(names, of);
  const isOfPeriod = isBaseMeasure(of) && isPeriodOnly(names, of.where ?? [], mainDataset);
  const denominator = isUnfilteredCount(of)
    ? names.plural(of.rows)
    : isOfPeriod
      ? writeMeasure(names, of)
      : writeClosedMeasure(names, of);
  // After "share of orders", a period would seem to apply to all the orders.
  const ownNames = { ...names, usualDate: () => null };
  return `${chooseShareWord(measure)} of ${denominator} ${describeFilters(ownNames, where, mainDataset)}`;
};

/** Returns true if the words for the measure contain its own conditions, which aren't in parentheses. */
export const hasOpenConditions = (measure: Measure): boolean => {
  if (isBaseMeasure(measure)) return Boolean(measure.where?.length);
  if (Array.isArray(measure.of)) return measure.of.some(hasOpenConditions);
  return measure.fn === 'share';
};
/** Puts a measure with its own conditions in parentheses. The next words would otherwise belong to the conditions. */
export const writeClosedMeasure = (names: SentenceNames, measure: Measure): string =>
  hasOpenConditions(measure)
    ? names.describeIfAllowed(() => `(${writeMeasure(names, measure)})`)
    : writeMeasure(names, measure);

/**
 * If only some of the measures have conditions, puts each of these measures after the first one in parentheses.
 * Otherwise, the conditions would seem to apply to several measures.
 */
const writeOperands = (names: SentenceNames, measures: Measure[]): string[] => {
  const areAllOpen = measures.every(hasOpenConditions);
  return measures.map((measure, index) =>
    areAllOpen || index === 0 ? writeMeasure(names, measure) : writeClosedMeasure(names, measure),
  );
};

/**
 * Writes the measures before the plan's conditions and groups. If the measures have conditions too, parentheses show
 * that the plan's conditions apply to all of them. If the measures compare two periods, writes one phrase for both
 * values and their change.
 */
export function writeMeasures(
  names: SentenceNames,
  measures: Measure[],
  followedBy: { conditions: boolean; groups: boolean },
): string {
  const compared = findPeriodComparison(measures);
  if (!compared) {
    const [onlyMeasure, otherMeasure] = measures;
    const text = joinList(writeOperands(names, measures));
    const isExtended = followedBy.conditions || (followedBy.groups && !otherMeasure && isBaseMeasure(onlyMeasure!));
    return isExtended && measures.some(hasOpenConditions) ? names.describeIfAllowed(() => `(${text})`) : text;
  }
  const { of, from, to } = compared;
  return names.describeIfAllowed(
    () => `${writeClosedMeasure(names, of)} ${describePeriod(to)} compared with ${formatPeriodName(from).name}`,
  );
}

const writeChangeMeasure = (names: SentenceNames, measure: Extract<Measure, { fn: 'change' }>): string => {
  if (measure.show)
    return names.describeIfAllowed(
      () => `${writeClosedMeasure(names, measure.of)} ${describePeriod(measure[measure.show!])}`,
    );
  const changeText = `${measure.percent ? 'growth' : names.describeIfAllowed(() => 'change')} of ${writeClosedMeasure(names, measure.of)}`;
  return measure.from ? `${changeText} ${describePeriodRange(measure.from, measure.to)}` : changeText;
};

function writeGroupMeasure(names: SentenceNames, measure: GroupAggregate | GroupCount): string {
  const { of, by = [], per = [], having = [], every } = measure;
  const groupNames = [...by.map((item) => describeGrouping(names, item)), ...per.map(names.singular)];
  if (
    measure.fn === 'over_groups' &&
    groupNames.length === 1 &&
    having.length === 0 &&
    !every &&
    measure.take !== 'sum'
  ) {
    const aggregateWord = AGGREGATE_WORDS[measure.take];
    return isUnfilteredCount(of)
      ? `${aggregateWord} ${writeMeasure(names, of)} per ${groupNames[0]}`
      : `${aggregateWord} of ${writeClosedMeasure(names, of)} of each ${groupNames[0]}`;
  }
  return names.describeIfAllowed(() => {
    const havingText = having.map((item) => ` ${writeHaving(names, item)}`).join(' and');
    const rows = names.plural(findMainDataset(names, of));
    const everyText = !every
      ? ''
      : typeof every === 'string'
        ? ` (also of ${names.plural(every)} without ${rows})`
        : ` for every ${every.grain} of the period`;
    const groups = `${joinList(groupNames)}${everyText}${havingText}`;
    return measure.fn === 'count_groups'
      ? `number of groups of ${rows} by ${groups}`
      : `${AGGREGATE_WORDS[measure.take]} of ${writeClosedMeasure(names, of)} of each ${groups}`;
  });
}

function writeWindowMeasure(names: SentenceNames, measure: Exclude<WindowMeasure, { fn: 'change' }>): string {
  const measureText = writeClosedMeasure(names, measure.of);
  const partitionFields = ('within' in measure && measure.within) || [];
  if (measure.fn === 'running_total' && partitionFields.length === 0) return `running total of ${measureText}`;
  const textByFunction = {
    share_of_total: `${'percent' in measure ? chooseShareWord(measure) : 'share'} of total ${measureText}`,
    running_total: `running total of ${measureText}`,
    rank: `${measure.fn === 'rank' && measure.dense ? 'dense rank' : 'rank'} by ${measureText}${measure.fn === 'rank' && measure.direction === 'asc' ? ', the lowest first' : ''}`,
    groups_avg: `average of ${measureText} over these groups`,
    groups_min: `lowest ${measureText} of these groups`,
    groups_max: `highest ${measureText} of these groups`,
    groups_sum: `total of ${measureText} over these groups`,
  };
  const partitionText =
    partitionFields.length > 0
      ? ` within each ${joinList(partitionFields.map((item) => describeGrouping(names, item)))}`
      : '';
  return names.describeIfAllowed(() => `${textByFunction[measure.fn]}${partitionText}`);
}

export const writeHaving = (names: SentenceNames, { measure, op, values, than }: Having): string =>
  than || op === 'between' || op === '!='
    ? names.describeIfAllowed(() => {
        const operand = than ? `that of ${writeComparedMeasure(names, measure, than)}` : joinList(values.map(String));
        return `with ${writeClosedMeasure(names, measure)} ${OPERATOR_WORDS[op]} ${operand}`;
      })
    : `with ${writeClosedMeasure(names, measure)} ${OPERATOR_WORDS[op]} ${values[0]}`;

/** Writes the measure that another measure is compared with. */
export function writeComparedMeasure(names: SentenceNames, measure: Measure, than: Measure): string {
  const [type, thanType] = [measure, than].map((item) => findExtremeType(names, item));
  return `${writeClosedMeasure(names, than)}${type && thanType && areComparedByDay(type, thanType) ? BY_DAY : ''}`;
}
const findExtremeType = (names: SentenceNames, measure: Measure): Datatype | undefined => {
  if (measure.fn === 'metric') return names.lens.metrics.find(({ name }) => name === measure.metric)?.datatype;
  return 'field' in measure && (measure.fn === 'min' || measure.fn === 'max')
    ? findField(requireDataset(names, measure.field.path), measure.field.field)?.datatype
    : undefined;
};
