// Schema of a plan: a governed question in the names of a lens. Apps, agents, models and the reader share this schema.
import { z } from 'zod';
import { OPERATORS, type PlanFilter, type PlanMeasure, type PlanValue } from './plan-of.ts';

const AGGREGATES = ['count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const;
const SPANS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** The largest `limit` of a plan. svc never reads more rows of a result. */
export const MAX_LIMIT = 5000;
const name = z.string().min(1).max(200);
const columnName = name.optional();
// The JSON parser rounds larger integers, so the answer would be about a different number.
const exactNumber = z
  .number()
  .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), 'Write integers beyond 2^53 as strings');
const values = z
  .array(z.union([z.string().max(10_000), exactNumber, z.boolean()]))
  .max(1000)
  .default([]);
const op = z.enum(OPERATORS).default('=');
const period = z
  .string()
  .min(1)
  .max(60)
  .describe(
    '2024, 2024-Q2, 2024-03, 2024-03-15, today, this month, this year so far, previous quarter, last 7 days (before today), last 7 days from today (and today)',
  );
const shortListOf = <T extends z.ZodType>(itemSchema: T) => z.array(itemSchema).min(1).max(20);
const count = z.int().min(0).max(1_000_000_000).optional();

// These schemas are recursive, so zod resolves them only when it parses a plan.
const lazyFilter = () => z.lazy(() => planFilter);
const lazyValue = () => z.lazy(() => planValue);
const lazyMeasure = () => z.lazy(() => planMeasure);
const filterList = () => z.array(lazyFilter()).min(1).max(100);

const comparison = z.strictObject({
  field: name.describe('As in dimensions. At the top level, a metric filters groups'),
  op,
  values,
  other: z
    .strictObject({
      field: name,
      plus: z.strictObject({ amount: z.int().min(-100_000).max(100_000), unit: z.enum(SPANS) }).optional(),
    })
    .optional()
    .describe('Instead of values: another field'),
  than: z
    .strictObject({
      fn: z.enum(['count', ...AGGREGATES]),
      field: name,
      where: filterList().optional(),
      per: shortListOf(name).optional().describe('Over rows with equal values of these'),
    })
    .optional()
    .describe('Instead of values: an aggregate over all rows of its dataset'),
  or_null: z.boolean().optional(),
  during: period.optional().describe('Instead of op: a period'),
});
const roleName = name.optional().describe('The role, if there are several');
const sharing = name.optional();
const exists = z.strictObject({
  exists: name.describe('Requires related rows of this dataset'),
  via: roleName,
  sharing,
  where: filterList().optional(),
  at_least: count,
  at_most: count,
  exactly: count,
});
const notExists = z.strictObject({
  not_exists: name,
  via: roleName,
  sharing,
  where: filterList().optional(),
});
export const planFilter: z.ZodType<PlanFilter> = z
  .union([
    comparison,
    exists,
    notExists,
    z.strictObject({ any: filterList() }),
    z.strictObject({ all: filterList() }),
    z.strictObject({ not: lazyFilter() }),
  ])
  .meta({ id: 'PlanFilter' });

export const planValue: z.ZodType<PlanValue> = z
  .union([
    name,
    exactNumber,
    z.strictObject({ field: name, or: exactNumber.describe('If empty') }),
    z.strictObject({
      op: z.enum(['+', '-', '*', '/']).describe('Division by 0 is null'),
      of: z.array(lazyValue()).min(2).max(8),
    }),
    z.strictObject({
      items: name.describe('The number of items in a text'),
      separator: z.string().length(1).default(','),
    }),
    z.strictObject({
      from: name,
      to: name,
      in: z.enum(['seconds', 'minutes', 'hours', 'days', 'months']).describe('months: calendar months'),
    }),
  ])
  .meta({ id: 'PlanValue' });

const planDimension = z.union([
  name.describe(
    'dataset.field, role.field or the field alone; dates take .day .week .month .quarter .year .weekday .hour .day_of_month .week_of_year .month_of_year .quarter_of_year .year_number',
  ),
  z.strictObject({
    field: name,
    bin: z.number().positive().max(1e15).optional().describe('Width'),
    through: name.optional().describe('For the many side: the dataset in between'),
    where: filterList().optional().describe('On rows of the dataset in between'),
    as: columnName,
  }),
  z.strictObject({ value: planValue, bin: z.number().positive().max(1e15).optional(), as: name }),
  z.strictObject({ when: filterList().describe('yes if all hold, else no'), as: name }),
]);

const window = z.strictObject({
  field: name.optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  during: period.optional(),
});
const having = z.strictObject({
  measure: lazyMeasure(),
  op: z.enum(['=', '!=', '>', '>=', '<', '<=', 'between']),
  values: z.array(exactNumber).max(2).default([]),
  than: lazyMeasure().optional().describe('Instead of values: another measure'),
});

const groupDimensions = shortListOf(planDimension).optional().describe('Among groups with equal values of these');
const where = filterList().optional().describe('Only these rows; groups without any remain');
const groups = {
  per: shortListOf(name).optional().describe('Datasets: each row forms its own group'),
  every: name.optional().describe('As in the plan'),
  having: shortListOf(having).optional(),
};
const percent = z.boolean().optional();
const measureSchema = <F extends z.ZodLiteral | z.ZodEnum, M extends z.ZodRawShape>(fn: F, members: M) =>
  z.strictObject({ fn, ...members, as: columnName });
