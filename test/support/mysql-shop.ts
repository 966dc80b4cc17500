// A small shop in MariaDB, and the project over it.

import { lensText } from './lens-text.ts';
import { DATABASE, READER, type TestMariadb } from './mariadb.ts';

export const MYSQL_TABLES = [
  `create table ${DATABASE}.orders (row_id int primary key, order_date date not null, ordered_at datetime not null,
     shipped_at timestamp null, region varchar(40), segment varchar(40), sales decimal(12,2), profit decimal(12,2),
     customer_id int, customer_name varchar(80), gift tinyint(1) not null) comment 'order lines'`,
  `insert into ${DATABASE}.orders values
     (1,'2016-01-03','2016-01-03 10:00:00','2016-01-04 23:30:00','West','Consumer',100.50,20.00,1,'Ann Lee',0),
     (2,'2016-02-14','2016-02-14 11:30:00','2016-02-15 08:00:00','West','Corporate',250.00,-15.25,2,'Bo Ek',1),
     (3,'2016-02-20','2016-02-20 00:00:00',null,'East','Consumer',75.25,10.00,3,'Cy Fox',0),
     (4,'2016-12-31','2016-12-31 23:59:59','2017-01-02 00:00:00','West','Consumer',300.00,99.99,1,'Ann Lee',0),
     (5,'2017-01-01','2017-01-01 00:00:00','2017-01-03 00:00:00','South','Home Office',20.00,1.00,4,'Di Gu',1),
     (6,'2017-06-30','2017-06-30 12:00:00',null,null,'Corporate',60.00,5.00,5,'Zoë Ünal 😀',0)`,
  `create table ${DATABASE}.refunds (refund_id int primary key, order_row int, refund_date date, amount decimal(12,2))`,
  `insert into ${DATABASE}.refunds values (1,1,'2016-01-10',10.00),(2,4,'2017-01-05',30.00),(3,5,'2017-01-06',5.00)`,
  `create table ${DATABASE}.kinds (id int primary key, big bigint unsigned, exact_value decimal(38,10), single_value float,
     double_value double, text_value varchar(200), bytes_value varbinary(8), clock time, moment datetime(6),
     instant timestamp(3) null, json_value json, year_value year, choice enum('a','b'))`,
  `insert into ${DATABASE}.kinds values
     (1, 18446744073709551615, 1234567890123456789012345678.0123456789, 0.1, 0.1, 'it''s "quoted" \\\\ back 😀 漢字', x'00ff',
      '10:20:30', '2016-01-02 03:04:05.678900', '2016-01-02 03:04:05.5', '{"a": 1}', 2016, 'b'),
     (2, 0, -0.5, -1.5, 1e300, '', null, '-01:00:00', '2016-01-02 00:00:00', null, null, null, null)`,
  `create table ${DATABASE}.zero_dates (id int primary key, d date, at datetime)`,
  `create table ${DATABASE}.secret (id int primary key, token varchar(40))`,
  `insert into ${DATABASE}.secret values (1, 'hidden-token')`,
];
/** A compound statement runs on one connection, so that its SQL mode applies to the insert. */
export const ZERO_DATES = `begin not atomic
  set session sql_mode = '';
  insert into ${DATABASE}.zero_dates values (1, '0000-00-00', '0000-00-00 00:00:00'), (2, '2016-01-01', '2016-01-01 10:00:00');
end`;

export const mysqlProject = (port: number): Record<string, string> => ({
  'svc.config.yaml': `
connections:
  shop: {kind: mysql, host: 127.0.0.1, port: ${port}, database: ${DATABASE}, user: ${READER.user}, password: "${READER.password}"}
groups: {field: {}}
`,
  'lenses/shop/lens.yaml': lensText(`
name: shop
title: Shop
description: Order lines of a corner shop.
connection: shop
timezone: UTC
max_rows_to_return: 5
datasets:
  orders: orders (row_id integer key, order_date date time, ordered_at datetime, shipped_at datetimetz, region string auto, segment string {values: [Home Office, Consumer, Corporate]}, sales decimal {unit: USD}, profit decimal {unit: USD}, customer_id integer, customer_name string mask, gift boolean, size string {expression: "case when sales >= 100 then 'large' else 'small' end"}) {description: One row per order line.; synonyms: [order lines]}
  refunds: ${DATABASE}.refunds (refund_id integer key, refund_date date time, amount decimal {unit: USD}) {description: One row per refund.}
relationships:
  - {from: refunds.order_row, to: orders.row_id}
metrics:
  revenue: {expression: sum(orders.sales), description: Sales after discount., unit: USD, time_field: orders.order_date}
  profit: {expression: sum(orders.profit), description: Profit after discount., unit: USD}
  profit_ratio: {expression: "metric(profit) / nullif(metric(revenue), 0)", description: Profit divided by sales.}
  customers: {expression: count(distinct orders.customer_id), description: "Customers, each counted once."}
  refunded: {expression: sum(refunds.amount), description: Money given back., unit: USD, time_field: refunds.refund_date}
row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
sample_questions: ["What was revenue by region in 2016?"]
`),
  'lenses/shop/certified/revenue.yaml': `
- id: revenue-2016
  question: What was revenue by region in 2016?
  sql: |
    select region, sum(sales) as revenue
    from orders
    where order_date >= '2016-01-01' and order_date < '2017-01-01'
    group by region
    order by revenue desc
  status: approved
  approved_by: ann@example.com
  approved_at: 2026-01-01
- id: top-sales
  question: "What are the {top} largest sales in {region}?"
  sql: select row_id, sales from orders where region = :region order by sales desc limit :top
  parameters:
    region: {datatype: string}
    top: {datatype: integer}
  status: approved
  approved_by: ann@example.com
  approved_at: 2026-01-01
`,
});

export async function fillMysqlShop(server: TestMariadb): Promise<void> {
  await server.run(...MYSQL_TABLES, ZERO_DATES);
}
