// Three lenses in the words of people who ask questions: the counted entities, their groups, and the phrases for them.
// The reference SQL uses tables and columns of the data, not of the lens.

/** A property with one value in each row. */
export interface Attribute {
  name: string;
  names: string;
  column: string;
  values: readonly string[];
  /** The phrase for a value, such as "in the West". */
  at(value: string): string;
}
/** Entities with many rows, and the verb that connects them with a value. */
export interface Linked {
  things: string;
  /** A query with one row for each entity: `key`, and `shown`, which a list shows. */
  all: string;
  /** A query with the rows of the entities, with `key` and the column of the attribute. */
  rows: string;
  /** The verb, such as "bought". `{}` stands for the value, with words before or after it. */
  said: string;
  attribute: Attribute;
  /** The entities that a list shows, if it doesn't show the counted entities. Null if the name means single rows. */
  listed?: Pick<Linked, 'all' | 'rows'> | null;
}
export interface Measure {
  name: string;
  sql: string;
}
export interface World {
  lens: string;
  engine: 'duckdb' | 'postgres';
  /** The measured rows. */
  rows: string;
  /** The name of the measured rows in questions. */
  rowsName: string;
  /** SQL for the date of a row. */
  date: string;
  measures: readonly Measure[];
  attributes: readonly Attribute[];
  linked: readonly Linked[];
  /** Entities with yearly events, such as "ordered". */
  dated: readonly (Omit<Linked, 'attribute'> & { years: readonly number[] })[];
}

const asIs = (value: string): string => value;
const inThe = (value: string): string => `in the ${value}`;
const inPlace = (value: string): string => `in ${value}`;
const attributeOf = (name: string, names: string, values: string[], at: Attribute['at'], column = name) =>
  ({ name, names, column, values, at }) satisfies Attribute;

const SALES = `(select "Row ID" as row_id, "Order ID" as order_id, "Order Date"::date as day, "Customer ID" as customer_id,
  "Product ID" as product_id, "Product Name" as product_name, "State" as state, "Region" as region, "Category" as category, "Ship Mode" as ship_mode,
  "Segment" as segment, "Sales"::decimal(18, 4) as sales, "Profit"::decimal(18, 4) as profit, "Quantity" as quantity
  from 'data/superstore.parquet')`;
const category = attributeOf(
  'category',
  'categories',
  ['Furniture', 'Technology', 'Office Supplies'],
  (value) => `for ${value}`,
);
const region = attributeOf('region', 'regions', ['West', 'East', 'South', 'Central'], inThe);
const state = attributeOf('state', 'states', ['Texas', 'California', 'Ohio', 'Florida'], inPlace);
const customers = {
  things: 'customers',
  all: `(select distinct customer_id as key, customer_id as shown from ${SALES})`,
  rows: `(select *, customer_id as key from ${SALES})`,
};
const orders = {
  things: 'orders',
  all: `(select distinct order_id as key, order_id as shown from ${SALES})`,
  rows: `(select *, order_id as key from ${SALES})`,
  // "orders" are counted by their number. A list of orders shows order lines, which the lens calls orders.
  listed: null,
};
const products = {
  things: 'products',
  all: `(select distinct product_id as key, product_id as shown from ${SALES})`,
  rows: `(select *, product_id as key from ${SALES})`,
  // Several products share a name, and the list shows names.
  listed: {
    all: `(select distinct product_name as key, product_name as shown from ${SALES})`,
    rows: `(select *, product_name as key from ${SALES})`,
  },
};

const superstore: World = {
  lens: 'superstore',
  engine: 'duckdb',
  rows: SALES,
  rowsName: 'order lines',
  date: 'day',
  measures: [
    { name: 'revenue', sql: 'sum(sales)' },
    { name: 'profit', sql: 'sum(profit)' },
    { name: 'units sold', sql: 'sum(quantity)' },
  ],
  attributes: [category, region, state],
  linked: [
    { ...customers, said: 'bought {}', attribute: { ...category, at: asIs } },
    { ...customers, said: 'ordered {}', attribute: region },
    { ...customers, said: 'ordered {}', attribute: state },
    { ...orders, said: 'had {}', attribute: { ...category, at: asIs } },
    { ...orders, said: 'are {}', attribute: { ...category, at: asIs } },
    { ...products, said: 'were sold {}', attribute: region },
  ],
  dated: [
    { ...customers, said: 'ordered {}', years: [2014, 2015, 2016, 2017] },
    { ...products, said: 'were sold {}', years: [2014, 2015, 2016, 2017] },
  ],
};

