// What a model's spans prove, and what they don't: the lens's own words decide.
import { describe, expect, it } from 'vitest';
import { claims } from '../../../../test/models/claims.ts';
import { LYING_PLANS } from '../../../../test/models/lying-plans.ts';
import { SHOP } from '../../../../test/support/app.ts';
import { superstore } from '../../../../test/support/planner-lenses.ts';
import { type MetricsBody, metricsBody } from '../../../contract/ask.ts';
import { plan } from '../../../contract/plan.ts';
import { compileLens } from '../../../lens/compile-lens.ts';
import { loadProjectFolder } from '../../../lens/load-project-folder.ts';
import { readProject } from '../../../lens/read-project.ts';
import { accountFor } from './account-words.ts';

type Spans = [text: string, part: string][];
const account = (question: string, plan: object, spans: Spans) =>
  accountFor(
    superstore,
    question,
    metricsBody.parse(plan) as MetricsBody,
    spans.map(([text, part]) => ({ text, part })),
  );
const MEAN = { measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.region'] }] };
const WEST = { metrics: ['revenue'], filters: [{ field: 'orders.region', op: '=', values: ['West'] }] };

describe('12: a plan that is the question, word by word', () => {
  it.each<[string, object, Spans]>([
    ['What is the average revenue per region?', MEAN, [['average revenue per region', 'measures[0]']]],
    [
      'revenue in the West',
      WEST,
      [
        ['revenue', 'metrics[0]'],
        ['West', 'filters[0]'],
      ],
    ],
    [
      'top 3 states by profit in 2016',
      {
        metrics: ['profit'],
        dimensions: ['orders.state'],
        time: { during: '2016' },
        order_by: [{ field: 'profit', direction: 'desc' }],
        limit: 3,
      },
      [
        ['profit', 'metrics[0]'],
        ['states', 'dimensions[0]'],
        ['top', 'order_by[0]'],
        ['3', 'limit'],
        ['2016', 'time'],
      ],
    ],
    [
      'revenue by region without West',
      {
        metrics: ['revenue'],
        dimensions: ['orders.region'],
        filters: [{ field: 'orders.region', op: '!=', values: ['West'] }],
      },
      [
        ['revenue', 'metrics[0]'],
        ['region', 'dimensions[0]'],
        ['without West', 'filters[0]'],
      ],
    ],
  ])('%s', (question, plan, spans) => {
    expect(account(question, plan, spans)).toEqual({ open: [], unsaid: [] });
  });
});

const y2016 = { from: '2016-01-01', to: '2017-01-01' };
/** Written beside lying-plans.ts, before it was seen what is made of them. */
const TRUE_PLANS: readonly [question: string, plan: object][] = [
  [
    'total sales in the West',
    { metrics: ['revenue'], filters: [{ field: 'orders.region', op: '=', values: ['West'] }] },
  ],
  ['how many customers are there by segment', { metrics: ['customers'], dimensions: ['orders.segment'] }],
  [
    'profit and revenue by region and segment',
    { metrics: ['profit', 'revenue'], dimensions: ['orders.region', 'orders.segment'] },
  ],
  [
    'revenue since 2016 by month',
    { metrics: ['revenue'], dimensions: ['orders.order_date.month'], time: { from: '2016-01-01' } },
  ],
  ['revenue before 2017', { metrics: ['revenue'], time: { to: '2017-01-01' } }],
  ['quarterly revenue in 2016', { metrics: ['revenue'], dimensions: ['orders.order_date.quarter'], time: y2016 }],
  ['revenue in Q2 2016', { metrics: ['revenue'], time: { during: '2016-Q2' } }],
  ['revenue in March 2016', { metrics: ['revenue'], time: { during: '2016-03' } }],
  ['revenue last month', { metrics: ['revenue'], time: { during: 'previous month' } }],
  [
    'customers in the West or East',
    { metrics: ['customers'], filters: [{ field: 'orders.region', op: 'in', values: ['East', 'West'] }] },
  ],
  [
    'revenue excluding Consumer',
    { metrics: ['revenue'], filters: [{ field: 'orders.segment', op: '!=', values: ['Consumer'] }] },
  ],
  [
    'which region has the lowest profit',
    { metrics: ['profit'], dimensions: ['orders.region'], order_by: [{ field: 'profit', direction: 'asc' }], limit: 1 },
  ],
  [
    'regions with revenue over 500',
    { metrics: ['revenue'], dimensions: ['orders.region'], having: [{ measure: 'revenue', op: '>', values: [500] }] },
  ],
];

/** "Sales" are the metric and the field: whether totals or rows are meant, words do not say. */
const OF_TWO_SENSES: typeof TRUE_PLANS = [
  [
    'the median sales of each area',
    { measures: [{ fn: 'median', field: 'orders.sales' }], dimensions: ['orders.region'] },
  ],
  [
    'number of order lines with sales of at least 100',
    { measures: [{ fn: 'count', rows: 'orders' }], filters: [{ field: 'orders.sales', op: '>=', values: [100] }] },
  ],
];

describe('12: over the shop', async () => {
  const { project } = readProject(await loadProjectFolder(SHOP));
  const { lens } = await compileLens(project.lenses[0]!, { ...project, dialect: 'duckdb' });
  const accounted = (question: string, given: object) => {
    const { open, unsaid } = accountFor(lens!, question, metricsBody.parse(plan.parse(given)), claims(question, given));
    return [...open, ...unsaid];
  };
  it.each(TRUE_PLANS)('%s', (question, given) => {
    expect(accounted(question, given)).toEqual([]);
  });
  it.each([...LYING_PLANS, ...OF_TWO_SENSES])('not %s', (question, given) => {
    expect(accounted(question, given)).not.toEqual([]);
  });
});

describe('12: a plan that is another question, whatever its spans say', () => {
  it.each<[string, string, object, Spans, RegExp]>([
    [
      'takes a strange word for a metric',
      'dough in the West',
      WEST,
      [
        ['dough', 'metrics[0]'],
        ['West', 'filters[0]'],
      ],
      /dough/,
    ],
    ['says nothing of a word', 'revenue in the West', { metrics: ['revenue'] }, [['revenue', 'metrics[0]']], /West/],
    [
      'has another measure',
      'revenue in the West',
      { ...WEST, metrics: ['profit'] },
      [
        ['revenue', 'metrics[0]'],
        ['West', 'filters[0]'],
      ],
      /revenue/,
    ],
    [
      'has another value',
      'revenue in the East',
      WEST,
      [
        ['revenue', 'metrics[0]'],
        ['East', 'filters[0]'],
      ],
      /East/,
    ],
    [
      'turns a condition',
      'revenue without West',
      WEST,
      [
        ['revenue', 'metrics[0]'],
        ['without West', 'filters[0]'],
      ],
      /without/,
    ],
    [
      'adds a condition',
      'revenue',
      WEST,
      [
        ['revenue', 'metrics[0]'],
        ['revenue', 'filters[0]'],
      ],
      /filters\[0\]/,
    ],
    [
      'adds a condition within a measure',
      'average revenue per region',
      { measures: [{ ...MEAN.measures[0]!, of: { fn: 'metric', metric: 'revenue', where: WEST.filters } }] },
      [['average revenue per region', 'measures[0]']],
      /measures\[0\]/,
    ],
    [
      'takes another mean',
      'average revenue per region',
      { measures: [{ ...MEAN.measures[0]!, take: 'median' }] },
      [['average revenue per region', 'measures[0]']],
      /average/,
    ],
    [
      'limits',
      'revenue by state',
      { metrics: ['revenue'], dimensions: ['orders.state'], limit: 2 },
      [
        ['revenue', 'metrics[0]'],
        ['state', 'dimensions[0]'],
      ],
      /limit/,
    ],
    [
      'turns the order',
      'top 3 states by revenue',
      {
        metrics: ['revenue'],
        dimensions: ['orders.state'],
        order_by: [{ field: 'revenue', direction: 'asc' }],
        limit: 3,
      },
      [
        ['revenue', 'metrics[0]'],
        ['states', 'dimensions[0]'],
        ['3', 'limit'],
        ['revenue', 'order_by[0]'],
      ],
      /top/,
    ],
    [
      'has another number',
      'states with revenue over 500',
      { dimensions: ['orders.state'], having: [{ measure: 'revenue', op: '>', values: [5] }] },
      [
        ['states', 'dimensions[0]'],
        ['revenue over 500', 'having[0]'],
      ],
      /500/,
    ],
    [
      'points outside',
      'revenue',
      { metrics: ['revenue'] },
      [
        ['revenue', '__proto__'],
        ['revenue', 'constructor.name'],
        ['revenue', ''],
      ],
      /revenue/,
    ],
    [
      'claims everything at once',
      'which supplier is cheapest',
      { metrics: ['revenue'] },
      [['which supplier is cheapest', 'metrics[0]']],
      /supplier/,
    ],
  ])('that %s: %s', (_what, question, plan, spans, why) => {
    const { open, unsaid } = account(question, plan, spans);
    expect([...open, ...unsaid].join(' ')).toMatch(why);
  });
});
