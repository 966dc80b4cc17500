// The plan: a governed question in the names of a lens, the same for apps, agents, models and the planner. It is the body
// of /v1/lenses/{name}/metrics and the input of query_metrics, and served at /schemas/plan.json.
import { z } from 'zod';

export const OPERATORS = [
  '=',
  '!=',
  'in',
  'not_in',
  '>',
  '>=',
  '<',
  '<=',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'is_null',
  'is_not_null',
] as const;
const AGGREGATES = ['count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const;
const SPANS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

const name = z.string().min(1).max(200);
const as = name.optional().describe('Output column name');
// By the time such a number is read its digits are gone, and another one would be answered for.
const exactNumber = z
  .number()
  .refine((given) => !Number.isInteger(given) || Number.isSafeInteger(given), 'Write integers beyond 2^53 as strings');
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
    '2024, 2024-Q2, 2024-03, 2024-03-15, today, yesterday, this month, this year so far, previous quarter, last 7 days (before today), last 7 days from today (and today)',
  );
const few = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(20);
const count = z.int().min(0).max(1_000_000_000).optional();

export interface PlanAggregate {
  fn: 'count' | (typeof AGGREGATES)[number];
  field: string;
  where?: PlanFilter[];
  per?: string[];
}
export interface PlanComparison {
  field: string;
  op: (typeof OPERATORS)[number];
  values: (string | number | boolean)[];
  other?: { field: string; plus?: { amount: number; unit: (typeof SPANS)[number] } };
  than?: PlanAggregate;
  during?: string;
}
export interface PlanExists {
  exists?: string;
  not_exists?: string;
  via?: string;
  where?: PlanFilter[];
  at_least?: number;
  at_most?: number;
  exactly?: number;
}
export type PlanFilter =
  | PlanComparison
  | { any: PlanFilter[] }
  | { all: PlanFilter[] }
  | { not: PlanFilter }
  | PlanExists;
const filters = (): z.ZodType<PlanFilter[]> => z.array(planFilter).min(1).max(100);

const comparison = z.strictObject({
  field: name.describe(
    'dataset.field, role.field, or the bare field when unique; dates take .month and the like. A metric filters groups, on the outermost level',
  ),
  op,
  values,
  other: z
    .strictObject({
      field: name,
      plus: z.strictObject({ amount: z.int().min(-100_000).max(100_000), unit: z.enum(SPANS) }).optional(),
    })
    .optional()
    .describe('Instead of values: another field of the row, or so much later (earlier: a negative amount)'),
  than: z
    .strictObject({
      fn: z.enum(['count', ...AGGREGATES]),
      field: name,
      get where() {
        return filters().optional();
      },
      per: few(name).optional().describe('Over the rows with the same values of these'),
    })
    .optional()
    .describe('Instead of values: an aggregate over all rows of its dataset'),
  during: period.optional().describe(`Instead of op and values, of a date: ${period.description}`),
});
const via = name.optional().describe('The role along which they do, where there are several');
const exists = z.strictObject({
  exists: name.describe('There are rows of this dataset that lead to the row, or to what it leads to'),
  via,
  get where() {
    return filters().optional();
  },
  at_least: count,
  at_most: count,
  exactly: count,
});
const notExists = z.strictObject({
  not_exists: name.describe('There are no such rows'),
  via,
  get where() {
    return filters().optional();
  },
});
export const planFilter: z.ZodType<PlanFilter> = z
  .union([
    comparison,
    exists,
    notExists,
    z.strictObject({
      get any() {
        return filters();
      },
    }),
    z.strictObject({
      get all() {
        return filters();
      },
    }),
    z.strictObject({
      get not() {
        return planFilter;
      },
    }),
  ])
  .meta({ id: 'PlanFilter' });

export const planDimension = z.union([
  name.describe(
    'dataset.field, role.field or the bare field; dates take .day .week .month .quarter .year, or .weekday .hour .day_of_month .week_of_year .month_of_year .quarter_of_year',
  ),
  z.strictObject({
    field: name,
    bin: z.number().positive().max(1e15).optional().describe('Steps of this width, shown by their lower end'),
    through: name
      .optional()
      .describe('On the many side: the dataset between; each row counts once under each value that it leads to'),
    get where() {
      return filters().optional().describe('Only these rows of the dataset between');
    },
    as,
  }),
  z.strictObject({
    get when() {
      return filters().describe('yes where all of these hold, else no');
    },
    as: name,
  }),
]);
export type PlanDimension = z.infer<typeof planDimension>;

const window = z.strictObject({
  field: name.optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  during: period.optional(),
});
export type PlanWindow = z.infer<typeof window>;
export interface PlanHaving {
  measure: PlanMeasure;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
  than?: PlanMeasure;
}
const having = z.strictObject({
  get measure() {
    return planMeasure;
  },
  op: z.enum(['=', '!=', '>', '>=', '<', '<=', 'between']),
  values: z.array(exactNumber).max(2).default([]),
  get than() {
    return planMeasure.optional().describe('Instead of values: another measure of the same group');
  },
});

