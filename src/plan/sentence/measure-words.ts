// Writes counts, sums, ratios and comparisons in words.

import { findCommonDataset } from '../../lens/model/join-paths.ts';
import {
  type CountGroups,
  comparisonOf,
  countsRows,
  fieldsOf,
  type Having,
  isBase,
  type Measure,
  type OverGroups,
  type RowCount,
  type WindowMeasure,
} from '../lens-plan.ts';
import { namePeriod } from '../period-name.ts';
import { AGGREGATE_WORDS, baseWords } from './base-words.ts';
import { filtersWords, joinList, OPERATOR_WORDS } from './filter-words.ts';
import { groupingWords } from './grouping-words.ts';
import type { Names } from './names.ts';
import { betweenWords, periodWords } from './period-words.ts';

export const mainDatasetOf = (names: Names, measure: Measure): string => {
  if (!isBase(measure)) return mainDatasetOf(names, Array.isArray(measure.of) ? measure.of[0]! : measure.of);
  if (measure.fn === 'metric') return names.lens.metrics.find(({ name }) => name === measure.metric)?.home ?? '';
  if ('value' in measure)
    return findCommonDataset(names.lens, [...new Set(fieldsOf(measure.value).map(({ path }) => path))]) ?? '';
  return 'rows' in measure ? measure.rows : measure.field.path;
};

const OPERATOR_TEXTS = { ratio: ' divided by ', difference: ' minus ', total: ' plus ' } as const;
export const measureWords = (names: Names, measure: Measure): string => {
  const describeMeasure = (innerMeasure: Measure): string => measureWords(names, innerMeasure);
  if (isBase(measure)) {
    const baseText = baseWords(names, measure);
    return measure.where?.length
      ? `${baseText} ${filtersWords(names, measure.where, mainDatasetOf(names, measure))}`
      : baseText;
  }
  const describeOperand = (operandMeasure: Measure): string =>
    isBase(operandMeasure) ? describeMeasure(operandMeasure) : `(${describeMeasure(operandMeasure)})`;
  switch (measure.fn) {
    case 'ratio':
    case 'difference':
    case 'total': {
      const [left, right, thirdMeasure] = measure.of;
      const isPlain =
        !measure.percent && !thirdMeasure && measure.of.every((item) => !Array.isArray((item as { of?: unknown }).of));
      if (isPlain && measure.fn === 'ratio') return `ratio of ${describeMeasure(left!)} to ${describeMeasure(right!)}`;
      if (isPlain && measure.fn === 'difference')
        return `difference between ${describeMeasure(left!)} and ${describeMeasure(right!)}`;
      return names.describeIfAllowed(
        () =>
          `${measure.of.map(describeOperand).join(OPERATOR_TEXTS[measure.fn])}${measure.percent ? ' in percent' : ''}`,
      );
    }
    case 'share':
      return `${shareWord(measure)} of ${shareWholeWords(names, measure.of)} ${filtersWords(names, measure.where, mainDatasetOf(names, measure.of))}`;
    case 'over_groups':
    case 'count_groups':
      return groupsWords(names, measure);
    case 'change':
      return changeWords(names, measure);
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
      return windowWords(names, measure);
  }
};
export const shareWord = (measure: { percent?: boolean }): string => (measure.percent ? 'percentage' : 'share');
const isUnfilteredCount = (measure: Measure): measure is RowCount => countsRows(measure) && !measure.where;
const shareWholeWords = (names: Names, measure: Measure): string =>
  isUnfilteredCount(measure) ? names.plural(measure.rows) : measureWords(names, measure);

/** The measures in words. A comparison of two periods has one text for its values and their change. */
export function measuresWords(names: Names, measures: Measure[]): string {
  const compared = comparisonOf(measures);
  if (!compared) return joinList(measures.map((measure) => measureWords(names, measure)));
  const { of, from, to } = compared;
  return names.describeIfAllowed(
    () => `${measureWords(names, of)} ${periodWords(to)} compared with ${namePeriod(from).name}`,
  );
}

const changeWords = (names: Names, measure: Extract<Measure, { fn: 'change' }>): string => {
  if (measure.show)
    return names.describeIfAllowed(() => `${measureWords(names, measure.of)} ${periodWords(measure[measure.show!])}`);
  const changeText = `${measure.percent ? 'growth' : names.describeIfAllowed(() => 'change')} of ${measureWords(names, measure.of)}`;
  return measure.from ? `${changeText} ${betweenWords(measure.from, measure.to)}` : changeText;
};

function groupsWords(names: Names, measure: OverGroups | CountGroups): string {
  const { of, by = [], per = [], having = [], every } = measure;
  const groupNames = [...by.map((item) => groupingWords(names, item)), ...per.map(names.singular)];
  if (
    measure.fn === 'over_groups' &&
    groupNames.length === 1 &&
    having.length === 0 &&
    !every &&
    measure.take !== 'sum'
  ) {
    const aggregateWord = AGGREGATE_WORDS[measure.take];
    return isUnfilteredCount(of)
      ? `${aggregateWord} ${measureWords(names, of)} per ${groupNames[0]}`
      : `${aggregateWord} of ${measureWords(names, of)} of each ${groupNames[0]}`;
  }
  return names.describeIfAllowed(() => {
    const havingText = having.map((item) => ` ${havingWords(names, item)}`).join(' and');
    const periodText = typeof every === 'object' ? ` for every ${every.grain} of the period` : '';
    const groups = `${joinList(groupNames)}${periodText}${havingText}`;
    return measure.fn === 'count_groups'
      ? `number of groups by ${groups}`
      : `${AGGREGATE_WORDS[measure.take]} of ${measureWords(names, of)} of each ${groups}`;
  });
}

function windowWords(names: Names, measure: Exclude<WindowMeasure, { fn: 'change' }>): string {
  const measureText = measureWords(names, measure.of);
  const partitionFields = ('within' in measure && measure.within) || [];
  if (measure.fn === 'running_total' && partitionFields.length === 0) return `running total of ${measureText}`;
  const textByFunction = {
    share_of_total: `${'percent' in measure ? shareWord(measure) : 'share'} of total ${measureText}`,
    running_total: `running total of ${measureText}`,
    rank: `${measure.fn === 'rank' && measure.dense ? 'dense rank' : 'rank'} by ${measureText}${measure.fn === 'rank' && measure.direction === 'asc' ? ', the lowest first' : ''}`,
    groups_avg: `average of ${measureText} over these groups`,
    groups_min: `lowest ${measureText} of these groups`,
    groups_max: `highest ${measureText} of these groups`,
    groups_sum: `total of ${measureText} over these groups`,
  };
  const partitionText =
    partitionFields.length > 0
      ? ` within each ${joinList(partitionFields.map((item) => groupingWords(names, item)))}`
      : '';
  return names.describeIfAllowed(() => `${textByFunction[measure.fn]}${partitionText}`);
}

export const havingWords = (names: Names, { measure, op, values, than }: Having): string =>
  than || op === 'between' || op === '!='
    ? names.describeIfAllowed(() => {
        const operand = than ? `that of ${measureWords(names, than)}` : joinList(values.map(String));
        return `with ${measureWords(names, measure)} ${OPERATOR_WORDS[op]} ${operand}`;
      })
    : `with ${measureWords(names, measure)} ${OPERATOR_WORDS[op]} ${values[0]}`;