const accounts = {
  things: 'accounts',
  all: '(select account_id as key, account_name as shown from accounts)',
};
const rowsOfAccount = (table: string): string => `(select *, account_id as key from ${table})`;
const priority = attributeOf(
  'priority',
  'priorities',
  ['low', 'normal', 'high', 'urgent'],
  (value) => `of priority ${value}`,
);
const channel = attributeOf('channel', 'channels', ['phone', 'email', 'chat'], (value) => `by ${value}`);
const ticketStatus = attributeOf(
  'status',
  'statuses',
  ['new', 'open', 'closed'],
  (value) => `with ticket status ${value}`,
);
const saas: World = {
  lens: 'saas',
  engine: 'postgres',
  rows: 'tickets',
  rowsName: 'tickets',
  date: 'opened_at::date',
  measures: [
    { name: 'number of tickets', sql: 'count(*)' },
    { name: 'average satisfaction', sql: 'avg(satisfaction)' },
  ],
  attributes: [priority, channel, ticketStatus],
  linked: [
    { ...accounts, rows: rowsOfAccount('tickets'), said: 'have {} tickets', attribute: { ...priority, at: asIs } },
    { ...accounts, rows: rowsOfAccount('tickets'), said: 'have tickets {}', attribute: channel },
    {
      ...accounts,
      rows: rowsOfAccount('invoices'),
      said: 'have {} invoices',
      attribute: attributeOf('invoice status', 'invoice statuses', ['paid', 'open', 'overdue'], asIs, 'status'),
    },
    {
      ...accounts,
      rows: `(select s.*, plan_name, s.account_id as key from subscriptions s join plans using (plan_id))`,
      said: 'have {} subscriptions',
      attribute: attributeOf('plan', 'plans', ['Team', 'Starter', 'Enterprise', 'Legacy'], asIs, 'plan_name'),
    },
  ],
  dated: [
    {
      ...accounts,
      rows: '(select *, opened_at::date as day, account_id as key from tickets)',
      said: 'opened tickets {}',
      years: [2022, 2023, 2024],
    },
  ],
};

const bikes = { things: 'bikes', all: '(select bike_id as key, bike_id as shown from bikes)' };
const members = { things: 'members', all: '(select member_id as key, member_name as shown from members)' };
const part = attributeOf('part', 'parts', ['brake', 'chain', 'tyre', 'saddle'], (value) => `with part ${value}`);
const model = attributeOf('model', 'models', ['Titan', 'Glider', 'Comet', 'Breeze'], (value) => `for ${value}`);
const drafted: World = {
  lens: 'drafted',
  engine: 'postgres',
  rows: '(select p.*, model from repairs p join bikes using (bike_id)) as repaired',
  rowsName: 'repairs',
  date: 'repaired_on',
  measures: [
    { name: 'number of repairs', sql: 'count(*)' },
    { name: 'total cost of repairs', sql: 'sum(cost)' },
  ],
  attributes: [part, model],
  linked: [
    {
      ...bikes,
      rows: '(select *, bike_id as key from repairs)',
      said: 'have {} repairs',
      attribute: { ...part, at: asIs },
    },
    {
      ...members,
      rows: '(select r.*, model, r.member_id as key from rides r join bikes using (bike_id))',
      said: 'have rides {}',
      attribute: { ...model, at: (value) => `on ${value}` },
    },
    {
      ...members,
      rows: '(select r.*, model, r.member_id as key from rides r join bikes using (bike_id))',
      said: 'rode {} bikes',
      attribute: { ...model, at: asIs },
    },
  ],
  dated: [
    {
      ...members,
      rows: '(select *, started_at::date as day, member_id as key from rides)',
      said: 'have rides {}',
      years: [2023, 2024],
    },
    {
      ...bikes,
      rows: '(select *, repaired_on as day, bike_id as key from repairs)',
      said: 'have repairs {}',
      years: [2023, 2024],
    },
  ],
};

export const WORLDS: readonly World[] = [superstore, saas, drafted];
