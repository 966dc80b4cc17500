// Lenses of four structures for the reader's tests: one wide table, two roles of one dataset, a shop, and a school.
import type { Datatype } from '../../src/contract/warehouse.ts';
import type {
  DefinitionSense,
  Lens,
  LensDataset,
  LensDefinition,
  LensField,
  LensMetric,
} from '../../src/lens/model/lens.ts';

interface FieldExtra {
  values?: (string | [value: string, ...synonyms: string[]])[];
  incomplete?: boolean;
  synonyms?: string[];
  unit?: string;
  masked?: boolean;
}
export const field = (name: string, datatype: Datatype, extra: FieldExtra = {}): LensField => ({
  name,
  datatype,
  description: null,
  synonyms: extra.synonyms ?? [],
  unit: extra.unit ?? null,
  masked: extra.masked ?? false,
  expression: null,
  dictionary: extra.values
    ? {
        complete: !extra.incomplete,
        values: extra.values.map((value) =>
          typeof value === 'string' ? { value: value, synonyms: [] } : { value: value[0], synonyms: value.slice(1) },
        ),
      }
    : null,
  dictionaryFromWarehouse: extra.values !== undefined,
});
export const dataset = (
  name: string,
  primaryKey: string[],
  fields: LensField[],
  extra: Partial<LensDataset> = {},
): LensDataset => ({
  name,
  source: { catalog: null, schema: 'main', table: name },
  description: null,
  synonyms: [],
  primaryKey,
  timeField: null,
  fields,
  ...extra,
});
export const metric = (
  name: string,
  expression: string,
  datasetName: string | null,
  extra: Partial<LensMetric> = {},
): LensMetric => ({
  name,
  description: `${name} as approved`,
  synonyms: [],
  unit: null,
  datatype: 'decimal',
  expression,
  filter: null,
  timeField: null,
  references: {
    fields: [...expression.matchAll(/(\w+)\.(\w+)/g)].map((match) => ({ dataset: match[1]!, field: match[2]! })),
    metrics: [...expression.matchAll(/metric\((\w+)\)/g)].map((match) => match[1]!),
    aggregates: [...expression.matchAll(/\b(sum|avg|count|min|max)\(/g)].map((match) => match[1]!),
  },
  home: datasetName,
  ...extra,
});
const definition = (term: string, extra: Partial<LensDefinition>): LensDefinition => ({
  term,
  synonyms: [],
  meaning: null,
  metric: null,
  filter: null,
  field: null,
  senses: [],
  ...extra,
});
const sense = (key: string, label: string, metricName: string): DefinitionSense => ({
  key,
  label,
  meaning: label,
  metric: metricName,
  filter: null,
  field: null,
});
export const relation = (from: string, column: string, to: string, key: string, role?: string) => ({
  role: role ?? to,
  named: role !== undefined,
  from: { dataset: from, columns: [column] },
  to: { dataset: to, columns: [key] },
});
export const lens = (
  name: string,
  parts: Pick<Lens, 'datasets' | 'relationships' | 'metrics'> & Partial<Lens>,
): Lens => ({
  name,
  title: name,
  description: '',
  connection: 'test',
  dialect: 'postgres',
  model: null,
  maxRowsToCompose: 200,
  maxRowsToReturn: 1000,
  timezone: 'UTC',
  dataAsOf: null,
  freshFor: null,
  definitions: [],
  rowPolicies: [],
  sampleQuestions: [],
  ...parts,
});

export const superstore = lens('superstore', {
  datasets: [
    dataset(
      'orders',
      ['row_id'],
      [
        field('row_id', 'integer'),
        field('order_id', 'string'),
        field('order_date', 'date'),
        field('ship_date', 'date'),
        field('ship_mode', 'string', { values: ['First Class', 'Second Class', 'Standard Class', 'Same Day'] }),
        field('customer_id', 'string'),
        field('customer_name', 'string', { masked: true }),
        field('segment', 'string', { values: ['Consumer', 'Corporate', ['Home Office', 'home']] }),
        field('city', 'string', { values: ['Seattle', 'Houston', 'New York City', 'Springfield'] }),
        field('state', 'string', { values: ['California', 'Texas', 'New York', 'Washington', ['Indiana', 'IN']] }),
        field('region', 'string', { values: ['West', 'East', 'Central', 'South'], synonyms: ['area'] }),
        field('product_id', 'string'),
        field('category', 'string', { values: ['Furniture', 'Office Supplies', 'Technology'] }),
        field('sub_category', 'string', { values: ['Chairs', 'Tables', 'Phones', 'Paper'] }),
        field('product_name', 'string'),
        field('sales', 'decimal', { unit: 'USD' }),
        field('quantity', 'integer'),
        field('discount', 'decimal'),
        field('profit', 'decimal', { unit: 'USD' }),
      ],
      { timeField: 'order_date', synonyms: ['order line', 'line'] },
    ),
  ],
  relationships: [],
  metrics: [
    metric('revenue', 'sum(orders.sales)', 'orders', { synonyms: ['sales', 'turnover'], unit: 'USD' }),
    metric('profit', 'sum(orders.profit)', 'orders', { unit: 'USD' }),
    metric('order_count', 'count(distinct orders.order_id)', 'orders', { synonyms: ['number of orders', 'orders'] }),
    metric('customers', 'count(distinct orders.customer_id)', 'orders', { synonyms: ['number of customers'] }),
    metric('average_discount', 'avg(orders.discount)', 'orders'),
    metric('profit_ratio', 'metric(profit) / nullif(metric(revenue), 0)', null),
  ],
  definitions: [
    definition('margin', {
      synonyms: ['profit margin'],
      senses: [sense('profit', 'Profit in USD', 'profit'), sense('ratio', 'Profit divided by sales', 'profit_ratio')],
    }),
    definition('big order line', { meaning: 'An order line above 1,000 USD.', filter: 'orders.sales > 1000' }),
  ],
});

export const flights = lens('flights', {
  datasets: [
    dataset(
      'flights',
      ['flight_id'],
      [
        field('flight_id', 'integer'),
        field('flight_date', 'datetime', { synonyms: ['date'] }),
        field('delay', 'integer', { unit: 'min' }),
        field('distance', 'integer', { unit: 'mi' }),
      ],
      { timeField: 'flight_date' },
    ),
    dataset(
      'airports',
      ['iata'],
      [
        field('iata', 'string', { values: ['BOS', 'JFK', 'ORD'] }),
        field('name', 'string', { values: ['Logan', 'Kennedy'] }),
        field('city', 'string', { values: ['Boston', 'New York', 'Chicago'] }),
        field('state', 'string', { values: ['MA', 'New York', 'IL'] }),
      ],
    ),
  ],
  relationships: [
    relation('flights', 'origin_code', 'airports', 'iata', 'origin'),
    relation('flights', 'destination_code', 'airports', 'iata', 'destination'),
  ],
  metrics: [
    metric('flight_count', 'count(flights.flight_id)', 'flights', { synonyms: ['number of flights'] }),
    metric('average_delay', 'avg(flights.delay)', 'flights', { unit: 'min' }),
  ],
  definitions: [definition('on time', { meaning: 'Less than 15 minutes late.', filter: 'flights.delay < 15' })],
});

export const shop = lens('shop', {
  datasets: [
    dataset(
      'customers',
      ['id'],
      [
        field('id', 'integer'),
        field('name', 'string', { values: ['Acme', 'Globex'] }),
        field('email', 'string'),
        field('city', 'string', { values: ['Berlin', 'Paris'] }),
        field('country', 'string', { values: ['Germany', 'France', ['United States', 'US']] }),
        field('signup_date', 'date'),
        field('is_active', 'boolean'),
      ],
      { timeField: 'signup_date', synonyms: ['client'] },
    ),
    dataset(
      'orders',
      ['id'],
      [
        field('id', 'integer'),
        field('order_date', 'date'),
        field('status', 'string', { values: ['shipped', 'pending', 'cancelled'] }),
        field('total', 'decimal', { unit: 'EUR', synonyms: ['amount'] }),
        field('shipped_at', 'datetime'),
      ],
      { timeField: 'order_date' },
    ),
    dataset(
      'order_items',
      ['order_id', 'product_id'],
      [field('quantity', 'integer'), field('unit_price', 'decimal', { unit: 'EUR' })],
      { synonyms: ['line item'] },
    ),
    dataset(
      'products',
      ['id'],
      [
        field('id', 'integer'),
        field('name', 'string', { values: ['Chair', 'Desk', 'Lamp'] }),
        field('category', 'string', { values: ['Furniture', 'Lighting'] }),
        field('price', 'decimal', { unit: 'EUR' }),
        field('weight', 'decimal', { unit: 'kg' }),
      ],
    ),
  ],
  relationships: [
    relation('orders', 'customer_id', 'customers', 'id'),
    relation('order_items', 'order_id', 'orders', 'id'),
    relation('order_items', 'product_id', 'products', 'id'),
  ],
  metrics: [
    metric('revenue', 'sum(orders.total)', 'orders', { synonyms: ['sales'], unit: 'EUR' }),
    metric('aov', 'avg(orders.total)', 'orders', { synonyms: ['average order value'], unit: 'EUR' }),
    metric('items_sold', 'sum(order_items.quantity)', 'order_items'),
  ],
});

export const school = lens('school', {
  datasets: [
    dataset(
      'student',
      ['student_id'],
      [
        field('student_id', 'integer'),
        field('first_name', 'string', { values: ['Ann', 'Bob'] }),
        field('last_name', 'string', { values: ['Lee', 'Kay'] }),
        field('age', 'integer'),
        field('sex', 'string', {
          values: [
            ['F', 'female'],
            ['M', 'male'],
          ],
        }),
        field('major', 'string', { values: ['Math', 'History'] }),
      ],
    ),
    dataset(
      'teacher',
      ['teacher_id'],
      [
        field('teacher_id', 'integer'),
        field('name', 'string', { values: ['Anders', 'Brown'] }),
        field('hometown', 'string', { values: ['Bolton', 'Leeds'] }),
        field('age', 'integer'),
        field('salary', 'decimal', { unit: 'USD' }),
        field('nickname', 'string', { values: ['Bo'], incomplete: true }),
      ],
    ),
    dataset(
      'course',
      ['course_id'],
      [
        field('course_id', 'integer'),
        field('title', 'string', { values: ['Algebra', 'World History'] }),
        field('credits', 'integer'),
      ],
    ),
    dataset(
      'enrollment',
      ['student_id', 'course_id'],
      [
        field('student_id', 'integer'),
        field('course_id', 'integer'),
        field('grade', 'decimal'),
        field('enrolled_on', 'date'),
      ],
      {
        timeField: 'enrolled_on',
      },
    ),
  ],
  relationships: [
    relation('enrollment', 'student_id', 'student', 'student_id'),
    relation('enrollment', 'course_id', 'course', 'course_id'),
    relation('course', 'teacher_id', 'teacher', 'teacher_id'),
    relation('student', 'advisor_id', 'teacher', 'teacher_id', 'advisor'),
    relation('teacher', 'reports_to', 'teacher', 'teacher_id', 'head'),
  ],
  metrics: [],
});

/** The shop with more datasets, such as loans with a due date. */
export const desk = lens('shop', {
  ...shop,
  datasets: [
    ...shop.datasets,
    dataset('loans', ['id'], [field('id', 'integer'), field('due_date', 'date'), field('returned_on', 'date')]),
    dataset('tickets', ['id'], [field('id', 'integer'), field('opened_on', 'date'), field('closed_on', 'date')]),
    dataset('riders', ['id'], [field('id', 'integer'), field('nickname', 'string'), field('age', 'integer')]),
    dataset('depots', ['id'], [field('id', 'integer'), field('label', 'string', { values: ['Harbour', 'Airport'] })]),
    dataset('trips', ['id'], [field('id', 'integer'), field('grade', 'integer')]),
  ],
  relationships: [
    ...shop.relationships,
    relation('trips', 'start_depot', 'depots', 'id', 'start'),
    relation('trips', 'end_depot', 'depots', 'id', 'end'),
  ],
});
