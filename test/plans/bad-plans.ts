// Generates invalid plans from valid ones with a seed. Each has the path of its error and the names that svc should
// suggest.

import { createRandom } from '../support/seeded.ts';
import { CASES } from './cases.ts';

export interface BadPlan {
  what: string;
  plan: Record<string, unknown>;
  /** The expected path of the error. */
  path: RegExp;
  /** svc must suggest one of these names. */
  neighbours: string[];
}
type Rng = () => number;
type Json = Record<string, unknown>;

const pick = <T>(rng: Rng, list: readonly T[]): T => list[Math.floor(rng() * list.length)]!;
function misspell(rng: Rng, word: string): string {
  const at = 1 + Math.floor(rng() * (word.length - 2));
  const forms = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
    `${word.slice(0, at)}x${word.slice(at)}`,
  ].filter((form) => form !== word);
  return pick(rng, forms);
}

const METRICS = ['revenue', 'job_count', 'late_jobs', 'paid', 'price_per_hour', 'minutes_worked'];
const DATASETS = ['clients', 'jobs', 'parts', 'job_parts', 'mechanics', 'skills', 'visits', 'payments'];
const TEXTS = ['jobs.kind', 'clients.city', 'clients.client_name', 'parts.category', 'payments.method'];
const NUMBERS = ['jobs.hours', 'jobs.price', 'visits.minutes', 'payments.amount', 'job_parts.quantity'];
const FIELDS = [...TEXTS, ...NUMBERS, 'jobs.opened', 'clients.joined', 'payments.paid_on'];
const AGGREGATES = ['sum', 'avg', 'min', 'max', 'median', 'count_distinct'];
const OPERATORS = ['between', 'contains', 'starts_with', 'ends_with', 'not_in', 'is_null', 'is_not_null'];
const fieldNameOf = (field: string): string => field.split('.')[1]!;
const near = (field: string): string => field.split('.')[0]!;

/** A valid plan, to which one error is added. */
const validPlan = (rng: Rng): Json => structuredClone(pick(rng, CASES).plan) as Json;
const grouped = (rng: Rng): Json => ({
  metrics: ['revenue'],
  dimensions: [pick(rng, ['jobs.kind', 'place.region', 'clients.city'])],
});
const list = (plan: Json, key: string): unknown[] => {
  const ownItems = (plan[key] as unknown[] | undefined) ?? [];
  plan[key] = ownItems;
  return ownItems;
};
const put = (plan: Json, key: string, value: unknown): string => `${key}[${list(plan, key).push(value) - 1}]`;
const literal = (text: string): string => text.replace(/[.[\]]/g, '\\$&');
const at = (path: string): RegExp => new RegExp(`^${literal(path)}`);

