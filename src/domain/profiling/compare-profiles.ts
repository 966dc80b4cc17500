// The differences between two profiles: columns, rows, nulls, ranges, and values of small columns.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import type { FieldProfile, LensProfile } from './profile-lens.ts';

export type ProfileChange = z.infer<typeof wire.profileDrift>['items'][number];
const MIN_CHANGE = 0.2;
const MIN_NULLS_CHANGE = 0.05;
const MAX_SHOWN_VALUES = 20;

export function compareProfiles(before: LensProfile, after: LensProfile): ProfileChange[] {
  const fieldKey = ({ dataset, field }: FieldProfile) => `${dataset}.${field}`;
  const previousByKey = new Map(before.items.map((item) => [fieldKey(item), item]));
  const currentByKey = new Map(after.items.map((item) => [fieldKey(item), item]));
  const addedFields = after.items
    .filter((item) => !previousByKey.has(fieldKey(item)))
    .map(({ dataset, field }) => ({
      dataset,
      field,
      code: 'field_added' as const,
      severity: 'info' as const,
      message: `${field} is new.`,
      before: null,
      after: field,
    }));
  const removedFields = before.items
    .filter((item) => !currentByKey.has(fieldKey(item)))
    .map(({ dataset, field }) => ({
      dataset,
      field,
      code: 'field_gone' as const,
      severity: 'warning' as const,
      message: `${field} is gone.`,
      before: field,
      after: null,
    }));
  return [
    ...removedFields,
    ...addedFields,
    ...rowChanges(before, after),
    ...after.items.flatMap((item) =>
      previousByKey.has(fieldKey(item)) ? fieldChanges(previousByKey.get(fieldKey(item))!, item) : [],
    ),
  ];
}

function rowChanges(before: LensProfile, after: LensProfile): ProfileChange[] {
  return [...new Set(after.items.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const rowsOf = ({ items }: LensProfile) => items.find((item) => item.dataset === dataset)?.rows;
    const [previous, current] = [rowsOf(before), rowsOf(after)];
    if (previous === undefined || current === undefined || previous === current) return [];
    const hasShrunk = current < previous * (1 - MIN_CHANGE);
    return [
      {
        dataset,
        field: null,
        code: 'rows' as const,
        severity: hasShrunk ? ('warning' as const) : ('info' as const),
        message: `${previous} rows became ${current}.`,
        before: previous,
        after: current,
      },
    ];
  });
}

function fieldChanges(previous: FieldProfile, current: FieldProfile): ProfileChange[] {
  const fieldReference = { dataset: current.dataset, field: current.field };
  const changes: ProfileChange[] = [];
  const nullShare = ({ nulls, rows }: FieldProfile) => (rows === 0 ? 0 : nulls / rows);
  if (Math.abs(nullShare(current) - nullShare(previous)) >= MIN_NULLS_CHANGE)
    changes.push({
      ...fieldReference,
      code: 'nulls',
      severity: nullShare(current) > nullShare(previous) ? 'warning' : 'info',
      message: `Before, ${percentText(nullShare(previous))} of the rows had no value; now, ${percentText(nullShare(current))} have none.`,
      before: nullShare(previous),
      after: nullShare(current),
    });
  if (
    previous.distinct !== null &&
    current.distinct !== null &&
    Math.abs(current.distinct - previous.distinct) > MIN_CHANGE * Math.max(previous.distinct, 1)
  )
    changes.push({
      ...fieldReference,
      code: 'distinct',
      severity: 'info',
      message: `The number of distinct values changed from ${previous.distinct} to ${current.distinct}.`,
      before: previous.distinct,
      after: current.distinct,
    });
  if (!current.sampled && (previous.min !== current.min || previous.max !== current.max))
    changes.push({
      ...fieldReference,
      code: 'range',
      severity: 'info',
      message: `Before, the values were from ${previous.min} to ${previous.max}; now, they are from ${current.min} to ${current.max}.`,
      before: [previous.min, previous.max],
      after: [current.min, current.max],
    });
  if (previous.values && current.values && !current.sampled) {
    const removedValues = previous.values.filter((value) => !current.values!.includes(value));
    const addedValues = current.values.filter((value) => !previous.values!.includes(value));
    if (removedValues.length + addedValues.length > 0)
      changes.push({
        ...fieldReference,
        code: 'values',
        severity: removedValues.length > 0 ? 'warning' : 'info',
        message: `New values: ${addedValues.length}; removed values: ${removedValues.length}.`,
        before: removedValues.slice(0, MAX_SHOWN_VALUES),
        after: addedValues.slice(0, MAX_SHOWN_VALUES),
      });
  }
  return changes;
}

const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`;
