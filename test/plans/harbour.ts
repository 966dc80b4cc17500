// A harbour, and statements as its analysts write them: tables, a lens, statements that equal a plan, and near ones.
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

/** Each equals a plan. */
export const HARBOUR_STATEMENTS: readonly string[] = [
  // Keys and names
  'SELECT s.ship_name, COUNT(*) AS calls FROM calls c JOIN ships s ON s.ship_id = c.ship_id GROUP BY s.ship_id, s.ship_name ORDER BY calls DESC, s.ship_name',
  'SELECT p.pilot_name, COUNT(c.call_id) AS n FROM pilots p LEFT JOIN calls c ON c.pilot_id = p.pilot_id GROUP BY p.pilot_id ORDER BY n DESC, p.pilot_name',
  'SELECT b.berth_id, b.berth_name, b.quay, COUNT(*) FROM calls c INNER JOIN berths b USING (berth_id) GROUP BY b.berth_id ORDER BY 1',
  "SELECT s.flag, SUM(bi.amount) AS total FROM bills bi JOIN calls c ON c.call_id = bi.call_id JOIN ships s ON s.ship_id = c.ship_id WHERE s.flag <> 'Malta' GROUP BY s.flag",
  // Dates
  "SELECT DATE_TRUNC('month', billed)::date AS month, SUM(amount) AS billed FROM bills GROUP BY 1 ORDER BY 1",
  "SELECT DATE_TRUNC('quarter', c.arrived) AS q, COUNT(*) FROM calls c WHERE c.state = 'done' GROUP BY q",
  "SELECT COUNT(*) FROM calls WHERE arrived >= DATE '2024-03-01' AND arrived < DATE '2024-04-01'",
  "SELECT SUM(amount) FROM bills WHERE DATE_TRUNC('month', billed) = DATE '2024-05-01'",
  "SELECT COUNT(*) AS recent FROM calls WHERE arrived >= CURRENT_DATE - INTERVAL '90 days'",
  'SELECT COUNT(*) FROM bills WHERE EXTRACT(YEAR FROM billed) = 2024 AND paid IS NULL',
  "SELECT bill_id, amount FROM bills WHERE billed BETWEEN '2024-02-01' AND '2024-02-29' ORDER BY amount DESC, bill_id",
  "SELECT state, COUNT(*) FROM calls WHERE arrived >= DATE_TRUNC('year', CURRENT_DATE) - INTERVAL '2 years' GROUP BY state",
  // Texts
  "SELECT ship_id, ship_name FROM ships WHERE ship_name ILIKE '%1%' ORDER BY ship_name",
  "SELECT COUNT(*) FROM bills WHERE LOWER(remark) LIKE 'late%'",
  "SELECT goods, SUM(tonnes) FROM loads WHERE goods IN ('grain', 'salt') GROUP BY goods",
  // Related rows
  'SELECT s.ship_name FROM ships s LEFT JOIN calls c ON c.ship_id = s.ship_id WHERE c.call_id IS NULL ORDER BY s.ship_name',
  'SELECT ship_name FROM ships WHERE ship_id NOT IN (SELECT ship_id FROM calls)',
  "SELECT COUNT(*) FROM calls WHERE call_id IN (SELECT call_id FROM loads WHERE goods = 'ore')",
  'SELECT pilot_name FROM pilots p WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.pilot_id = p.pilot_id)',
  "SELECT s.ship_name, COUNT(c.call_id) AS cancelled FROM ships s LEFT JOIN calls c ON c.ship_id = s.ship_id AND c.state = 'cancelled' GROUP BY s.ship_id, s.ship_name",
  'SELECT c.call_id, COALESCE(SUM(l.tonnes), 0) AS tonnes FROM calls c LEFT JOIN loads l ON l.call_id = c.call_id GROUP BY c.call_id',
  "SELECT DISTINCT s.ship_name FROM ships s JOIN calls c ON c.ship_id = s.ship_id JOIN loads l ON l.call_id = c.call_id WHERE l.goods = 'timber'",
  // Ranks
  'SELECT quay, berth_name FROM (SELECT quay, berth_name, RANK() OVER (PARTITION BY quay ORDER BY depth_m DESC NULLS LAST) AS r FROM berths) t WHERE r = 1',
  'SELECT ship_id, call_id FROM (SELECT ship_id, call_id, ROW_NUMBER() OVER (PARTITION BY ship_id ORDER BY arrived DESC, call_id) AS rn FROM calls) x WHERE rn = 1',
  'WITH per_ship AS (SELECT c.ship_id, SUM(b.amount) AS total FROM bills b JOIN calls c ON c.call_id = b.call_id GROUP BY c.ship_id) SELECT ship_id, total, RANK() OVER (ORDER BY total DESC) AS place FROM per_ship',
  'SELECT flag, COUNT(*) AS ships FROM ships GROUP BY flag ORDER BY ships DESC, flag LIMIT 2',
  // Shares, rounding, conditions in measures
  "SELECT direction, 100.0 * COUNT(*) FILTER (WHERE goods = 'ore') / NULLIF(COUNT(*), 0) AS ore_pct FROM loads GROUP BY direction",
  'SELECT goods, ROUND(AVG(tonnes), 2) AS mean FROM loads GROUP BY goods',
  'SELECT c.state, SUM(b.amount) AS total, SUM(b.amount) / SUM(SUM(b.amount)) OVER () AS share FROM bills b JOIN calls c ON c.call_id = b.call_id GROUP BY c.state',
  "SELECT goods, SUM(CASE WHEN direction = 'in' THEN tonnes END) AS tonnes_in, SUM(CASE WHEN direction = 'out' THEN tonnes END) AS tonnes_out FROM loads GROUP BY goods",
  'SELECT ship_id, COUNT(*) AS n FROM calls GROUP BY ship_id HAVING COUNT(*) > 2',
  // Arithmetic of one row
  'SELECT goods, SUM(tonnes * rate) AS value FROM loads WHERE tonnes IS NOT NULL GROUP BY goods ORDER BY value DESC NULLS LAST, goods',
  'SELECT goods, AVG(COALESCE(tonnes, 0)) AS mean FROM loads GROUP BY goods',
  'SELECT MAX(rate / NULLIF(tonnes, 0)) FROM loads',
  // Steps
  "WITH done AS (SELECT * FROM calls WHERE state = 'done') SELECT berth_id, COUNT(*) FROM done GROUP BY berth_id",
  // Texts of rows as one
  "SELECT quay, STRING_AGG(berth_name, ', ' ORDER BY berth_name) AS berths FROM berths GROUP BY quay",
  "SELECT s.ship_name, STRING_AGG(DISTINCT l.goods, ', ' ORDER BY l.goods) AS goods FROM loads l JOIN calls c ON c.call_id = l.call_id JOIN ships s ON s.ship_id = c.ship_id GROUP BY s.ship_id, s.ship_name",
  "SELECT STRING_AGG(DISTINCT flag, '/' ORDER BY flag) AS flags, COUNT(DISTINCT flag) FROM ships",
  "SELECT flag, STRING_AGG(ship_name, ', ' ORDER BY ship_name) FILTER (WHERE built < 2000) AS old_ships FROM ships GROUP BY flag",
  "SELECT flag, AVG(CARDINALITY(STRING_TO_ARRAY(equipment, ','))) AS items FROM ships GROUP BY flag",
  // Every period
  "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month ORDER BY m.month",
  "WITH months AS (SELECT GENERATE_SERIES('2024-01-01'::date, '2024-12-01'::date, '1 month'::interval)::date AS month) SELECT months.month, COALESCE(SUM(b.amount), 0) AS billed FROM months LEFT JOIN bills b ON DATE_TRUNC('month', b.billed)::date = months.month GROUP BY 1 ORDER BY 1",
  "WITH RECURSIVE months AS (SELECT DATE '2024-01-01' AS m UNION ALL SELECT (m + INTERVAL '1 month')::date FROM months WHERE m < DATE '2024-12-01'), per_month AS (SELECT DATE_TRUNC('month', arrived)::date AS m, COUNT(*) AS n FROM calls GROUP BY 1) SELECT months.m, COALESCE(per_month.n, 0) AS calls FROM months LEFT JOIN per_month ON per_month.m = months.m ORDER BY 1",
  "SELECT d::date AS month, COUNT(c.call_id) AS calls FROM GENERATE_SERIES('2024-01-01'::date, '2024-12-01'::date, INTERVAL '1 month') d LEFT JOIN calls c ON c.arrived >= d AND c.arrived < d + INTERVAL '1 month' GROUP BY d ORDER BY d",
  "SELECT days.day, COUNT(c.call_id) FROM (SELECT generate_series(DATE '2024-02-01', DATE '2024-02-29', INTERVAL '1 day')::date AS day) days LEFT JOIN calls c ON c.arrived = days.day GROUP BY days.day ORDER BY days.day",
  "WITH spine AS (SELECT m::date AS month FROM generate_series(date '2024-01-01', date '2024-12-31', interval '1 month') AS m), paid AS (SELECT date_trunc('month', billed)::date AS month, SUM(amount) AS total FROM bills WHERE remark IS NULL GROUP BY 1) SELECT spine.month, paid.total FROM spine LEFT JOIN paid USING (month) ORDER BY spine.month",
  // Several at once
  'SELECT p.pilot_name, t.pilot_name AS trainer FROM pilots p LEFT JOIN pilots t ON t.pilot_id = p.trained_by',
  'SELECT c.state, MIN(c.arrived) AS first, MAX(c.arrived) AS last, COUNT(DISTINCT c.ship_id) AS ships FROM calls c GROUP BY c.state',
  'SELECT b.quay, s.flag, SUM(bi.amount) AS total FROM bills bi JOIN calls c ON c.call_id = bi.call_id LEFT JOIN berths b ON b.berth_id = c.berth_id LEFT JOIN ships s ON s.ship_id = c.ship_id GROUP BY b.quay, s.flag HAVING SUM(bi.amount) > 1000',
  'SELECT ROUND(AVG(sailed - arrived), 1) AS days FROM calls WHERE sailed IS NOT NULL',
  'SELECT AVG(paid - billed) AS days_to_pay FROM bills',
  'SELECT load_id, tonnes * rate AS value FROM loads WHERE tonnes IS NOT NULL ORDER BY load_id',
  'SELECT sailed - arrived AS stay, COUNT(*) AS calls FROM calls WHERE sailed IS NOT NULL GROUP BY sailed - arrived ORDER BY 1',
  'SELECT s.ship_name FROM ships s WHERE (SELECT COUNT(*) FROM calls c WHERE c.ship_id = s.ship_id) >= 3',
  'SELECT EXTRACT(YEAR FROM billed) AS y, EXTRACT(MONTH FROM billed) AS m, COUNT(*) FROM bills GROUP BY 1, 2',
  'SELECT EXTRACT(YEAR FROM billed) AS y, SUM(amount) AS total FROM bills GROUP BY EXTRACT(YEAR FROM billed) ORDER BY y',
  'SELECT bill_id, amount FROM bills WHERE amount > (SELECT AVG(amount) FROM bills)',
  "SELECT ROUND(100.0 * SUM(CASE WHEN state = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*), 1) AS pct FROM calls",
];

