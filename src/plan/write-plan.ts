// Turns the fields of a plan back into names, so that callers can change the plan and send it.
import type { z } from 'zod';
import { MAX_LIMIT, type planSchema } from '../contract/plan.ts';
import type { FieldRef, Grouping, LensPlan } from './lens-plan.ts';
import { createDefaultColumnName, isSameGrouping } from './sql/dimension.ts';

export type RequestPlan = z.input<typeof planSchema>;

export function writePlan(lensPlan: LensPlan): RequestPlan {
  const { measures, dimensions, rows, filters, time, having, per, every, order_by: order, limit_per } = lensPlan;
  const texts = measures.map(toRequestValue);
  const firstMeasureIndex = texts.findIndex((text) => typeof text !== 'string');
  const metrics = texts.slice(0, firstMeasureIndex < 0 ? texts.length : firstMeasureIndex);
  const members = {
    ...{ metrics, measures: texts.slice(metrics.length), dimensions, rows: measures.length > 0 ? undefined : rows },
    ...{ filters, time: time ?? undefined, having, per, every },
    order_by: order.map((item) => (item.field ? { ...item, field: toColumnName(item.field, lensPlan) } : item)),
    ...{
      limit: isRequestedLimit(lensPlan.limit) ? lensPlan.limit : undefined,
      offset: lensPlan.offset || undefined,
      limit_per,
    },
    distinct: lensPlan.distinct || (lensPlan.grouped && having.length === 0 && !per?.length) || undefined,
  };
  return toRequestValue(
    Object.fromEntries(Object.entries(members).filter(([, member]) => !isEmptyMember(member))),
  ) as RequestPlan;
}

/**
 * Returns false if the limit is above MAX_LIMIT. Approved SQL can contain LIMIT 5001, which svc uses to read a result.
 */
const isRequestedLimit = (limit: number | null): limit is number => limit !== null && limit <= MAX_LIMIT;
const isEmptyMember = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
const isFieldRef = (value: object): value is Grouping => 'path' in value && 'field' in value;
const writeFieldName = ({ path, field, grain }: FieldRef): string => [path, field, grain].filter(Boolean).join('.');
const toColumnName = (ref: Grouping, { dimensions }: LensPlan): string =>
  ref.as ??
  dimensions.find((dimension) => dimension.as !== undefined && isSameGrouping(dimension, ref))?.as ??
  (ref.bin === undefined ? writeFieldName(ref) : createDefaultColumnName(ref));

function toRequestValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRequestValue);
  if (typeof value !== 'object' || value === null) return value;
  if (isFieldRef(value)) return toRequestDimension(value);
  const { fn, metric } = value as Record<string, unknown>;
  const members = Object.entries(value).filter(
    ([key, member]) =>
      member !== undefined &&
      !(['where', 'per'].includes(key) && isEmptyMember(member)) &&
      !(key === 'of' && fn === 'count_groups'),
  );
  if (fn === 'metric' && members.length === 2) return metric;
  return Object.fromEntries(members.map(([key, member]) => [key, toRequestValue(member)]));
}

function toRequestDimension({ path, field, grain, value, when, ...more }: Grouping): unknown {
  const members = Object.entries(more).filter(([, member]) => !isEmptyMember(member));
  const rest = Object.fromEntries(members.map(([key, member]) => [key, toRequestValue(member)]));
  if (value) return { value: toRequestValue(value), ...rest };
  if (when) return { when: toRequestValue(when), as: field, ...rest };
  const name = writeFieldName({ path, field, grain });
  return members.length === 0 ? name : { field: name, ...rest };
}