const MAKERS: ((rng: Rng) => BadPlan)[] = [
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, METRICS);
    const path = put(plan, 'measures', { fn: 'metric', metric: misspell(rng, intendedName), as: 'bad' });
    return { what: 'a metric misspelt', plan, path: at(`${path}.metric`), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = { ...grouped(rng) };
    const intendedName = pick(rng, METRICS);
    const path = put(plan, 'metrics', misspell(rng, intendedName));
    return { what: 'a metric of the list misspelt', plan, path: at(path), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, FIELDS);
    const path = put(plan, 'dimensions', `${near(intendedName)}.${misspell(rng, fieldNameOf(intendedName))}`);
    return { what: 'a field misspelt', plan, path: at(path), neighbours: [fieldNameOf(intendedName)] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, DATASETS);
    const path = put(plan, 'filters', { exists: misspell(rng, intendedName) });
    return { what: 'a dataset misspelt', plan, path: at(`${path}.exists`), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, FIELDS);
    const path = put(plan, 'filters', {
      any: [{ not: { field: `${near(intendedName)}.${misspell(rng, fieldNameOf(intendedName))}`, values: ['1'] } }],
    });
    return {
      what: 'a field misspelt deep inside',
      plan,
      path: at(`${path}.any[0].not.field`),
      neighbours: [fieldNameOf(intendedName)],
    };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, AGGREGATES);
    const path = put(plan, 'measures', { fn: misspell(rng, intendedName), field: 'jobs.price' });
    return { what: 'a function misspelt', plan, path: at(path), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, OPERATORS);
    const path = put(plan, 'filters', { field: 'jobs.kind', op: misspell(rng, intendedName), values: ['radio'] });
    return { what: 'an operator misspelt', plan, path: at(`${path}.op`), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, [
      'metrics',
      'measures',
      'dimensions',
      'filters',
      'having',
      'order_by',
      'limit',
      'distinct',
    ]);
    const wrong = misspell(rng, intendedName);
    plan[wrong] = [];
    return { what: 'a member misspelt', plan, path: at(wrong), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, ['where', 'field']);
    const wrong = misspell(rng, intendedName);
    const measure =
      intendedName === 'field' ? { fn: 'sum', [wrong]: 'jobs.price' } : { fn: 'sum', field: 'jobs.price', [wrong]: [] };
    const path = put(plan, 'measures', measure);
    return { what: 'a member of a measure misspelt', plan, path: at(path), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const intendedName = pick(rng, ['at_least', 'at_most', 'exactly', 'where']);
    const wrong = misspell(rng, intendedName);
    const path = put(plan, 'filters', { exists: 'jobs', [wrong]: 1 });
    return { what: 'a member of a condition misspelt', plan, path: at(path), neighbours: [intendedName] };
  },
  (rng) => {
    const plan = grouped(rng);
    const path = put(plan, 'measures', {
      fn: pick(rng, ['sum', 'avg']),
      field: pick(rng, ['jobs.kind', 'clients.city', 'jobs.opened']),
    });
    return {
      what: 'a sum of what is no number',
      plan,
      path: at(`${path}.field`),
      neighbours: ['hours', 'price', 'count', 'count_distinct'],
    };
  },
  (rng) => {
    const plan = validPlan(rng);
    const path = put(
      plan,
      'dimensions',
      `${pick(rng, NUMBERS.slice(0, 2))}.${pick(rng, ['month', 'year', 'weekday', 'hour'])}`,
    );
    return { what: 'a period of what is no date', plan, path: at(path), neighbours: ['opened', 'promised', 'closed'] };
  },
  (rng) => {
    const plan: Json = { metrics: ['revenue'] };
    const path = put(
      plan,
      'dimensions',
      pick(rng, ['parts.category', 'parts.part_name', 'payments.method', 'mechanics.mechanic_name']),
    );
    return { what: 'a dimension on the many side', plan, path: at(path), neighbours: ['through'] };
  },
  (rng) => {
    const plan: Json = { measures: [{ fn: 'sum', field: 'jobs.hours' }] };
    const field = pick(rng, ['payments.method', 'parts.category', 'mechanics.mechanic_name']);
    const path = put(plan, 'filters', { field, op: 'is_not_null' });
    return { what: 'a condition on the many side', plan, path: at(`${path}.field`), neighbours: ['exists'] };
  },
  (rng) => {
    const plan: Json = { metrics: [pick(rng, ['minutes_worked'])] };
    const path = put(plan, 'dimensions', pick(rng, ['parts.category', 'skills.skill_name', 'payments.method']));
    return { what: 'a dimension of rows beside', plan, path: at(path), neighbours: ['through'] };
  },
  (rng) => {
    const plan = grouped(rng);
    const op = pick(rng, ['>', '=', 'between']);
    const values = op === 'between' ? [1] : [1, 2];
    const path = put(plan, 'having', { measure: 'revenue', op, values });
    return {
      what: 'too many or too few values of a group',
      plan,
      path: at(`${path}.values`),
      neighbours: ['1 value', '2 values'],
    };
  },
  (rng) => {
    const plan = grouped(rng);
    const path = put(plan, 'order_by', { field: pick(rng, ['jobs.hours', 'jobs.rating', 'place.site_name']) });
    return { what: 'an order by what is no column', plan, path: at(path), neighbours: ['dimensions'] };
  },
  (rng) => {
    const plan = validPlan(rng);
    plan['order_by'] = [{ field: misspell(rng, 'revenue') }];
    return { what: 'an order by a name misspelt', plan, path: at('order_by[0].field'), neighbours: ['revenue'] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const path = put(plan, 'filters', { field: pick(rng, NUMBERS.slice(0, 2)), op: 'between', values: [9, 3] });
    return { what: 'ends the wrong way round', plan, path: at(`${path}.values`), neighbours: ['lower value first'] };
  },
  (rng) => {
    const plan: Json = { metrics: ['job_count'] };
    const op = pick(rng, ['>', '=', 'between', 'contains']);
    const path = put(plan, 'filters', { field: op === 'contains' ? 'jobs.kind' : 'jobs.hours', op, values: [] });
    return { what: 'no value', plan, path: at(`${path}`), neighbours: ['takes 1 value', 'takes 2 value'] };
  },
  (rng) => {
    const plan: Json = { metrics: ['job_count'] };
    const during = pick(rng, ['last 7 moons', 'lastt month', '2024-13', 'soon', 'next week', 'last 0 days', 'Q2']);
    const path = put(plan, 'filters', { field: 'jobs.opened', during });
    return { what: 'a period that is none', plan, path: at(`${path}.during`), neighbours: ['last 7 days'] };
  },
  (rng) => {
    const plan: Json = { rows: 'parts', dimensions: ['parts.part_name'] };
    const path = put(plan, 'filters', { exists: pick(rng, ['mechanics', 'skills', 'mechanic_skills']) });
    return { what: 'rows that are not related', plan, path: at(`${path}.exists`), neighbours: ['job_parts'] };
  },
  (rng) => {
    const plan = grouped(rng);
    const fn = pick(rng, ['share_of_total', 'groups_sum']);
    const of = pick(rng, [
      { fn: 'avg', field: 'jobs.price' },
      { fn: 'count_distinct', field: 'jobs.kind' },
      'price_per_hour',
    ]);
    const path = put(plan, 'measures', { fn, of });
    return { what: 'what does not add up, added up', plan, path: at(path), neighbours: ['average'] };
  },
  (rng) => {
    const plan = grouped(rng);
    const path = put(plan, 'measures', { fn: pick(rng, ['change', 'running_total']), of: 'revenue' });
    return { what: 'an order in time without a date', plan, path: at(path), neighbours: ['date among the dimensions'] };
  },
  (rng) => {
    const [plan, path] = pick<[Json, string]>(rng, [
      [{ metrics: ['revenue'], offset: 2 }, 'offset'],
      [{ metrics: ['revenue'], every: 'clients' }, 'every'],
      [{ metrics: ['revenue'], dimensions: ['jobs.kind'], rows: 'jobs' }, 'rows'],
      [{ dimensions: ['jobs.kind'], rows: 'jobs', every: 'jobs' }, 'every'],
      [{ dimensions: ['jobs.kind'], distinct: true, limit_per: { by: ['jobs.kind'], rows: 1 } }, 'limit_per'],
      [
        {
          metrics: ['revenue'],
          dimensions: [{ field: 'jobs.kind', where: [{ field: 'jobs.kind', values: ['radio'] }] }],
        },
        'dimensions[0].where',
      ],
      [
        { metrics: ['revenue'], measures: [{ fn: 'difference', of: ['paid', 'revenue'], percent: true }] },
        'measures[0].percent',
      ],
      [{ metrics: ['revenue'], choices: { nobody: 'x' } }, 'choices.nobody'],
      [{ metrics: ['revenue'], limit_per: { by: ['jobs.kind'], rows: 1 } }, 'limit_per'],
      [
        { metrics: ['revenue'], filters: [{ field: 'jobs.opened', during: '2024', values: ['2024-01-01'] }] },
        'filters[0].during',
      ],
      [{ metrics: ['revenue'], time: { during: '2024', from: '2024-01-01' } }, 'time.during'],
      [{ metrics: ['revenue'], filters: [{ not_exists: 'payments', at_least: 2 }] }, 'filters[0]'],
    ]);
    return {
      what: 'a member without a use',
      plan,
      path: at(path),
      neighbours: [
        'dimension',
        'every',
        'rows',
        'distinct',
        'through',
        'filters',
        'ratio',
        'filter',
        'values',
        'from',
        'exists',
      ],
    };
  },
  (rng) => {
    const plan = grouped(rng);
    plan['measures'] = [
      { fn: 'count', rows: 'jobs', as: 'n' },
      { fn: 'sum', field: pick(rng, NUMBERS), as: 'n' },
    ];
    return { what: 'two columns of one name', plan, path: at('measures[1].as'), neighbours: ['another'] };
  },
  (rng) => {
    const plan: Json = { metrics: ['job_count'] };
    const op = pick(rng, ['contains', 'starts_with', 'ends_with']);
    const path = put(plan, 'filters', {
      field: pick(rng, ['jobs.hours', 'jobs.opened', 'jobs.rating']),
      op,
      values: ['1'],
    });
    return { what: 'part of a text of what is none', plan, path: at(path), neighbours: ['string field'] };
  },
  (rng) => {
    const plan = grouped(rng);
    const path = put(plan, 'dimensions', { field: pick(rng, ['jobs.kind', 'jobs.opened']), bin: 10, as: 'step' });
    return { what: 'bins of what is no number', plan, path: at(`${path}.bin`), neighbours: ['hours', 'price'] };
  },
  (rng) => {
    const plan: Json = { metrics: ['job_count'] };
    const [left, other] = pick(rng, [
      ['jobs.hours', 'jobs.opened'],
      ['jobs.opened', 'jobs.price'],
      ['jobs.kind', 'jobs.hours'],
    ]);
    const path = put(plan, 'filters', { field: left, op: '>', other: { field: other } });
    return { what: 'two fields of different kinds', plan, path: at(path), neighbours: [other] };
  },
  (rng) => {
    const plan = validPlan(rng);
    const [key, value, neighbour] = pick<[string, unknown, string]>(rng, [
      ['limit', 'ten', 'number'],
      ['limit', 0, '1'],
      ['limit', 5001, '5000'],
      ['offset', -1, '0'],
      ['metrics', 'revenue', 'list'],
      ['dimensions', { field: 'jobs.kind' }, 'list'],
      ['distinct', 'yes', 'true or false'],
      ['order_by', [{ field: 'kind', direction: 'down' }], 'desc'],
      ['time', '2024', 'object'],
      ['per', [], 'empty'],
    ]);
    plan[key] = value;
    return { what: `a ${key} of another kind`, plan, path: at(key), neighbours: [neighbour] };
  },
];

export const badPlans = (seed: number, count: number): BadPlan[] => {
  const rng = createRandom(seed);
  return Array.from({ length: count }, (_one, index) => MAKERS[index % MAKERS.length]!(rng));
};