/** A plan says these too, or could; svc does not find it. */
export const HARBOUR_OPEN: readonly string[] = [
  'WITH totals AS (SELECT call_id, SUM(amount) AS total FROM bills GROUP BY call_id) SELECT AVG(total) FROM totals',
  'SELECT MAX(n) FROM (SELECT ship_id, COUNT(*) AS n FROM calls GROUP BY ship_id) x',
  "SELECT b.quay, ARRAY_TO_STRING(ARRAY_AGG(DISTINCT b.berth_name ORDER BY b.berth_name), '; ') FROM calls c JOIN berths b ON b.berth_id = c.berth_id GROUP BY b.quay",
  'SELECT COUNT(*) FILTER (WHERE paid > billed + 30) AS late, COUNT(*) AS bills FROM bills WHERE paid IS NOT NULL',
];

/** Each only looks like another one. */
export const HARBOUR_NEAR: readonly (readonly [about: string, sql: string, looksLike: string])[] = [
  [
    'all rows of a left join are counted',
    "SELECT m.month, COUNT(*) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month",
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month",
  ],
  [
    'a condition after the left join leaves periods out',
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month WHERE b.remark IS NULL GROUP BY m.month",
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month AND b.remark IS NULL GROUP BY m.month",
  ],
  [
    'every second month',
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '2 months') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month",
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month",
  ],
  [
    'periods that do not begin at their first day',
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-15', DATE '2024-12-15', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON b.billed >= m.month AND b.billed < m.month + INTERVAL '1 month' GROUP BY m.month",
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON b.billed >= m.month AND b.billed < m.month + INTERVAL '1 month' GROUP BY m.month",
  ],
  [
    'up to a day in each period',
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON b.billed >= m.month AND b.billed <= m.month + INTERVAL '1 month' GROUP BY m.month",
    "SELECT m.month, COUNT(b.bill_id) AS bills FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON b.billed >= m.month AND b.billed < m.month + INTERVAL '1 month' GROUP BY m.month",
  ],
  [
    'everything up to each period',
    "SELECT m.month, SUM(b.amount) AS billed FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON b.billed < m.month + INTERVAL '1 month' GROUP BY m.month",
    "SELECT m.month, SUM(b.amount) AS billed FROM GENERATE_SERIES(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN bills b ON DATE_TRUNC('month', b.billed) = m.month GROUP BY m.month",
  ],
  [
    'a recursion that goes one further',
    "WITH RECURSIVE months AS (SELECT DATE '2024-01-01' AS m UNION ALL SELECT (m + INTERVAL '1 month')::date FROM months WHERE m + INTERVAL '1 month' < DATE '2024-12-01') SELECT months.m, COUNT(*) FROM months LEFT JOIN calls c ON DATE_TRUNC('month', c.arrived) = months.m GROUP BY 1",
    "WITH RECURSIVE months AS (SELECT DATE '2024-01-01' AS m UNION ALL SELECT (m + INTERVAL '1 month')::date FROM months WHERE m < DATE '2024-12-01') SELECT months.m, COUNT(c.call_id) FROM months LEFT JOIN calls c ON DATE_TRUNC('month', c.arrived) = months.m GROUP BY 1",
  ],
  [
    'values as one text by another order',
    "SELECT quay, STRING_AGG(berth_name, ', ' ORDER BY depth_m) AS berths FROM berths GROUP BY quay",
    "SELECT quay, STRING_AGG(berth_name, ', ' ORDER BY berth_name) AS berths FROM berths GROUP BY quay",
  ],
  [
    'values as one text from the last',
    "SELECT quay, STRING_AGG(berth_name, ', ' ORDER BY berth_name DESC) AS berths FROM berths GROUP BY quay",
    "SELECT quay, STRING_AGG(berth_name, ', ' ORDER BY berth_name) AS berths FROM berths GROUP BY quay",
  ],
  [
    'missing values as a word',
    "SELECT state, STRING_AGG(COALESCE(remark, 'none'), ', ' ORDER BY COALESCE(remark, 'none')) FROM bills b JOIN calls c ON c.call_id = b.call_id GROUP BY state",
    "SELECT state, STRING_AGG(remark, ', ' ORDER BY remark) FROM bills b JOIN calls c ON c.call_id = b.call_id GROUP BY state",
  ],
  [
    'an array of values that may be missing',
    "SELECT flag, ARRAY_TO_STRING(ARRAY_AGG(equipment ORDER BY equipment), ', ') FROM ships GROUP BY flag",
    "SELECT flag, STRING_AGG(equipment, ', ' ORDER BY equipment) FROM ships GROUP BY flag",
  ],
  [
    'commas of an empty text',
    "SELECT flag, AVG(LENGTH(equipment) - LENGTH(REPLACE(equipment, ',', '')) + 1) FROM ships GROUP BY flag",
    "SELECT flag, AVG(CARDINALITY(STRING_TO_ARRAY(equipment, ','))) FROM ships GROUP BY flag",
  ],
  [
    'bills that loads repeat',
    'SELECT c.state, SUM(b.amount) FROM calls c JOIN bills b ON b.call_id = c.call_id JOIN loads l ON l.call_id = c.call_id GROUP BY c.state',
    'SELECT c.state, SUM(b.amount) FROM calls c JOIN bills b ON b.call_id = c.call_id GROUP BY c.state',
  ],
  [
    'whole numbers divided',
    "SELECT 100 * (SUM(CASE WHEN state = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*)) FROM calls",
    "SELECT 100.0 * SUM(CASE WHEN state = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) FROM calls",
  ],
  [
    'one of equal rows',
    'SELECT quay, berth_name FROM (SELECT quay, berth_name, ROW_NUMBER() OVER (PARTITION BY quay ORDER BY depth_m DESC) AS r FROM berths) t WHERE r = 1',
    'SELECT quay, berth_name FROM (SELECT quay, berth_name, RANK() OVER (PARTITION BY quay ORDER BY depth_m DESC NULLS LAST) AS r FROM berths) t WHERE r = 1',
  ],
  [
    'NOT IN with a null',
    'SELECT pilot_name FROM pilots WHERE pilot_id NOT IN (SELECT pilot_id FROM calls)',
    'SELECT pilot_name FROM pilots p WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.pilot_id = p.pilot_id)',
  ],
  [
    'a product of sums',
    'SELECT goods, SUM(tonnes) * SUM(rate) AS value FROM loads GROUP BY goods',
    'SELECT goods, SUM(tonnes * rate) AS value FROM loads GROUP BY goods',
  ],
  [
    'nothing taken for another field in each row',
    'SELECT goods, AVG(COALESCE(tonnes, rate)) FROM loads GROUP BY goods',
    'SELECT goods, AVG(tonnes) FROM loads GROUP BY goods',
  ],
  [
    'groups cut at random',
    'SELECT flag, COUNT(*) AS ships FROM ships GROUP BY flag ORDER BY ships DESC LIMIT 3',
    'SELECT flag, COUNT(*) AS ships FROM ships GROUP BY flag ORDER BY ships DESC, flag LIMIT 2',
  ],
  [
    'a day too many',
    "SELECT COUNT(*) FROM calls WHERE arrived BETWEEN '2024-03-01' AND DATE '2024-03-01' + INTERVAL '1 month'",
    "SELECT COUNT(*) FROM calls WHERE arrived >= DATE '2024-03-01' AND arrived < DATE '2024-04-01'",
  ],
];
