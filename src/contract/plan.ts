// A plan is a governed question in the names of a lens. Apps, agents, models and the reader share this schema.
import { z } from 'zod';
import { OPERATORS, type PlanFilter, type PlanMeasure, type PlanValue } from './plan-types.ts';

const AGGREGATE_FUNCTIONS = ['count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const;
const SPAN_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** svc never reads more than this number of rows of a result. */
export const MAX_LIMIT = 5000;
const nameSchema = z.string().min(1).max(200);
const metricNameSchema = z
  .string({
    error: ({ input }) =>
      typeof input === 'object' && input !== null
        ? 'must be the name of a metric, not an object. Put the object into `measures`'
        : undefined,
  })
  .min(1)
  .max(200);
const columnNameSchema = nameSchema.optional();
// Rejects larger integers, because the JSON parser rounds them and the answer would be about another number.
const exactNumberSchema = z
  .number()
  .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value), 'Write integers beyond 2^53 as strings');
const valuesSchema = z
  .array(z.union([z.string().max(10_000), exactNumberSchema, z.boolean()]))
  .max(1000)
  .default([])
  .describe('Dates can be today');
const operatorSchema = z.enum(OPERATORS).default('=');
const periodSchema = z
  .string()
  .min(1)
  .max(60)
  .describe(
    '2024, 2024-Q2, 2024-03, 2024-03-15, today, this month, this year so far, previous quarter, last 7 days (before today), last 7 days from today (and today)',
  );
const createShortListSchema = <T extends z.ZodType>(itemSchema: T) => z.array(itemSchema).min(1).max(20);
const countSchema = z.int().min(0).max(1_000_000_000).optional();

// Plans are recursive, so zod must resolve these schemas while it parses a plan.
const createDeferredFilterSchema = () => z.lazy(() => planFilterSchema);
const createDeferredValueSchema = () => z.lazy(() => planValueSchema);
const createDeferredMeasureSchema = () => z.lazy(() => planMeasureSchema);
const createFilterListSchema = () => z.array(createDeferredFilterSchema()).min(1).max(100);

const comparisonSchema = z.strictObject({
  field: nameSchema.describe('As in dimensions. In the outermost filters, a metric restricts groups'),
  op: operatorSchema,
  values: valuesSchema,
  other: z
    .strictObject({
      field: nameSchema,
      plus: z.strictObject({ amount: z.int().min(-100_000).max(100_000), unit: z.enum(SPAN_UNITS) }).optional(),
    })
    .optional()
    .describe('Instead of values: another field'),
  than: z
    .strictObject({
      fn: z.enum(['count', ...AGGREGATE_FUNCTIONS]),
      field: nameSchema,
      where: createFilterListSchema().optional(),
      per: createShortListSchema(nameSchema).optional().describe('Only over rows with the same values'),
    })
    .optional()
    .describe('Instead of values: an aggregate over all rows'),
  or_null: z.boolean().optional(),
  during: periodSchema.optional().describe('Instead of op: a period'),
});
const roleNameSchema = nameSchema.optional().describe('The role, if several joins fit');
const sharedPathSchema = nameSchema.optional();
const existsSchema = z.strictObject({
  exists: nameSchema.describe('Requires related rows of this dataset'),
  via: roleNameSchema,
  sharing: sharedPathSchema,
  where: createFilterListSchema().optional(),
  at_least: countSchema,
  at_most: countSchema,
  exactly: countSchema,
});
const notExistsSchema = z.strictObject({
  not_exists: nameSchema,
  via: roleNameSchema,
  sharing: sharedPathSchema,
  where: createFilterListSchema().optional(),
});
export const planFilterSchema: z.ZodType<PlanFilter> = z
  .union([
    comparisonSchema,
    existsSchema,
    notExistsSchema,
    z.strictObject({ any: createFilterListSchema() }),
    z.strictObject({ all: createFilterListSchema() }),
    z.strictObject({ not: createDeferredFilterSchema() }),
  ])
  .meta({ id: 'PlanFilter' });

