// A small governed shop for guard tests in both dialects: orders (with a masked field and a row policy), customers, and
// a table `secret` that exists in the warehouse but in no scope.
import type { GovernedRelation, GuardScope } from '../../src/guard/guarded-sql.ts';

export const SHOP_TABLES = [
  `create table orders (row_id integer, order_id varchar, order_date date, region varchar, state varchar,
     segment varchar, sales decimal(12,2), profit decimal(12,2), quantity integer, customer_id integer,
     customer_name varchar, card_number varchar)`,
  `insert into orders values
     (1,'A-1',date '2016-01-03','West','California','Consumer',100.50,20.00,2,1,'Ann Lee','4111'),
     (2,'A-1',date '2016-02-14','West','Oregon','Corporate',250.00,-15.25,5,2,'Bo Ek','4222'),
     (3,'A-2',date '2016-02-20','East','New York','Consumer',75.25,10.00,1,3,'Cy Fox','4333'),
     (4,'A-3',date '2017-03-01','West','California','Consumer',300.00,99.99,3,1,'Ann Lee','4111'),
     (5,'A-4',date '2017-05-09','South','Texas','Home Office',20.00,1.00,1,4,'Di Gu','4444'),
     (6,'A-5',date '2017-06-30','West','Washington','Corporate',60.00,5.00,4,5,'Ann Lee','4555')`,
  'create table customers (customer_id integer, city varchar, tier varchar)',
  `insert into customers values (1,'Fresno','gold'),(2,'Salem','silver'),(3,'Albany','gold'),(4,'Waco','none'),
     (5,'Tacoma','silver')`,
  'create table secret (id integer, token varchar)',
  `insert into secret values (1,'hidden-token')`,
];

const ORDER_FIELDS =
  'row_id order_id order_date region state segment sales profit quantity customer_id customer_name'.split(' ');

export function shopScope(
  dialect: 'duckdb' | 'postgres',
  options: { policy?: string; masked?: boolean } & Partial<GuardScope> = {},
): GuardScope {
  const { policy, masked = true, ...more } = options;
  const schema = dialect === 'duckdb' ? 'main' : 'public';
  const where = policy === undefined ? '' : ` WHERE ${policy}`;
  const listedColumns = ORDER_FIELDS.map((name) =>
    masked && name === 'customer_name' ? 'CAST(NULL AS varchar) AS "customer_name"' : `"${name}"`,
  ).join(', ');
  const rest = ` FROM "${schema}"."orders"${where}`;
  const orders: GovernedRelation = {
    source: { catalog: null, schema, table: 'orders' },
    dataset: 'orders',
    columns: ORDER_FIELDS,
    masked: masked ? ['customer_name'] : [],
    policies: policy === undefined ? [] : ['own-region'],
    body: `SELECT ${listedColumns}${rest}`,
    raw: {
      body: `SELECT ${listedColumns}, "customer_name" AS "svc_raw_customer_name"${rest}`,
      columns: { customer_name: 'svc_raw_customer_name' },
    },
  };
  const customers: GovernedRelation = {
    source: { catalog: null, schema, table: 'customers' },
    dataset: 'buyers',
    columns: ['customer_id', 'city'],
    masked: [],
    policies: [],
    body: `SELECT "customer_id", "city" FROM "${schema}"."customers"`,
  };
  return { dialect, relations: [orders, customers], mode: 'govern', maxRows: 500, ...more };
}