export const planMeasure: z.ZodType<PlanMeasure> = z
  .union([
    name.describe('A metric'),
    z.discriminatedUnion('fn', [
      measureSchema(z.literal('metric'), { metric: name, where }),
      // A count requires exactly one of `rows` and `field`, and other aggregates exactly one of `field` and `value`.
      // `bindPlan` checks this.
      measureSchema(z.literal('count'), {
        rows: name.optional().describe('The dataset to count'),
        field: name.optional().describe('The field to count'),
        where,
      }),
      measureSchema(z.enum(AGGREGATES), {
        field: name.optional(),
        value: planValue.optional().describe('Instead of field: computed for each row'),
        where,
      }),
      measureSchema(z.literal('list').describe('Values as one text, sorted'), {
        field: name,
        distinct: z.boolean().optional(),
        separator: z.string().min(1).max(10).default(', '),
        where,
      }),
      measureSchema(z.enum(['ratio', 'difference', 'total']), {
        of: z.array(lazyMeasure()).length(2).describe('Two measures; a difference of dates is in days'),
        percent,
      }),
      measureSchema(z.enum(['product', 'quotient']).describe('Multiply or divide by a number'), {
        of: lazyMeasure(),
        by: exactNumber,
      }),
      measureSchema(z.literal('round'), { of: lazyMeasure(), digits: z.int().min(0).max(10).default(0) }),
      measureSchema(z.literal('or_zero').describe('0 if there is nothing to measure'), { of: lazyMeasure() }),
      measureSchema(z.literal('share').describe('The part of the measure from rows that satisfy `where`'), {
        of: lazyMeasure(),
        where: filterList(),
        percent,
      }),
      measureSchema(z.literal('share_of_total'), { of: lazyMeasure(), percent, within: groupDimensions }),
      measureSchema(z.literal('running_total'), { of: lazyMeasure() }),
      measureSchema(z.literal('rank'), {
        of: lazyMeasure(),
        direction: z.enum(['asc', 'desc']).default('desc'),
        dense: z.boolean().optional(),
        within: groupDimensions,
      }),
      measureSchema(z.literal('change'), {
        of: lazyMeasure(),
        percent,
        from: window.optional().describe('Earlier; default: the preceding period'),
        to: window.optional(),
        show: z.enum(['from', 'to']).optional(),
      }),
      measureSchema(z.enum(['groups_avg', 'groups_min', 'groups_max', 'groups_sum']).describe('Over all groups'), {
        of: lazyMeasure(),
        within: groupDimensions,
      }),
      measureSchema(z.literal('over_groups'), {
        take: z.enum(['avg', 'min', 'max', 'sum', 'median']),
        of: lazyMeasure(),
        by: shortListOf(planDimension).optional(),
        ...groups,
      }),
      measureSchema(z.literal('count_groups'), { by: shortListOf(planDimension).optional(), ...groups }),
    ]),
  ])
  .meta({ id: 'PlanMeasure' }) as z.ZodType<unknown> as z.ZodType<PlanMeasure>;

const order = z.strictObject({
  field: name.optional().describe('A field, a metric or a column of the result'),
  measure: lazyMeasure().optional(),
  direction: z.enum(['asc', 'desc']).default('asc'),
  nulls: z.enum(['first', 'last']).optional().describe('Default last'),
});

export const plan = z.strictObject({
  metrics: z.array(name).max(50).optional().describe('Without metrics and measures, dimensions are listed'),
  measures: z.array(planMeasure).max(50).optional(),
  dimensions: z.array(planDimension).max(50).optional(),
  rows: name.optional().describe('The dataset to list'),
  filters: z.array(planFilter).max(100).optional(),
  time: window.optional().describe('A period of one date; to is exclusive'),
  having: z.array(having).max(20).optional().describe('Conditions on groups'),
  per: groups.per,
  every: name
    .optional()
    .describe(
      'A dataset, or a period among the dimensions (paid_on.month): each row or period gets a group, even with nothing to measure',
    ),
  order_by: z.array(order).max(20).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  offset: z.int().min(0).max(1_000_000).optional(),
  limit_per: z
    .strictObject({
      by: shortListOf(planDimension),
      rows: z.int().min(1).max(1000),
      ties: z.boolean().optional().describe('Also rows that tie with the last'),
    })
    .optional()
    .describe('First rows of each group, by order_by'),
  distinct: z.boolean().optional().describe('Distinct rows of a listing'),
  answers: z
    .strictObject({
      question: z.string().max(10_000),
      leaves_out: z.array(z.string().max(200)).max(100).default([]),
    })
    .optional()
    .describe('The question. svc reads it too; if the plans differ, the answer is partial'),
});
/** Each example is a valid plan of the sample project. */
export const PLAN_EXAMPLES: z.input<typeof plan>[] = [
  { metrics: ['revenue'], dimensions: ['region'], time: { during: '2016' } },
  {
    measures: [
      {
        fn: 'ratio',
        of: [{ fn: 'metric', metric: 'revenue', where: [{ field: 'ship_mode', values: ['First Class'] }] }, 'revenue'],
        percent: true,
      },
    ],
    dimensions: ['order_date.year'],
  },
  {
    measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['customer_id'] }],
    filters: [
      {
        any: [
          { field: 'region', values: ['West'] },
          { field: 'sales', op: '>', than: { fn: 'avg', field: 'sales' } },
        ],
      },
    ],
  },
  {
    rows: 'orders',
    dimensions: ['customer_id', 'order_date'],
    order_by: [{ field: 'order_date', direction: 'desc' }],
    limit_per: { by: ['customer_id'], rows: 1 },
  },
];
export const planSchema = {
  ...(z.toJSONSchema(plan, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>),
  $id: '/schemas/plan.json',
  title: 'Plan',
  examples: PLAN_EXAMPLES,
};
