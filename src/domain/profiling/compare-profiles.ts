// The differences between two profiles: columns, rows, nulls, ranges, and values of small columns.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import type { FieldProfile, LensProfile } from './profile-lens.ts';

export type ProfileChange = z.infer<typeof wire.profileDrift>['items'][number];
const MIN_CHANGE = 0.2;
const MIN_NULLS_CHANGE = 0.05;
const MAX_SHOWN_VALUES = 20;

export function compareProfiles(before: LensProfile, after: LensProfile): ProfileChange[] {
  const key = ({ dataset, field }: FieldProfile) => `${dataset}.${field}`;
  const then = new Map(before.items.map((item) => [key(item), item]));
  const now = new Map(after.items.map((item) => [key(item), item]));
  const came = after.items
    .filter((item) => !then.has(key(item)))
    .map(({ dataset, field }) => ({
      dataset,
      field,
      code: 'field_added' as const,
      severity: 'info' as const,
      message: `${field} is new.`,
      before: null,
      after: field,
    }));
  const went = before.items
    .filter((item) => !now.has(key(item)))
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
    ...went,
    ...came,
    ...rowChanges(before, after),
    ...after.items.flatMap((item) => (then.has(key(item)) ? fieldChanges(then.get(key(item))!, item) : [])),
  ];
}

function rowChanges(before: LensProfile, after: LensProfile): ProfileChange[] {
  return [...new Set(after.items.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const rows = ({ items }: LensProfile) => items.find((item) => item.dataset === dataset)?.rows;
    const [previous, current] = [rows(before), rows(after)];
    if (previous === undefined || current === undefined || previous === current) return [];
    const shrank = current < previous * (1 - MIN_CHANGE);
    return [
      {
        dataset,
        field: null,
        code: 'rows' as const,
        severity: shrank ? ('warning' as const) : ('info' as const),
        message: `${previous} rows became ${current}.`,
        before: previous,
        after: current,
      },
    ];
  });
}

function fieldChanges(was: FieldProfile, is: FieldProfile): ProfileChange[] {
  const fieldReference = { dataset: is.dataset, field: is.field };
  const changes: ProfileChange[] = [];
  const share = ({ nulls, rows }: FieldProfile) => (rows === 0 ? 0 : nulls / rows);
  if (Math.abs(share(is) - share(was)) >= MIN_NULLS_CHANGE)
    changes.push({
      ...fieldReference,
      code: 'nulls',
      severity: share(is) > share(was) ? 'warning' : 'info',
      message: `Empty in ${percent(share(was))} of the rows before, in ${percent(share(is))} now.`,
      before: share(was),
      after: share(is),
    });
  if (
    was.distinct !== null &&
    is.distinct !== null &&
    Math.abs(is.distinct - was.distinct) > MIN_CHANGE * Math.max(was.distinct, 1)
  )
    changes.push({
      ...fieldReference,
      code: 'distinct',
      severity: 'info',
      message: `${was.distinct} distinct values became ${is.distinct}.`,
      before: was.distinct,
      after: is.distinct,
    });
  if (!is.sampled && (was.min !== is.min || was.max !== is.max))
    changes.push({
      ...fieldReference,
      code: 'range',
      severity: 'info',
      message: `From ${was.min} to ${was.max} before, from ${is.min} to ${is.max} now.`,
      before: [was.min, was.max],
      after: [is.min, is.max],
    });
  if (was.values && is.values && !is.sampled) {
    const removed = was.values.filter((value) => !is.values!.includes(value));
    const fresh = is.values.filter((value) => !was.values!.includes(value));
    if (removed.length + fresh.length > 0)
      changes.push({
        ...fieldReference,
        code: 'values',
        severity: removed.length > 0 ? 'warning' : 'info',
        message: `${fresh.length} values came, ${removed.length} went.`,
        before: removed.slice(0, MAX_SHOWN_VALUES),
        after: fresh.slice(0, MAX_SHOWN_VALUES),
      });
  }
  return changes;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
