import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import { type FieldProfile, type LensProfile, readLensProfile, toProfileSubject } from './profile-lens.ts';
import { findSnapshot } from './snapshot-repository.ts';

type ProfileChange = z.infer<typeof wire.profileDriftSchema>['items'][number];
const MIN_ROWS_CHANGE = 0.2;
const MIN_NULLS_CHANGE = 0.05;
const MAX_SHOWN_VALUES = 20;

export async function readProfileDrift(deps: { tenancy: Tenancy }, orgId: string, liveLens: LiveLens) {
  const current = await readLensProfile(deps, orgId, liveLens);
  const subject = toProfileSubject(liveLens);
  const previous = await findSnapshot<LensProfile & { taken_at: string }>(deps, orgId, subject, 'profile-before');
  return {
    from: previous?.body.taken_at ?? null,
    to: current?.takenAt.toISOString() ?? null,
    changes: current && previous ? compareProfiles(previous.body, current.body) : [],
  };
}

export function compareProfiles(before: LensProfile, after: LensProfile): ProfileChange[] {
  const keyOf = ({ dataset, field }: FieldProfile) => `${dataset}.${field}`;
  const previousFields = new Map(before.items.map((item) => [keyOf(item), item]));
  const currentKeys = new Set(after.items.map(keyOf));
  const removedFields = before.items.filter((item) => !currentKeys.has(keyOf(item)));
  const addedFields = after.items.filter((item) => !previousFields.has(keyOf(item)));
  return [
    ...removedFields.map(({ dataset, field }) =>
      createProfileChange({ dataset, field }, 'field_gone', true, `${field} is gone.`, [field, null]),
    ),
    ...addedFields.map(({ dataset, field }) =>
      createProfileChange({ dataset, field }, 'field_added', false, `${field} is new.`, [null, field]),
    ),
    ...findRowChanges(before, after),
    ...after.items.flatMap((item) => {
      const previous = previousFields.get(keyOf(item));
      return previous ? findFieldChanges(previous, item) : [];
    }),
  ];
}

const createProfileChange = (
  fieldReference: Pick<ProfileChange, 'dataset' | 'field'>,
  code: string,
  isWarning: boolean,
  message: string,
  [before, after]: [unknown, unknown],
): ProfileChange => ({ ...fieldReference, code, severity: isWarning ? 'warning' : 'info', message, before, after });

function findRowChanges(before: LensProfile, after: LensProfile): ProfileChange[] {
  return [...new Set(after.items.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const rowsOf = ({ items }: LensProfile) => items.find((item) => item.dataset === dataset)?.rows;
    const [previous, current] = [rowsOf(before), rowsOf(after)];
    if (previous === undefined || current === undefined || previous === current) return [];
    const hasShrunk = current < previous * (1 - MIN_ROWS_CHANGE);
    const message = `The number of rows changed from ${previous} to ${current}.`;
    return [createProfileChange({ dataset, field: null }, 'rows', hasShrunk, message, [previous, current])];
  });
}

function findFieldChanges(previous: FieldProfile, current: FieldProfile): ProfileChange[] {
  const changes: ProfileChange[] = [];
  const addChange = (code: string, isWarning: boolean, message: string, values: [unknown, unknown]) =>
    changes.push(
      createProfileChange({ dataset: current.dataset, field: current.field }, code, isWarning, message, values),
    );
  const [nullsBefore, nullsNow] = [previous, current].map(({ nulls, rows }) => (rows === 0 ? 0 : nulls / rows)) as [
    number,
    number,
  ];
  if (Math.abs(nullsNow - nullsBefore) >= MIN_NULLS_CHANGE)
    addChange(
      'nulls',
      nullsNow > nullsBefore,
      `The share of rows without a value changed from ${formatPercent(nullsBefore)} to ${formatPercent(nullsNow)}.`,
      [nullsBefore, nullsNow],
    );
  const [distinctBefore, distinctNow] = [previous.distinct, current.distinct];
  if (
    distinctBefore !== null &&
    distinctNow !== null &&
    Math.abs(distinctNow - distinctBefore) > MIN_ROWS_CHANGE * Math.max(distinctBefore, 1)
  ) {
    const message = `The number of distinct values changed from ${distinctBefore} to ${distinctNow}.`;
    addChange('distinct', false, message, [distinctBefore, distinctNow]);
  }
  if (current.sampled) return changes;
  if (previous.min !== current.min || previous.max !== current.max) {
    const [textBefore, textNow] = [previous, current].map(({ min, max }) => `${min} to ${max}`);
    addChange('range', false, `The range of values was ${textBefore} and is now ${textNow}.`, [
      [previous.min, previous.max],
      [current.min, current.max],
    ]);
  }
  const [valuesBefore, valuesNow] = [previous.values ?? [], current.values ?? []];
  const removedValues = valuesBefore.filter((value) => !valuesNow.includes(value));
  const addedValues = valuesNow.filter((value) => !valuesBefore.includes(value));
  if (previous.values && current.values && removedValues.length + addedValues.length > 0) {
    const message = `New values: ${addedValues.length}. Removed values: ${removedValues.length}.`;
    const shownValues = [removedValues, addedValues].map((list) => list.slice(0, MAX_SHOWN_VALUES));
    addChange('values', removedValues.length > 0, message, [shownValues[0], shownValues[1]]);
  }
  return changes;
}

const formatPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;
