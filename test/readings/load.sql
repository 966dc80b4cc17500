-- Three schemas with several dates, levels, ties and dates that lie in other tables. Rows follow from arithmetic alone.
create schema trade;
create table trade.regions (region_id int primary key, region_name text not null);
insert into trade.regions values (1, 'North'), (2, 'South'), (3, 'West');
create table trade.customers (
  customer_id int primary key, customer_name text, region_id int references trade.regions, sales_region text,
  signup_date date, credit_limit numeric(10,2));
insert into trade.customers
select i, 'Customer ' || chr(64 + i), 1 + i % 3, (array['North', 'South', 'West'])[1 + i % 3],
  date '2020-03-01' + i * 41, 1000 + i * 250 from generate_series(1, 20) i;
create table trade.products (product_id int primary key, product_name text, category text, intro_date date, list_price numeric(8,2));
insert into trade.products
select i, 'Product ' || chr(64 + i), (array['Tools', 'Paint', 'Garden'])[1 + i % 3], date '2021-01-15' + i * 83, 5 + i * 3.5
from generate_series(1, 15) i;
create table trade.orders (
  order_id int primary key, customer_id int references trade.customers, order_date date, ship_date date, status text,
  freight numeric(8,2), sales_region text);
insert into trade.orders
select i, 1 + (i * 7) % 18, date '2023-01-05' + (i * 17) % 1000, date '2023-01-09' + (i * 17) % 1000 + i % 6,
  (array['open', 'shipped', 'cancelled'])[1 + i % 3], 4 + i % 9, null from generate_series(1, 160) i;
insert into trade.orders
select 160 + i, 1 + (i * 5) % 18, current_date - i * 6, current_date - i * 6 + 2, 'shipped', 6, null
from generate_series(1, 40) i;
update trade.orders o set sales_region = c.sales_region from trade.customers c where c.customer_id = o.customer_id;
create table trade.order_lines (
  line_id int primary key, order_id int references trade.orders, product_id int references trade.products, quantity int,
  unit_price numeric(8,2), line_amount numeric(10,2));
insert into trade.order_lines
select i, 1 + (i * 3) % 200, 1 + (i * 4) % 15, 1 + i % 5, 5 + (i * 4) % 15 * 3.5, (1 + i % 5) * (5 + (i * 4) % 15 * 3.5)
from generate_series(1, 520) i;
create table trade.returns (
  return_id int primary key, line_id int references trade.order_lines, returned_on date, received_on date, refund numeric(8,2));
insert into trade.returns
select i, i * 9, date '2023-02-10' + (i * 29) % 1000, date '2023-02-20' + (i * 29) % 1000 + i % 20, 3 + i * 1.25
from generate_series(1, 50) i;
create table trade.targets (target_id int primary key, region_id int references trade.regions, month text, target_amount numeric(10,2));
insert into trade.targets
select i, 1 + i % 3, to_char(date '2023-01-01' + (i / 3) * interval '1 month', 'YYYY-MM'), 900 + i * 10
from generate_series(0, 71) i;

create schema grid;
create table grid.stations (station_id int primary key, station_name text, city text, opened_on date);
insert into grid.stations
select i, 'Station ' || i, (array['Graz', 'Linz', 'Wels'])[1 + i % 3], date '2018-05-01' + i * 97 from generate_series(1, 9) i;
create table grid.sensors (
  sensor_id int primary key, station_id int references grid.stations, sensor_name text, installed_on date, removed_on date,
  capacity_kw numeric(8,2));
insert into grid.sensors
select i, 1 + i % 9, 'Sensor ' || i, date '2021-02-01' + i * 31, case when i % 4 = 0 then date '2024-01-10' + i * 9 end, 10 + i % 7
from generate_series(1, 24) i;
create table grid.readings (
  reading_id int primary key, sensor_id int references grid.sensors, read_at timestamp, temperature numeric(5,1),
  humidity numeric(5,1), energy_kwh numeric(9,2));