export const planValueSchema: z.ZodType<PlanValue> = z
  .union([
    nameSchema,
    exactNumberSchema,
    z.strictObject({ field: nameSchema, or: exactNumberSchema.describe('If the field is null') }),
    z.strictObject({
      op: z.enum(['+', '-', '*', '/']).describe('Division by 0 is null'),
      of: z.array(createDeferredValueSchema()).min(2).max(8),
    }),
    z.strictObject({
      items: nameSchema.describe('The number of items in a string'),
      separator: z.string().length(1).default(','),
    }),
    z.strictObject({
      from: nameSchema,
      to: nameSchema,
      in: z.enum(['seconds', 'minutes', 'hours', 'days', 'months']).describe('months: calendar months'),
    }),
  ])
  .meta({ id: 'PlanValue' });

const planDimensionSchema = z.union([
  nameSchema.describe(
    'dataset.field, role.field or the field alone. Dates take .day .week .month .quarter .year .weekday .hour .day_of_month .week_of_year .month_of_year .quarter_of_year .year_number',
  ),
  z.strictObject({
    field: nameSchema,
    bin: z.number().positive().max(1e15).optional().describe('Bin width'),
    through: nameSchema.optional().describe('For the many side: the linking dataset'),
    where: createFilterListSchema().optional().describe('Restricts the linking rows'),
    as: columnNameSchema,
  }),
  z.strictObject({ value: planValueSchema, bin: z.number().positive().max(1e15).optional(), as: nameSchema }),
  z.strictObject({
    when: createFilterListSchema().describe('True if all filters match'),
    as: nameSchema,
  }),
]);

const timeWindowSchema = z.strictObject({
  field: nameSchema.optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  during: periodSchema.optional(),
});
const havingSchema = z.strictObject({
  measure: createDeferredMeasureSchema(),
  op: z.enum(['=', '!=', '>', '>=', '<', '<=', 'between']),
  values: z.array(exactNumberSchema).max(2).default([]),
  than: createDeferredMeasureSchema().optional().describe('Instead of values: another measure'),
});

const groupDimensionsSchema = createShortListSchema(planDimensionSchema)
  .optional()
  .describe('Only among groups with the same values');
const whereSchema = createFilterListSchema()
  .optional()
  .describe('Only rows that match. Keeps groups without such rows');
const measureGroupMembers = {
  per: createShortListSchema(nameSchema).optional().describe('Datasets: each row is a group'),
  every: nameSchema.optional().describe('As in the plan'),
  having: createShortListSchema(havingSchema).optional(),
};
const percentSchema = z.boolean().optional();
const createMeasureSchema = <F extends z.ZodLiteral | z.ZodEnum, M extends z.ZodRawShape>(fn: F, members: M) =>
  z.strictObject({ fn, ...members, as: columnNameSchema });
