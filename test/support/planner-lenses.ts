// Lenses of four structures for the reader's tests: one wide table, two roles of one dataset, a shop, and a school.
import { parse } from 'yaml';
import type { Datatype } from '../../src/contract/warehouse.ts';
import type {
  DefinitionSense,
  Lens,
  LensDataset,
  LensDefinition,
  LensField,
  LensMetric,
} from '../../src/lens/model/lens.ts';
import { lensText } from './lens-text.ts';

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
/** The datasets of lensText, whose tables are in the schema `main`. `incomplete` is for a dictionary without all values. */
export const datasetsOf = (text: string): LensDataset[] =>
  Object.entries<Written>(parse(lensText(text))).map(([name, written]) => {
    const { primary_key = [], time_field = null, synonyms = [], fields } = written;
    const made = Object.entries(fields).map(([fieldName, { datatype, mask, values, ...extra }]) =>
      field(fieldName, datatype, {
        ...extra,
        masked: mask,
        values: values?.map((value) => (typeof value === 'string' ? value : [value.value, ...value.synonyms])),
      }),
    );
    return dataset(name, primary_key, made, { timeField: time_field, synonyms });
  });
interface Written {
  primary_key?: string[];
  time_field?: string;
  synonyms?: string[];
  fields: Record<
    string,
    { datatype: Datatype; mask?: boolean; values?: (string | WrittenValue)[] } & Omit<FieldExtra, 'values'>
  >;
}
type WrittenValue = { value: string; synonyms: string[] };
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
  datasets: datasetsOf(`
  orders: main.orders (row_id integer key, order_id string, order_date date time, ship_date date, ship_mode string {values: [First Class, Second Class, Standard Class, Same Day]}, customer_id string, customer_name string mask, segment string {values: [Consumer, Corporate, {value: Home Office, synonyms: [home]}]}, city string {values: [Seattle, Houston, New York City, Springfield]}, state string {values: [California, Texas, New York, Washington, {value: Indiana, synonyms: [IN]}]}, region string {values: [West, East, Central, South], synonyms: [area]}, product_id string, category string {values: [Furniture, Office Supplies, Technology]}, sub_category string {values: [Chairs, Tables, Phones, Paper]}, product_name string, sales decimal {unit: USD}, quantity integer, discount decimal, profit decimal {unit: USD}) {synonyms: [order line, line]}`),
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
  datasets: datasetsOf(`
  flights: main.flights (flight_id integer key, flight_date datetime time {synonyms: [date]}, delay integer {unit: min}, distance integer {unit: mi})
  airports: main.airports (iata string key {values: [BOS, JFK, ORD]}, name string {values: [Logan, Kennedy]}, city string {values: [Boston, New York, Chicago]}, state string {values: [MA, New York, IL]})`),
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
  datasets: datasetsOf(`
  customers: main.customers (id integer key, name string {values: [Acme, Globex]}, email string, city string {values: [Berlin, Paris]}, country string {values: [Germany, France, {value: United States, synonyms: [US]}]}, signup_date date time, is_active boolean) {synonyms: [client]}
  orders: main.orders (id integer key, order_date date time, status string {values: [shipped, pending, cancelled]}, total decimal {synonyms: [amount], unit: EUR}, shipped_at datetime)
  order_items: main.order_items (quantity integer, unit_price decimal {unit: EUR}) {primary_key: [order_id, product_id]; synonyms: [line item]}
  products: main.products (id integer key, name string {values: [Chair, Desk, Lamp]}, category string {values: [Furniture, Lighting]}, price decimal {unit: EUR}, weight decimal {unit: kg})`),
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
  datasets: datasetsOf(`
  student: main.student (student_id integer key, first_name string {values: [Ann, Bob]}, last_name string {values: [Lee, Kay]}, age integer, sex string {values: [{value: F, synonyms: [female]}, {value: M, synonyms: [male]}]}, major string {values: [Math, History]})
  teacher: main.teacher (teacher_id integer key, name string {values: [Anders, Brown]}, hometown string {values: [Bolton, Leeds]}, age integer, salary decimal {unit: USD}, nickname string {values: [Bo], incomplete: true})
  course: main.course (course_id integer key, title string {values: [Algebra, World History]}, credits integer)
  enrollment: main.enrollment (student_id integer key, course_id integer key, grade decimal, enrolled_on date time)`),
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
    ...datasetsOf(`
  loans: main.loans (id integer key, due_date date, returned_on date)
  tickets: main.tickets (id integer key, opened_on date, closed_on date)
  riders: main.riders (id integer key, nickname string, age integer)
  depots: main.depots (id integer key, label string {values: [Harbour, Airport]})
  trips: main.trips (id integer key, grade integer)`),
  ],
  relationships: [
    ...shop.relationships,
    relation('trips', 'start_depot', 'depots', 'id', 'start'),
    relation('trips', 'end_depot', 'depots', 'id', 'end'),
  ],
});