type Named = { as?: string };
type Groups = { by?: PlanDimension[]; per?: string[]; having?: PlanHaving[]; every?: string };
export type PlanMeasure =
  | string
  | ({ fn: 'metric'; metric: string; where?: PlanFilter[] } & Named)
  | ({ fn: 'count'; rows?: string; field?: string; where?: PlanFilter[] } & Named)
  | ({ fn: (typeof AGGREGATES)[number]; field: string; where?: PlanFilter[] } & Named)
  | ({ fn: 'ratio' | 'difference' | 'total'; of: PlanMeasure[]; percent?: boolean } & Named)
  | ({ fn: 'product' | 'quotient'; of: PlanMeasure; by: number } & Named)
  | ({ fn: 'round'; of: PlanMeasure; digits: number } & Named)
  | ({ fn: 'or_zero'; of: PlanMeasure } & Named)
  | ({ fn: 'share'; of: PlanMeasure; where: PlanFilter[]; percent?: boolean } & Named)
  | ({ fn: 'share_of_total'; of: PlanMeasure; percent?: boolean; within?: PlanDimension[] } & Named)
  | ({ fn: 'running_total'; of: PlanMeasure } & Named)
  | ({ fn: 'rank'; of: PlanMeasure; direction: 'asc' | 'desc'; dense?: boolean; within?: PlanDimension[] } & Named)
  | ({ fn: 'change'; of: PlanMeasure; percent?: boolean; from?: PlanWindow; to?: PlanWindow } & Named)
  | ({ fn: `groups_${'avg' | 'min' | 'max' | 'sum'}`; of: PlanMeasure; within?: PlanDimension[] } & Named)
  | ({ fn: 'over_groups'; take: 'avg' | 'min' | 'max' | 'sum' | 'median'; of: PlanMeasure } & Groups & Named)
  | ({ fn: 'count_groups' } & Groups & Named);

const only = () => filters().optional().describe('Only its rows that satisfy these; groups without such rows stay');
const groups = {
  per: few(name).optional().describe('Datasets, each of whose rows is a group'),
  every: name.optional().describe('Also its rows where there is nothing to measure'),
};
export const planMeasure: z.ZodType<PlanMeasure> = z
  .union([
    name.describe('A metric'),
    z.discriminatedUnion('fn', [
      z.strictObject({
        fn: z.literal('metric'),
        metric: name,
        get where() {
          return only();
        },
        as,
      }),
      z.strictObject({
        fn: z.literal('count'),
        rows: name.optional().describe('The dataset whose rows are counted'),
        field: name.optional().describe('The field whose values are counted'),
        get where() {
          return only();
        },
        as,
      }),
      z.strictObject({
        fn: z.enum(AGGREGATES),
        field: name,
        get where() {
          return only();
        },
        as,
      }),
      z.strictObject({
        fn: z.enum(['ratio', 'difference', 'total']),
        get of() {
          return z.array(planMeasure).length(2).describe('The two measures; of dates the difference is in days');
        },
        percent: z.boolean().optional().describe('Of a ratio'),
        as,
      }),
      z.strictObject({
        fn: z.enum(['product', 'quotient']).describe('Times or divided by a number'),
        get of() {
          return planMeasure;
        },
        by: exactNumber,
        as,
      }),
      z.strictObject({
        fn: z.literal('round'),
        get of() {
          return planMeasure;
        },
        digits: z.int().min(0).max(10).default(0).describe('Decimal places'),
        as,
      }),
      z.strictObject({
        fn: z.literal('or_zero').describe('0 where there is nothing to measure'),
        get of() {
          return planMeasure;
        },
        as,
      }),
      z.strictObject({
        fn: z.literal('share').describe('What the rows that satisfy `where` make of the whole'),
        get of() {
          return planMeasure;
        },
        get where() {
          return filters();
        },
        percent: z.boolean().optional(),
        as,
      }),
      z.strictObject({
        fn: z.literal('share_of_total'),
        get of() {
          return planMeasure;
        },
        percent: z.boolean().optional(),
        within: few(planDimension).optional().describe('Of the total of the groups with the same values of these'),
        as,
      }),
      z.strictObject({
        fn: z.literal('running_total'),
        get of() {
          return planMeasure;
        },
        as,
      }),
      z.strictObject({
        fn: z.literal('rank'),
        get of() {
          return planMeasure;
        },
        direction: z.enum(['asc', 'desc']).default('desc'),
        dense: z.boolean().optional(),
        within: few(planDimension).optional(),
        as,
      }),
      z.strictObject({
        fn: z.literal('change'),
        get of() {
          return planMeasure;
        },
        percent: z.boolean().optional(),
        from: window.optional().describe('The earlier period; without from and to: the period before each'),
        to: window.optional(),
        as,
      }),
      z.strictObject({
        fn: z.enum(['groups_avg', 'groups_min', 'groups_max', 'groups_sum']).describe('Over all groups of the result'),
        get of() {
          return planMeasure;
        },
        within: few(planDimension).optional(),
        as,
      }),
      z.strictObject({
        fn: z.literal('over_groups'),
        take: z.enum(['avg', 'min', 'max', 'sum', 'median']),
        get of() {
          return planMeasure;
        },
        by: few(planDimension).optional().describe('What groups of its own are formed by'),
        ...groups,
        get having() {
          return few(having).optional();
        },
        as,
      }),
      z.strictObject({
        fn: z.literal('count_groups'),
        by: few(planDimension).optional(),
        ...groups,
        get having() {
          return few(having).optional();
        },
        as,
      }),
    ]),
  ])
  .meta({ id: 'PlanMeasure' });