export const planMeasureSchema: z.ZodType<PlanMeasure> = z
  .union([
    nameSchema.describe('A metric'),
    z.discriminatedUnion('fn', [
      createMeasureSchema(z.literal('metric'), { metric: nameSchema, where: whereSchema }),
      // `bindPlan` checks that a count has either `rows` or `field`, and that another aggregate has either `field` or
      // `value`.
      createMeasureSchema(z.literal('count'), {
        rows: nameSchema.optional().describe('The dataset to count'),
        field: nameSchema.optional().describe('The field to count'),
        where: whereSchema,
      }),
      createMeasureSchema(z.enum(AGGREGATE_FUNCTIONS), {
        field: nameSchema.optional(),
        value: planValueSchema.optional().describe('Instead of field: computed for each row'),
        where: whereSchema,
      }),
      createMeasureSchema(z.literal('list').describe('Sorted values as one string'), {
        field: nameSchema,
        distinct: z.boolean().optional(),
        separator: z.string().min(1).max(10).default(', '),
        where: whereSchema,
      }),
      createMeasureSchema(z.enum(['ratio', 'difference', 'total']), {
        of: z.array(createDeferredMeasureSchema()).length(2).describe('Two measures. A difference of dates is in days'),
        percent: percentSchema,
      }),
      createMeasureSchema(z.enum(['product', 'quotient']).describe('Multiply or divide by a number'), {
        of: createDeferredMeasureSchema(),
        by: exactNumberSchema,
      }),
      createMeasureSchema(z.literal('round'), {
        of: createDeferredMeasureSchema(),
        digits: z.int().min(0).max(10).default(0),
      }),
      createMeasureSchema(z.literal('or_zero').describe('0 if no rows match'), {
        of: createDeferredMeasureSchema(),
      }),
      createMeasureSchema(z.literal('share').describe('The part from rows that satisfy `where`'), {
        of: createDeferredMeasureSchema(),
        where: createFilterListSchema(),
        percent: percentSchema,
      }),
      createMeasureSchema(z.literal('share_of_total'), {
        of: createDeferredMeasureSchema(),
        percent: percentSchema,
        within: groupDimensionsSchema,
      }),
      createMeasureSchema(z.literal('running_total'), { of: createDeferredMeasureSchema() }),
      createMeasureSchema(z.literal('rank'), {
        of: createDeferredMeasureSchema(),
        direction: z.enum(['asc', 'desc']).default('desc'),
        dense: z.boolean().optional(),
        within: groupDimensionsSchema,
      }),
      createMeasureSchema(z.literal('change'), {
        of: createDeferredMeasureSchema(),
        percent: percentSchema,
        from: timeWindowSchema.optional().describe('Earlier. Default: the previous period'),
        to: timeWindowSchema.optional(),
        show: z.enum(['from', 'to']).optional(),
      }),
      createMeasureSchema(
        z.enum(['groups_avg', 'groups_min', 'groups_max', 'groups_sum']).describe('Over all groups'),
        {
          of: createDeferredMeasureSchema(),
          within: groupDimensionsSchema,
        },
      ),
      createMeasureSchema(z.literal('over_groups'), {
        take: z.enum(['avg', 'min', 'max', 'sum', 'median']),
        of: createDeferredMeasureSchema(),
        by: createShortListSchema(planDimensionSchema).optional(),
        ...measureGroupMembers,
      }),
      createMeasureSchema(z.literal('count_groups'), {
        by: createShortListSchema(planDimensionSchema).optional(),
        ...measureGroupMembers,
      }),
    ]),
  ])
  .meta({ id: 'PlanMeasure' }) as z.ZodType<unknown> as z.ZodType<PlanMeasure>;

const orderSchema = z.strictObject({
  field: nameSchema.optional().describe('A field, metric or column of the result'),
  measure: createDeferredMeasureSchema().optional(),
  direction: z.enum(['asc', 'desc']).default('asc'),
  nulls: z.enum(['first', 'last']).optional().describe('Default last'),
});

export const planSchema = z.strictObject({
  metrics: z.array(metricNameSchema).max(50).optional().describe('Without metrics and measures: a listing'),
  measures: z.array(planMeasureSchema).max(50).optional(),
  dimensions: z.array(planDimensionSchema).max(50).optional(),
  rows: nameSchema.optional().describe('The dataset to list'),
  filters: z.array(planFilterSchema).max(100).optional(),
  time: timeWindowSchema.optional().describe('Ends: dates or today. `to` is exclusive'),
  having: z.array(havingSchema).max(20).optional().describe('Conditions on groups'),
  per: measureGroupMembers.per,
  every: nameSchema
    .optional()
    .describe(
      'A dataset, or a period among the dimensions (paid_on.month): each row or period gets a group, even without measured rows',
    ),
  order_by: z.array(orderSchema).max(20).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  offset: z.int().min(0).max(1_000_000).optional(),
  limit_per: z
    .strictObject({
      by: createShortListSchema(planDimensionSchema),
      rows: z.int().min(1).max(1000),
      ties: z.boolean().optional().describe('Also rows tied with the last row'),
    })
    .optional()
    .describe('The first rows of each group, by order_by'),
  distinct: z.boolean().optional().describe('List each combination once'),
  answers: z
    .strictObject({
      question: z.string().max(10_000),
      leaves_out: z.array(z.string().max(200)).max(100).default([]),
    })
    .optional()
    .describe('The question. If svc can’t read it or reads it differently, the answer is partial'),
});
/** Each example is a valid plan of the sample project. */
export const PLAN_EXAMPLES: z.input<typeof planSchema>[] = [
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
export const planJsonSchema = {
  ...(z.toJSONSchema(planSchema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>),
  $id: '/schemas/plan.json',
  title: 'Plan',
  examples: PLAN_EXAMPLES,
};
