// One small table and one lens over it, the same on each engine.
export const LENS_FILE = (connection: string, source: string): string => `name: ${connection}
title: Orders on ${connection}
description: Order lines.
connection: ${connection}
datasets:
  orders:
    source: ${source}
    description: One row per order line.
    primary_key: [row_id]
    time_field: order_date
    fields:
      row_id: {datatype: integer}
      order_date: {datatype: date}
      region: {datatype: string, values: [Central, East, South, West]}
      sales: {datatype: decimal}
metrics:
  revenue: {expression: sum(orders.sales), description: Sum of sales.}
`;

const ROWS = ['West', 'West', 'East', 'West', 'South', 'West', 'Central', 'East'].map(
  (region, n) => `(${n + 1}, date '2016-0${n + 1}-03', '${region}', ${n * 10 + 0.5})`,
);

export const SHOP_SQL = [
  'create table orders (row_id int primary key, order_date date not null, region varchar(40), sales decimal(18,2))',
  `insert into orders values ${ROWS.join(', ')}`,
];