insert into grid.readings
select i, 1 + (i * 5) % 24, timestamp '2023-01-01 06:00' + (i * 37 % 1030) * interval '1 day', 4 + (i * 13) % 29 + 0.5,
  30 + (i * 7) % 60, 2 + (i * 11) % 41 from generate_series(1, 900) i;
create table grid.jobs (
  job_id int primary key, sensor_id int references grid.sensors, reported_on date, started_on date, finished_on date,
  cost numeric(8,2), priority text);
insert into grid.jobs
select i, 1 + (i * 7) % 24, date '2023-01-03' + (i * 23) % 1000, date '2023-01-20' + (i * 23) % 1000 + i % 30,
  case when i % 5 > 0 then date '2023-03-01' + (i * 23) % 1000 + i % 40 end, 50 + (i * 19) % 400, (array['high', 'low'])[1 + i % 2]
from generate_series(1, 120) i;
create table grid.notes (note_id int primary key, station_id int references grid.stations, rating int);
insert into grid.notes select i, 1 + i % 9, 1 + (i * 3) % 5 from generate_series(1, 60) i;

create schema plans;
create table plans.managers (manager_id int primary key, manager_name text, hired_on date);
insert into plans.managers select i, 'Manager ' || chr(64 + i), date '2019-01-01' + i * 150 from generate_series(1, 5) i;
create table plans.accounts (
  account_id int primary key, account_name text, segment text, manager_id int references plans.managers, created_on date);
insert into plans.accounts
select i, 'Account ' || i, (array['small', 'large'])[1 + i % 2], 1 + i % 5, date '2022-01-10' + i * 30 from generate_series(1, 30) i;
create table plans.subscriptions (
  subscription_id int primary key, account_id int references plans.accounts, tier text, started_on date, ended_on date, mrr numeric(8,2));
insert into plans.subscriptions
select i, 1 + (i * 5) % 28, (array['basic', 'pro', 'max'])[1 + i % 3], date '2022-06-01' + (i * 19) % 900,
  case when i % 3 = 0 then current_date - (i * 7) % 400 end, 20 + (i * 15) % 130 from generate_series(1, 90) i;
create table plans.invoices (
  invoice_id int primary key, subscription_id int references plans.subscriptions, issued_on date, due_on date, paid_on date,
  amount numeric(9,2), balance_due numeric(9,2));
insert into plans.invoices
select i, 1 + (i * 11) % 90, date '2023-01-02' + (i * 13) % 1000, date '2023-02-01' + (i * 13) % 1000,
  case when i % 6 > 0 then date '2023-01-15' + (i * 13) % 1000 + i % 40 end, 40 + (i * 23) % 300, case when i % 6 > 0 then 0 else 40 end
from generate_series(1, 400) i;
create table plans.invoice_items (
  item_id int primary key, invoice_id int references plans.invoices, item_text text, item_amount numeric(9,2));
insert into plans.invoice_items
select i, 1 + (i * 3) % 400, (array['base', 'extra', 'support'])[1 + i % 3], 10 + (i * 7) % 90 from generate_series(1, 800) i;
create table plans.reminders (reminder_id int primary key, invoice_id int references plans.invoices, fee numeric(6,2));
insert into plans.reminders select i, i * 6, 2 + i % 4 from generate_series(1, 60) i;

create schema resort;
create table resort.valleys (valley_id int primary key, valley_name text not null);
insert into resort.valleys values (1, 'North'), (2, 'South');
create table resort.lifts (
  lift_id int primary key, lift_name text not null, valley_id int references resort.valleys, kind text, parts int);
insert into resort.lifts values
  (1, 'Eagle', 1, 'chair', 90), (2, 'North', 2, 'chair', 80), (3, 'Monday', 1, 'tow', 20), (4, 'Summit', 2, 'tow', 30),
  (5, 'First', 2, 'none', 10), (6, 'Best', 1, null, 10);
create table resort.employees (
  employee_id int primary key, employee_name text, supervisor_id int references resort.employees, lift_id int references resort.lifts,
  town text, hired_on date, salary numeric(8,2));
