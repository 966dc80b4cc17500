// A harbor: tables, a lens, analysts' statements that are equivalent to a plan, and similar statements that aren't.
import { caseRows } from '../support/case-rows.ts';
import { lensText } from '../support/lens-text.ts';

export const HARBOUR_TABLES = [
  'create table ships (ship_id int primary key, ship_name varchar(40) not null, flag varchar(20), built int, length_m numeric(8,2), equipment varchar(80))',
  "insert into ships select n, 'Ship ' || n, (array['Malta', 'Panama', 'Norway', null])[1 + n % 4], 1980 + (n * 7) % 40, 60 + n * 9.5, (array['crane', 'crane,ramp', 'crane,ramp,reefer', '', null])[1 + n % 5] from generate_series(1, 18) n",
  'create table berths (berth_id int primary key, berth_name varchar(40) not null, quay varchar(20), depth_m numeric(6,2))',
  "insert into berths select n, 'Berth ' || n, (array['North', 'South', 'East'])[1 + n % 3], 6 + n * 0.75 from generate_series(1, 7) n",
  'create table pilots (pilot_id int primary key, pilot_name varchar(40) not null, licensed date, trained_by int references pilots)',
  "insert into pilots select n, 'Pilot ' || n, date '2015-02-10' + n * 97, case when n > 2 then 1 + n % 2 end from generate_series(1, 6) n",
  'create table calls (call_id int primary key, ship_id int not null references ships, berth_id int references berths, pilot_id int references pilots, arrived date not null, sailed date, state varchar(12))',
  "insert into calls select n, 1 + (n * 5) % 16, case when n % 9 > 0 then 1 + n % 6 end, case when n % 4 > 0 then 1 + n % 5 end, date '2024-01-03' + n * 6 + case when n > 25 then 70 else 0 end, case when n % 8 > 0 then date '2024-01-03' + n * 6 + case when n > 25 then 70 else 0 end + n % 5 end, (array['done', 'done', 'waiting', 'cancelled'])[1 + n % 4] from generate_series(1, 48) n",
  'create table loads (load_id int primary key, call_id int not null references calls, goods varchar(20), tonnes numeric(10,2), rate numeric(8,2), direction varchar(4) not null)',
  "insert into loads select n, 1 + (n * 3) % 44, (array['grain', 'timber', 'ore', 'salt', null])[1 + n % 5], case when n % 11 > 0 then 20 + (n * 37) % 400 end, 1.5 + n % 6, (array['in', 'out'])[1 + n % 2] from generate_series(1, 120) n",
  'create table bills (bill_id int primary key, call_id int not null references calls, billed date not null, paid date, amount numeric(12,2) not null, remark varchar(40))',
  "insert into bills select n, 1 + (n * 7) % 40, date '2024-01-15' + n * 5 + case when n > 30 then 65 else 0 end, case when n % 6 > 0 then date '2024-01-15' + n * 5 + case when n > 30 then 65 else 0 end + (n * 11) % 50 end, 100 + (n * 83) % 900, case when n % 3 = 0 then 'Late notice' end from generate_series(1, 60) n",
];

export const HARBOUR_LENS = lensText(`name: harbour
connection: harbour
timezone: UTC
datasets:
  ships: public.ships (ship_id integer key, ship_name string, flag string, built integer {aggregation: none}, length_m decimal {aggregation: average}, equipment string)
  berths: public.berths (berth_id integer key, berth_name string, quay string, depth_m decimal {aggregation: average})
  pilots: public.pilots (pilot_id integer key, pilot_name string, licensed date time, trained_by integer)
  calls: public.calls (call_id integer key, ship_id integer, berth_id integer, pilot_id integer, arrived date time, sailed date, state string)
  loads: public.loads (load_id integer key, call_id integer, goods string, tonnes decimal {unit: t, aggregation: sum}, rate decimal {unit: EUR, aggregation: average}, direction string)
  bills: public.bills (bill_id integer key, call_id integer, billed date time, paid date, amount decimal {unit: EUR, aggregation: sum}, remark string)
relationships:
  - {name: trained_by, from: pilots.trained_by, to: pilots.pilot_id}
  - {from: calls.ship_id, to: ships.ship_id}
  - {from: calls.berth_id, to: berths.berth_id}
  - {from: calls.pilot_id, to: pilots.pilot_id}
  - {from: loads.call_id, to: calls.call_id}
  - {from: bills.call_id, to: calls.call_id}
metrics:
  billed_amount: {expression: sum(bills.amount), unit: EUR}
  call_count: {expression: count(calls.call_id)}
`);

/** Statements that are equivalent to a plan. */
export const HARBOUR_STATEMENTS: readonly string[] = caseRows(
  import.meta.dirname,
  'harbour.jsonl',
  'HARBOUR_STATEMENTS',
);

/** Plans that express these statements exist or could exist, but svc doesn't find them. */
export const HARBOUR_OPEN: readonly string[] = [
  'WITH totals AS (SELECT call_id, SUM(amount) AS total FROM bills GROUP BY call_id) SELECT AVG(total) FROM totals',
  'SELECT MAX(n) FROM (SELECT ship_id, COUNT(*) AS n FROM calls GROUP BY ship_id) x',
  "SELECT b.quay, ARRAY_TO_STRING(ARRAY_AGG(DISTINCT b.berth_name ORDER BY b.berth_name), '; ') FROM calls c JOIN berths b ON b.berth_id = c.berth_id GROUP BY b.quay",
  'SELECT COUNT(*) FILTER (WHERE paid > billed + 30) AS late, COUNT(*) AS bills FROM bills WHERE paid IS NOT NULL',
];

/** Statements that resemble another statement (`looksLike`) but return other rows. */
export const HARBOUR_NEAR: readonly (readonly [about: string, sql: string, looksLike: string])[] = caseRows(
  import.meta.dirname,
  'harbour.jsonl',
  'HARBOUR_NEAR',
);