const order = z.strictObject({
  field: name.optional().describe('A field, a metric, or the name of a column of the result'),
  get measure() {
    return planMeasure.optional();
  },
  direction: z.enum(['asc', 'desc']).default('asc'),
  nulls: z.enum(['first', 'last']).optional().describe('Where what has no value stands; last unless said'),
});

export const plan = z.strictObject({
  metrics: z.array(name).max(50).optional().describe('Names of metrics; without measures the dimensions are listed'),
  measures: z.array(planMeasure).max(50).optional().describe('Shown after the metrics'),
  dimensions: z.array(planDimension).max(50).optional(),
  rows: name.optional().describe('Of a listing: the dataset whose rows are listed'),
  filters: z.array(planFilter).max(100).optional(),
  time: window.optional().describe('A period of one date: half-open from and to, or during'),
  having: z.array(having).max(20).optional().describe('Conditions on groups'),
  per: few(name).optional().describe('Datasets whose rows stay apart as groups, also where their names are the same'),
  every: name.optional().describe('Dataset each of whose rows has its group, also where nothing is measured'),
  order_by: z.array(order).max(20).optional(),
  limit: z.int().min(1).max(5000).optional(),
  offset: z.int().min(0).max(1_000_000).optional(),
  limit_per: z
    .strictObject({
      by: few(planDimension),
      rows: z.int().min(1).max(1000),
      ties: z.boolean().optional().describe('Also rows that are equal to the last of them'),
    })
    .optional()
    .describe(
      'The first rows for each value of these, in the order of order_by: 1 is the latest, the largest, the first',
    ),
  distinct: z.boolean().optional().describe('Of a listing; groups are distinct'),
  answers: z
    .strictObject({
      question: z.string().max(10_000),
      leaves_out: z
        .array(z.string().max(200))
        .max(100)
        .describe('Words of the question that the plan does not express'),
    })
    .optional()
    .describe(
      'The question that this plan answers. With words left out the answer is at most partial; without, svc reads the question too, and the answer is at most partial unless both are the same statement. Leave what a refusal proposed as it is',
    ),
});
/** Each is a plan of the sample project. */
export const PLAN_EXAMPLES: z.input<typeof plan>[] = [
  { metrics: ['revenue'], dimensions: ['orders.region'], time: { from: '2016-01-01', to: '2017-01-01' } },
  {
    measures: [
      { fn: 'count_distinct', field: 'orders.customer_id', as: 'buyers' },
      { fn: 'share_of_total', of: 'revenue', percent: true },
      { fn: 'change', of: 'revenue', percent: true, from: { during: '2016' }, to: { during: '2017' } },
    ],
    dimensions: ['orders.category'],
    having: [{ measure: 'revenue', op: '>', values: [10000] }],
    order_by: [{ field: 'buyers', direction: 'desc' }],
  },
  {
    measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.customer_id'] }],
    filters: [
      {
        any: [
          { field: 'orders.region', values: ['West'] },
          { field: 'orders.sales', op: '>', than: { fn: 'avg', field: 'orders.sales', per: ['orders.category'] } },
        ],
      },
    ],
  },
  {
    rows: 'orders',
    dimensions: ['orders.customer_id', 'orders.order_date', 'orders.sales'],
    filters: [
      { field: 'orders.ship_date', op: '>', other: { field: 'orders.order_date', plus: { amount: 5, unit: 'day' } } },
    ],
    order_by: [{ field: 'orders.order_date', direction: 'desc' }],
    limit_per: { by: ['orders.customer_id'], rows: 1 },
    limit: 20,
  },
];
export const planSchema = {
  ...(z.toJSONSchema(plan, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>),
  $id: '/schemas/plan.json',
  title: 'Plan',
  examples: PLAN_EXAMPLES,
};
