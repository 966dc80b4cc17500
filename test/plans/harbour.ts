// A harbor: tables, a lens, analysts' statements that are equivalent to a plan, and similar statements that aren't.
import { caseRows } from '../support/case-rows.ts';

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

export const HARBOUR_LENS = `name: harbour
connection: harbour
timezone: UTC
datasets:
  ships:
    source: public.ships
    primary_key: [ship_id]
    fields:
      ship_id: {datatype: integer}
      ship_name: {datatype: string}
      flag: {datatype: string}
      built: {datatype: integer, aggregation: none}
      length_m: {datatype: decimal, aggregation: average}
      equipment: {datatype: string}
  berths:
    source: public.berths
    primary_key: [berth_id]
    fields:
      berth_id: {datatype: integer}
      berth_name: {datatype: string}
      quay: {datatype: string}
      depth_m: {datatype: decimal, aggregation: average}
  pilots:
    source: public.pilots
    primary_key: [pilot_id]
    time_field: licensed
    fields:
      pilot_id: {datatype: integer}
      pilot_name: {datatype: string}
      licensed: {datatype: date}
      trained_by: {datatype: integer}
  calls:
    source: public.calls
    primary_key: [call_id]
    time_field: arrived
    fields:
      call_id: {datatype: integer}
      ship_id: {datatype: integer}
      berth_id: {datatype: integer}
      pilot_id: {datatype: integer}
      arrived: {datatype: date}
      sailed: {datatype: date}
      state: {datatype: string}
  loads:
    source: public.loads
    primary_key: [load_id]
    fields:
      load_id: {datatype: integer}
      call_id: {datatype: integer}
      goods: {datatype: string}
      tonnes: {datatype: decimal, unit: t, aggregation: sum}
      rate: {datatype: decimal, unit: EUR, aggregation: average}
      direction: {datatype: string}
  bills:
    source: public.bills
    primary_key: [bill_id]
    time_field: billed
    fields:
      bill_id: {datatype: integer}
      call_id: {datatype: integer}
      billed: {datatype: date}
      paid: {datatype: date}
      amount: {datatype: decimal, unit: EUR, aggregation: sum}
      remark: {datatype: string}
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
`;

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