insert into resort.employees
select i, (array['Ruth', 'Sam', 'Tom', 'Uma', 'Vic'])[1 + i % 5], case when i > 3 then 1 + i % 3 end, case when i % 4 > 0 then i % 4 end,
  (array['Graz', 'Linz', 'Wels'])[1 + i % 3], date '2019-02-01' + i * 100, 2000 + (i * 37) % 9 * 200
from generate_series(1, 20) i;
create table resort.desks (desk_id int primary key, lift_id int references resort.lifts, opens_on date, closes_on date);
insert into resort.desks select i, i, date '2023-05-01' + i, date '2023-09-01' + i from generate_series(1, 3) i;
create table resort.scans (scan_id int primary key, lift_id int references resort.lifts, holder text, scanned_on date);
insert into resort.scans
select i, 1 + i % 4, (array['May', 'Anna', 'Ben'])[1 + i % 3], date '2024-01-01' + (i * 7) % 400 from generate_series(1, 200) i;
create table resort.deliveries (delivery_id int primary key, lift_id int references resort.lifts, quantity numeric(8,2), unit text, kind text, delivered_on date,
  parts int);
insert into resort.deliveries
select i, 1 + i % 4, 5 + i % 7, (array['kg', 'kg', 'lb'])[1 + i % 3], (array['delivery', 'return'])[1 + i % 2],
  date '2024-01-01' + i, i % 4 from generate_series(1, 60) i;

create schema counter;
create table counter.customers (
  customer_id int primary key, customer_name text, region text, insurance text, level int, seats int, first_seen date, vip boolean);
insert into counter.customers
select i, 'Firm ' || chr(64 + i), (array['North', 'West', 'Other'])[1 + i % 3], case when i % 4 > 0 then 'Basic' end, i % 13, i % 5,
  date '2022-02-01' + i * 30, i % 3 = 0 from generate_series(1, 24) i;
create table counter.orders (
  order_no int primary key, customer_id int references counter.customers, status text, tag text, open_date date, close_date date, net numeric(8,2));
insert into counter.orders
select i, 1 + (i * 7) % 20, (array['New', 'Open', 'Late'])[1 + i % 3], (array['2023', 'First', 'Q1', 'Top'])[1 + i % 4],
  date '2022-06-01' + i * 11, case when i % 3 = 0 then date '2022-07-01' + i * 11 end, 50 + i * 3 from generate_series(1, 80) i;
create table counter.products (product_id int primary key, product_name text, kind text, max_load int);
insert into counter.products values
  (1, 'Max Load', 'Chair', 80), (2, 'Only One', 'Lamp', 150), (3, 'Net', 'Chair', 200), (4, 'First', 'Lamp', 90), (5, 'Sofa', 'Chair', 120);
create table counter.order_items (
  item_no int primary key, order_no int references counter.orders, product_id int references counter.products, quantity int);
insert into counter.order_items select i, 1 + (i * 3) % 70, 1 + i % 5, 1 + i % 4 from generate_series(1, 110) i;
create table counter.order_item_returns (return_no int primary key, item_no int references counter.order_items, return_date date);
insert into counter.order_item_returns select i, i * 7, date '2023-01-10' + i * 20 from generate_series(1, 15) i;
create table counter.employees (
  employee_id int primary key, employee_name text, team text, topic text, boss_id int references counter.employees);
insert into counter.employees
select i, 'Agent ' || i, (array['Sales', 'Care'])[1 + i % 2], (array['Price', 'Repair'])[1 + i % 2], case when i > 3 then 1 + i % 3 end
from generate_series(1, 9) i;
create table counter.calls (
  call_no int primary key, customer_id int references counter.customers, agent_id int references counter.employees, called_on date,
  call_topic text, minutes int);
insert into counter.calls
select i, 1 + (i * 5) % 15, 1 + (i * 2) % 9, date '2022-12-01' + i * 9, (array['Price', 'Repair', 'Other'])[1 + i % 3], 2 + i % 30
from generate_series(1, 60) i;
