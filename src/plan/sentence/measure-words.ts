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
import { BY_DAY, describeFilters, joinList, OPERATOR_WORDS } from './filter-words.ts';
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
      return `${chooseShareWord(measure)} of ${writeShareDenominator(names, measure.of)} ${describeFilters(names, measure.where, findMainDataset(names, measure.of))}`;
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
const writeShareDenominator = (names: SentenceNames, measure: Measure): string =>
  isUnfilteredCount(measure) ? names.plural(measure.rows) : writeMeasure(names, measure);

/**
 * If only some of the measures have conditions, puts the last measure in parentheses. Otherwise, its conditions would
 * seem to apply to all the measures.
 */
const writeOperands = (names: SentenceNames, measures: Measure[]): string[] => {
  const hasConditions = (measure: Measure): boolean => isBaseMeasure(measure) && Boolean(measure.where?.length);
  const last = measures.length - 1;
  const needsParentheses = hasConditions(measures[last]!) && !measures.every(hasConditions);
  return measures.map((measure, index) =>
    needsParentheses && index === last
      ? names.describeIfAllowed(() => `(${writeMeasure(names, measure)})`)
      : writeMeasure(names, measure),
  );
};

/** If the measures compare two periods, writes one phrase for both values and their change. */
export function writeMeasures(names: SentenceNames, measures: Measure[]): string {
  const compared = findPeriodComparison(measures);
  if (!compared) return joinList(writeOperands(names, measures));
  const { of, from, to } = compared;
  return names.describeIfAllowed(
    () => `${writeMeasure(names, of)} ${describePeriod(to)} compared with ${formatPeriodName(from).name}`,
  );
}

const writeChangeMeasure = (names: SentenceNames, measure: Extract<Measure, { fn: 'change' }>): string => {
  if (measure.show)
    return names.describeIfAllowed(
      () => `${writeMeasure(names, measure.of)} ${describePeriod(measure[measure.show!])}`,
    );
  const changeText = `${measure.percent ? 'growth' : names.describeIfAllowed(() => 'change')} of ${writeMeasure(names, measure.of)}`;
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
      : `${aggregateWord} of ${writeMeasure(names, of)} of each ${groupNames[0]}`;
  }
  return names.describeIfAllowed(() => {
    const havingText = having.map((item) => ` ${writeHaving(names, item)}`).join(' and');
    const periodText = typeof every === 'object' ? ` for every ${every.grain} of the period` : '';
    const groups = `${joinList(groupNames)}${periodText}${havingText}`;
    return measure.fn === 'count_groups'
      ? `number of groups by ${groups}`
      : `${AGGREGATE_WORDS[measure.take]} of ${writeMeasure(names, of)} of each ${groups}`;
  });
}

function writeWindowMeasure(names: SentenceNames, measure: Exclude<WindowMeasure, { fn: 'change' }>): string {
  const measureText = writeMeasure(names, measure.of);
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
        return `with ${writeMeasure(names, measure)} ${OPERATOR_WORDS[op]} ${operand}`;
      })
    : `with ${writeMeasure(names, measure)} ${OPERATOR_WORDS[op]} ${values[0]}`;

/** Writes the measure that another measure is compared with. */
export function writeComparedMeasure(names: SentenceNames, measure: Measure, than: Measure): string {
  const [type, thanType] = [measure, than].map((item) => findExtremeType(names, item));
  return `${writeMeasure(names, than)}${type && thanType && areComparedByDay(type, thanType) ? BY_DAY : ''}`;
}
const findExtremeType = (names: SentenceNames, measure: Measure): Datatype | undefined => {
  if (measure.fn === 'metric') return names.lens.metrics.find(({ name }) => name === measure.metric)?.datatype;
  return 'field' in measure && (measure.fn === 'min' || measure.fn === 'max')
    ? findField(requireDataset(names, measure.field.path), measure.field.field)?.datatype
    : undefined;
};
