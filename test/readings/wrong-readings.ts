// Questions that invite a wrong reading, with SQL by hand: dates that nobody named, over joins and among several; levels
// that are not added up; ranks, averages and comparisons of what is coarser than its rows; two periods at once; ties; rows
// that a policy hides. No gold: no reading is certain enough to be graded verified.
export type LensName = 'trade' | 'grid' | 'plans' | 'drafted' | 'resort';
export interface WrongReading {
  lens: LensName;
  q: string;
  /** Each a reading that may be graded verified. */
  gold: string[];
  /** What each option of the question asked back comes to. */
  settled?: Record<string, string>;
  /** Asked by someone who sees the rows of one region. */
  region?: string;
}

const PERIODS: [words: string, from: string, to: string][] = [
  ['in 2024', "date '2024-01-01'", "date '2025-01-01'"],
  ['in March 2024', "date '2024-03-01'", "date '2024-04-01'"],
  ['last month', "date_trunc('month', current_date) - interval '1 month'", "date_trunc('month', current_date)"],
  [
    'in the last 6 months',
    "date_trunc('month', current_date) - interval '6 months'",
    "date_trunc('month', current_date)",
  ],
];
const within = (date: string, [, from, to]: [string, string, string]): string =>
  `${date} >= ${from} and ${date} < ${to}`;
const [Y2024, MARCH, , HALF] = PERIODS as [
  [string, string, string],
  [string, string, string],
  never,
  [string, string, string],
];
const year = (date: string, y: number): string => `${date} >= date '${y}-01-01' and ${date} < date '${y + 1}-01-01'`;
/** "within the last 6 months from today" may also be meant to the day. */
const lastHalf = (select: string, date: string): string[] => [
  `${select} ${within(date, HALF)}`,
  `${select} ${date} >= current_date - interval '6 months' and ${date} <= current_date`,
];
const grouped = (unit: string, date: string, measure: string, from: string): string =>
  `select date_trunc('${unit}', ${date})::date, ${measure} from ${from} group by 1`;
/** The first n with all that tie with the last of them: a cut through a tie is no verified answer. */
const top = (n: number, name: string, measure: string, from: string, key = name, way = 'desc'): string =>
  `select n, m from (select min(${name}) n, ${measure} m, rank() over (order by ${measure} ${way}) r from ${from} group by ${key}) x where r <= ${n}`;
const topRows = (n: number, shown: string, by: string, from: string): string =>
  `select ${shown} from (select *, rank() over (order by ${by} desc) r from ${from}) x where r <= ${n}`;

const LINES = 'trade.order_lines l join trade.orders o using (order_id)';
const LINE_CUSTOMERS = `${LINES} join trade.customers c using (customer_id)`;
const LINE_PRODUCTS = 'trade.order_lines l join trade.products p using (product_id)';
const READINGS = 'grid.readings r join grid.sensors s using (sensor_id) join grid.stations t using (station_id)';
const JOBS = 'grid.jobs j join grid.sensors s using (sensor_id) join grid.stations t using (station_id)';
const SUBS = 'plans.subscriptions s join plans.accounts a using (account_id)';
const INVOICES = `plans.invoices i join ${SUBS} using (subscription_id)`;
const ITEMS = 'plans.invoice_items x join plans.invoices i using (invoice_id)';

const on = (lens: LensName) => {
  const list: WrongReading[] = [];
  const ask = (q: string, ...gold: string[]): void => void list.push({ lens, q, gold });
  const back = (q: string, settled: Record<string, string>): void => void list.push({ lens, q, gold: [], settled });
  const never = (...questions: string[]): void => {
    for (const q of questions) ask(q);
  };
  return { list, ask, back, never };
};

function trade(): WrongReading[] {
  const { list, ask, back, never } = on('trade');
  const measured: [string, string][] = [
    ['how many order lines', 'count(*)'],
    ['total line amount', 'sum(l.line_amount)'],
    ['revenue', 'sum(l.line_amount)'],
    ['average line amount', 'avg(l.line_amount)'],
  ];
  for (const [words, measure] of measured)
    for (const period of PERIODS)
      ask(`${words} ${period[0]}`, `select ${measure} from ${LINES} where ${within('order_date', period)}`);
  ask('revenue by month', grouped('month', 'order_date', 'sum(line_amount)', LINES));
  ask('revenue by year', grouped('year', 'order_date', 'sum(line_amount)', LINES));
  ask('number of order lines by year', grouped('year', 'order_date', 'count(*)', LINES));
  ask(
    'revenue by quarter in 2024',
    `select date_trunc('quarter', order_date)::date, sum(line_amount) from ${LINES} where ${year('order_date', 2024)} group by 1`,
  );
  ask('average line amount by year', grouped('year', 'order_date', 'avg(line_amount)', LINES));
  ask(
    'revenue by category in 2024',
    `select category, sum(line_amount) from ${LINES} join trade.products p using (product_id) where ${year('order_date', 2024)} group by 1`,
  );
  ask('number of orders by month', grouped('month', 'order_date', 'count(*)', 'trade.orders'));
  ask('how many orders were shipped in 2024', `select count(*) from trade.orders where ${year('ship_date', 2024)}`);
  ask('revenue of orders shipped in 2024', `select sum(line_amount) from ${LINES} where ${year('ship_date', 2024)}`);
  ask(
    'revenue of products introduced in 2022',
    `select sum(line_amount) from ${LINE_PRODUCTS} where ${year('intro_date', 2022)}`,
  );
  ask(
    'revenue of customers who signed up in 2021',
    `select sum(line_amount) from ${LINE_CUSTOMERS} where ${year('signup_date', 2021)}`,
  );
  ask(
    'how many customers signed up in 2021',
    `select count(*) from trade.customers where ${year('signup_date', 2021)}`,
  );
  ask(
    'how many returns were received in 2024',
    `select count(*) from trade.returns where ${year('received_on', 2024)}`,
  );
  ask('how many customers in 2021', `select count(*) from trade.customers where ${year('signup_date', 2021)}`);
  ask('how many products in 2022', `select count(*) from trade.products where ${year('intro_date', 2022)}`);
  const refunds = (sql: (date: string) => string) => ({
    'returns.returned_on': sql('returned_on'),
    'returns.received_on': sql('received_on'),
  });
  back(
    'total refund in 2024',
    refunds((date) => `select sum(refund) from trade.returns where ${within(date, Y2024)}`),
  );
  back(
    'average refund in March 2024',
    refunds((date) => `select avg(refund) from trade.returns where ${within(date, MARCH)}`),
  );
  back(
    'refund by year',
    refunds((date) => grouped('year', date, 'sum(refund)', 'trade.returns')),
  );
  back(
    'total refund by month',
    refunds((date) => grouped('month', date, 'sum(refund)', 'trade.returns')),
  );
  back(
    'total refund since 2025',
    refunds((date) => `select sum(refund) from trade.returns where ${date} >= date '2025-01-01'`),
  );
  ask('how many returns in 2024', `select count(*) from trade.returns where ${year('returned_on', 2024)}`);
  ask('total target amount by month', 'select month, sum(target_amount) from trade.targets group by 1');
  never('how many regions in 2024', 'total target amount in 2024', 'total target amount last month');
  ask('top 3 customers by line amount', top(3, 'customer_name', 'sum(line_amount)', LINE_CUSTOMERS, 'customer_id'));
  ask('top 10 customers by line amount', top(10, 'customer_name', 'sum(line_amount)', LINE_CUSTOMERS, 'customer_id'));
  ask(
    'bottom 3 products by line amount',
    top(3, 'product_name', 'sum(line_amount)', LINE_PRODUCTS, 'product_id', 'asc'),
  );
  ask('top 5 products by line amount', top(5, 'product_name', 'sum(line_amount)', LINE_PRODUCTS, 'product_id'));
  ask('top 3 orders by line amount', top(3, 'order_id', 'sum(line_amount)', LINES, 'order_id'));
  ask('top 2 categories by quantity', top(2, 'category', 'sum(quantity)', LINE_PRODUCTS));
  ask('top 3 customers by revenue', top(3, 'customer_name', 'sum(line_amount)', LINE_CUSTOMERS, 'customer_id'));
  ask(
    'top 3 customers by number of orders',
    top(3, 'customer_name', 'count(*)', 'trade.orders o join trade.customers c using (customer_id)', 'customer_id'),
  );
  ask(
    'top 3 customers by credit limit',
    topRows(3, 'customer_name', 'credit_limit', 'trade.customers'),
    topRows(3, 'customer_name, credit_limit', 'credit_limit', 'trade.customers'),
  );
  ask(
    'top 4 customers by freight',
    top(4, 'customer_name', 'sum(freight)', 'trade.orders o join trade.customers c using (customer_id)', 'customer_id'),
  );
  never(
    'which customer has the highest line amount',
    'customer with the lowest freight',
    'top 3 customers by unit price',
    'top 3 orders by unit price',
    'customers by line amount',
    'largest customers by quantity',
  );
  never(
    'average line amount per customer',
    'average line amount per order',
    'average freight per customer',
    'average revenue per customer',
    'average quantity per product',
    'average refund per customer',
  );
  ask('average line amount by category', `select category, avg(line_amount) from ${LINE_PRODUCTS} group by 1`);
  ask(
    'average number of orders per customer',
    'select avg(n) from (select count(*) n from trade.orders group by customer_id) x',
  );
  ask(
    'how many orders over 100 dollars',
    'select count(*) from (select order_id from trade.order_lines group by 1 having sum(line_amount) > 100) x',
  );
  ask(
    'how many customers with revenue over 2500',
    `select count(*) from (select customer_id from ${LINES} group by 1 having sum(line_amount) > 2500) x`,
  );
  ask('how many order lines over 60 dollars', 'select count(*) from trade.order_lines where line_amount > 60');
  ask('how many orders with freight over 9', 'select count(*) from trade.orders where freight > 9');
  ask('how many products with list price over 30', 'select count(*) from trade.products where list_price > 30');
  never(
    'orders over 100 dollars in 2024 by status',
    'how many orders with line amount over 60',
    'customers with line amount over 60',
    'how many customers with quantity above 4',
    'how many customers over 200 dollars',
    'which orders have a line amount below 20',
    'products with quantity over 4',
  );
  ask(
    'how many orders in 2024 in March 2024',
    `select count(*) from trade.orders where ${within('order_date', MARCH)}`,
  );
  ask('how many orders since 2024 before 2025', `select count(*) from trade.orders where ${year('order_date', 2024)}`);
  ask(
    'how many orders after March 2024 before July 2024',
    "select count(*) from trade.orders where order_date >= '2024-04-01' and order_date < '2024-07-01'",
  );
  ask(
    'how many orders within the last 6 months from today',
    ...lastHalf('select count(*) from trade.orders where', 'order_date'),
  );
  ask(
    'revenue in the last 6 months from today',
    ...lastHalf(`select sum(line_amount) from ${LINES} where`, 'order_date'),
  );
  ask(
    'how many orders in 2023 or 2024',
    "select count(*) from trade.orders where order_date >= '2023-01-01' and order_date < '2025-01-01'",
  );
  ask(
    'how many orders ordered in 2024 and shipped in 2025',
    `select count(*) from trade.orders where ${year('order_date', 2024)} and ${year('ship_date', 2025)}`,
  );
  never('how many orders in 2023 in 2024', 'revenue in 2024 last month', 'how many orders last month since 2030');
  ask('when was the last order', 'select max(order_date) from trade.orders');
  ask('when was the first order', 'select min(order_date) from trade.orders');
  ask(
    'growth of revenue from 2023 to 2024',
    `select b - a, (b - a) * 100.0 / a from (select sum(line_amount) filter (where ${year('order_date', 2023)}) a, sum(line_amount) filter (where ${year('order_date', 2024)}) b from ${LINES}) x`,
  );
  never('when was the last return', 'growth of refund from 2023 to 2024', 'refund in 2024 vs 2023');
  for (const region of ['North', 'West']) {
    const mine = `sales_region = '${region}'`;
    const rep = (q: string, ...gold: string[]): void => void list.push({ lens: 'trade', q, gold, region });
    rep('how many orders', `select count(*) from trade.orders where ${mine}`);
    rep('how many orders in 2024', `select count(*) from trade.orders where ${mine} and ${year('order_date', 2024)}`);
    rep(
      'number of orders by customer',
      `select customer_name, count(*) from trade.orders o join trade.customers c using (customer_id) where o.${mine} group by customer_id, 1`,
    );
    rep('how many customers', `select count(*) from trade.customers where ${mine}`);
    rep('revenue in 2024', `select sum(line_amount) from ${LINES} where ${mine} and ${year('order_date', 2024)}`);
    rep(
      'number of orders by region',
      `select region_name, count(*) from trade.orders o join trade.customers c using (customer_id) join trade.regions g using (region_id) where o.${mine} group by 1`,
    );
  }
  return list;
}

function grid(): WrongReading[] {
  const { list, ask, back, never } = on('grid');
  for (const period of PERIODS) {
    ask(`how many readings ${period[0]}`, `select count(*) from grid.readings where ${within('read_at', period)}`);
    ask(`total energy ${period[0]}`, `select sum(energy_kwh) from grid.readings where ${within('read_at', period)}`);
    ask(
      `average temperature ${period[0]}`,
      `select avg(temperature) from grid.readings where ${within('read_at', period)}`,
    );
    back(
      `how many jobs ${period[0]}`,
      Object.fromEntries(
        ['reported_on', 'started_on', 'finished_on'].map((date) => [
          `jobs.${date}`,
          `select count(*) from grid.jobs where ${within(date, period)}`,
        ]),
      ),
    );
    back(
      `repair cost ${period[0]}`,
      Object.fromEntries(
        ['reported_on', 'started_on', 'finished_on'].map((date) => [
          `jobs.${date}`,
          `select sum(cost) from grid.jobs where ${within(date, period)}`,
        ]),
      ),
    );
    never(`how many notes ${period[0]}`);
  }
  back(
    'repair cost by year',
    Object.fromEntries(
      ['reported_on', 'started_on', 'finished_on'].map((date) => [
        `jobs.${date}`,
        grouped('year', date, 'sum(cost)', 'grid.jobs'),
      ]),
    ),
  );
  back(
    'average cost by month',
    Object.fromEntries(
      ['reported_on', 'started_on', 'finished_on'].map((date) => [
        `jobs.${date}`,
        grouped('month', date, 'avg(cost)', 'grid.jobs'),
      ]),
    ),
  );
  back(
    'how many sensors in 2023',
    Object.fromEntries(
      ['installed_on', 'removed_on'].map((date) => [
        `sensors.${date}`,
        `select count(*) from grid.sensors where ${year(date, 2023)}`,
      ]),
    ),
  );
  ask('total energy by year', grouped('year', 'read_at', 'sum(energy_kwh)', 'grid.readings'));
  ask(
    'average humidity by month in 2024',
    `select date_trunc('month', read_at)::date, avg(humidity) from grid.readings where ${year('read_at', 2024)} group by 1`,
  );
  ask('how many jobs were reported in 2024', `select count(*) from grid.jobs where ${year('reported_on', 2024)}`);
  ask(
    'how many jobs were finished in March 2024',
    `select count(*) from grid.jobs where ${within('finished_on', MARCH)}`,
  );
  ask('repair cost of jobs started in 2024', `select sum(cost) from grid.jobs where ${year('started_on', 2024)}`);
  ask(
    'how many sensors were installed in 2022',
    `select count(*) from grid.sensors where ${year('installed_on', 2022)}`,
  );
  ask('how many sensors were removed in 2024', `select count(*) from grid.sensors where ${year('removed_on', 2024)}`);
  ask(
    'total energy of sensors installed in 2022',
    `select sum(energy_kwh) from ${READINGS} where ${year('installed_on', 2022)}`,
  );
  ask('how many stations in 2019', `select count(*) from grid.stations where ${year('opened_on', 2019)}`);
  ask(
    'how many notes of stations opened in 2019',
    `select count(*) from grid.notes join grid.stations t using (station_id) where ${year('opened_on', 2019)}`,
  );
  never('average rating in 2024', 'average rating by month', 'number of notes by year');
  never(
    'total temperature',
    'total humidity in 2024',
    'sum of temperature by station',
    'total humidity by city',
    'running total of temperature by month',
  );
  ask('temperature by station', `select station_name, avg(temperature) from ${READINGS} group by station_id, 1`);
  ask('humidity by city', `select city, avg(humidity) from ${READINGS} group by 1`);
  ask('temperature by month', grouped('month', 'read_at', 'avg(temperature)', 'grid.readings'));
  ask('average temperature by city', `select city, avg(temperature) from ${READINGS} group by 1`);
  ask('highest temperature by city', `select city, max(temperature) from ${READINGS} group by 1`);
  ask('energy by city', `select city, sum(energy_kwh) from ${READINGS} group by 1`);
  ask(
    'total capacity by city',
    'select city, sum(capacity_kw) from grid.sensors join grid.stations using (station_id) group by 1',
  );
  ask('top 3 stations by energy', top(3, 'station_name', 'sum(energy_kwh)', READINGS, 'station_id'));
  ask('top 2 cities by cost', top(2, 'city', 'sum(cost)', JOBS));
  ask('top 3 sensors by cost', top(3, 'sensor_name', 'sum(cost)', JOBS, 'sensor_id'));
  ask(
    'top 5 sensors by capacity',
    topRows(5, 'sensor_name', 'capacity_kw', 'grid.sensors'),
    topRows(5, 'sensor_name, capacity_kw', 'capacity_kw', 'grid.sensors'),
  );
  ask('top 3 stations by average temperature', top(3, 'station_name', 'avg(temperature)', READINGS, 'station_id'));
  never(
    'top 3 stations by temperature',
    'top 3 sensors by humidity',
    'top 2 cities by temperature',
    'sensor with the highest cost',
  );
  never(
    'average cost per station',
    'average energy per sensor',
    'average energy per station',
    'average capacity per station',
    'average repair cost per sensor',
  );
  ask(
    'average temperature per station',
    `select station_name, avg(temperature) from ${READINGS} group by station_id, 1`,
  );
  ask(
    'average number of jobs per sensor',
    'select avg(n) from (select count(*) n from grid.jobs group by sensor_id) x',
  );
  ask('how many readings with temperature over 30', 'select count(*) from grid.readings where temperature > 30');
  ask('how many jobs with cost over 300', 'select count(*) from grid.jobs where cost > 300');
  ask(
    'how many stations with repair cost over 2500',
    `select count(*) from (select station_id from ${JOBS} group by 1 having sum(cost) > 2500) x`,
  );
  never(
    'stations with temperature over 30',
    'how many stations with temperature over 30',
    'sensors with energy above 40',
    'how many sensors with cost over 300',
    'cities with cost over 300',
  );
  ask(
    'how many jobs were finished within the last 6 months from today',
    ...lastHalf('select count(*) from grid.jobs where', 'finished_on'),
  );
  ask(
    'how many jobs were reported in 2024 and finished in 2025',
    `select count(*) from grid.jobs where ${year('reported_on', 2024)} and ${year('finished_on', 2025)}`,
  );
  ask(
    'how many readings in 2024 before June 2024',
    "select count(*) from grid.readings where read_at >= '2024-01-01' and read_at < '2024-06-01'",
  );
  ask('when was the last reading', 'select max(read_at) from grid.readings');
  never('when was the last job', 'when was the first sensor', 'how many readings in 2023 in 2024', 'latest job');
  return list;
}

function plans(): WrongReading[] {
  const { list, ask, back, never } = on('plans');
  for (const period of PERIODS) {
    ask(`how many invoices ${period[0]}`, `select count(*) from plans.invoices where ${within('issued_on', period)}`);
    ask(`total item amount ${period[0]}`, `select sum(item_amount) from ${ITEMS} where ${within('issued_on', period)}`);
    back(
      `how many subscriptions ${period[0]}`,
      Object.fromEntries(
        ['started_on', 'ended_on'].map((date) => [
          `subscriptions.${date}`,
          `select count(*) from plans.subscriptions where ${within(date, period)}`,
        ]),
      ),
    );
    ask(
      `how many subscriptions ended ${period[0]}`,
      `select count(*) from plans.subscriptions where ${within('ended_on', period)}`,
    );
    never(`how many reminders ${period[0]}`);
  }
  back(
    'total mrr in 2023',
    Object.fromEntries(
      ['started_on', 'ended_on'].map((date) => [
        `subscriptions.${date}`,
        `select sum(mrr) from plans.subscriptions where ${year(date, 2023)}`,
      ]),
    ),
  );
  back(
    'total mrr by year',
    Object.fromEntries(
      ['started_on', 'ended_on'].map((date) => [
        `subscriptions.${date}`,
        grouped('year', date, 'sum(mrr)', 'plans.subscriptions'),
      ]),
    ),
  );
  back(
    'how many subscriptions since 2024',
    Object.fromEntries(
      ['started_on', 'ended_on'].map((date) => [
        `subscriptions.${date}`,
        `select count(*) from plans.subscriptions where ${date} >= '2024-01-01'`,
      ]),
    ),
  );
  never('total fee in 2024', 'fee by month', 'average fee by year', 'number of reminders by month');
  ask(
    'total fee of invoices issued in 2024',
    `select sum(fee) from plans.reminders join plans.invoices using (invoice_id) where ${year('issued_on', 2024)}`,
  );
  ask('number of invoice items by year', grouped('year', 'issued_on', 'count(*)', ITEMS));
  ask(
    'amount billed by month in 2024',
    `select date_trunc('month', issued_on)::date, sum(amount) from plans.invoices where ${year('issued_on', 2024)} group by 1`,
  );
  ask('total amount by year', grouped('year', 'issued_on', 'sum(amount)', 'plans.invoices'));
  ask('how many invoices were paid in 2024', `select count(*) from plans.invoices where ${year('paid_on', 2024)}`);
  ask(
    'total amount of invoices due in March 2024',
    `select sum(amount) from plans.invoices where ${within('due_on', MARCH)}`,
  );
  ask('how many accounts in 2023', `select count(*) from plans.accounts where ${year('created_on', 2023)}`);
  ask(
    'number of accounts by manager in 2023',
    `select manager_name, count(*) from plans.accounts join plans.managers using (manager_id) where ${year('created_on', 2023)} group by 1`,
  );
  ask(
    'amount billed by segment in 2024',
    `select segment, sum(amount) from ${INVOICES} where ${year('issued_on', 2024)} group by 1`,
  );
  ask('top 3 accounts by mrr', top(3, 'account_name', 'sum(mrr)', SUBS, 'account_id'));
  ask('top 3 accounts by amount', top(3, 'account_name', 'sum(amount)', INVOICES, 'account_id'));
  ask('top 5 accounts by amount billed', top(5, 'account_name', 'sum(amount)', INVOICES, 'account_id'));
  ask('top 3 accounts by number of invoices', top(3, 'account_name', 'count(*)', INVOICES, 'account_id'));
  ask('top 3 managers by mrr', top(3, 'manager_name', 'sum(mrr)', `${SUBS} join plans.managers using (manager_id)`));
  ask('top 2 tiers by amount', top(2, 'tier', 'sum(amount)', INVOICES));
  never(
    'account with the highest mrr',
    'which account has the lowest amount',
    'top 3 accounts by highest amount per item',
    'accounts by mrr',
  );
  never(
    'average mrr per account',
    'average amount per account',
    'average invoice amount per account',
    'average mrr per manager',
    'average item amount per invoice',
    'average fee per account',
  );
  ask('average mrr by segment', `select segment, avg(mrr) from ${SUBS} group by 1`);
  ask('average amount by tier', `select tier, avg(amount) from ${INVOICES} group by 1`);
  ask('average mrr', 'select avg(mrr) from plans.subscriptions');
  ask(
    'average number of invoices per account',
    `select avg(n) from (select count(*) n from ${INVOICES} group by account_id) x`,
  );
  ask('how many subscriptions with mrr over 100', 'select count(*) from plans.subscriptions where mrr > 100');
  ask('how many invoices with amount over 200', 'select count(*) from plans.invoices where amount > 200');
  ask(
    'how many accounts with total mrr over 300',
    `select count(*) from (select account_id from ${SUBS} group by 1 having sum(mrr) > 300) x`,
  );
  never(
    'accounts with mrr over 100',
    'how many accounts with mrr over 100',
    'accounts with amount over 300',
    'how many accounts over 500 euros',
    'managers with mrr over 140',
    'how many invoices with item amount over 90',
    'number of accounts with amount below 50',
  );
  ask(
    'how many subscriptions ended within the last 6 months from today',
    ...lastHalf('select count(*) from plans.subscriptions where', 'ended_on'),
  );
  ask(
    'how many invoices were issued in 2024 and paid in 2025',
    `select count(*) from plans.invoices where ${year('issued_on', 2024)} and ${year('paid_on', 2025)}`,
  );
  ask(
    'how many invoices were issued in 2024 before June 2024',
    "select count(*) from plans.invoices where issued_on >= '2024-01-01' and issued_on < '2024-06-01'",
  );
  ask(
    'growth of amount billed from 2023 to 2024',
    `select b - a, (b - a) * 100.0 / a from (select sum(amount) filter (where ${year('issued_on', 2023)}) a, sum(amount) filter (where ${year('issued_on', 2024)}) b from plans.invoices) x`,
  );
  ask('when was the last invoice', 'select max(issued_on) from plans.invoices');
  never(
    'when was the last subscription',
    'growth of total mrr from 2023 to 2024',
    'when was the last reminder',
    'latest subscription',
    'invoices in 2024 last month',
  );
  return list;
}

/** What plays a role, names like words of the calendar, names of two things, and quantities in several units. */
function resort(): WrongReading[] {
  const { list, ask, never } = on('resort');
  const led = 'resort.employees e join resort.employees s on s.employee_id = e.supervisor_id';
  const supervisors = 'resort.employees where employee_id in (select supervisor_id from resort.employees)';
  ask('employees whose supervisor is Vic', `select e.employee_name from ${led} where s.employee_name = 'Vic'`);
  ask('employees with a supervisor in Graz', `select e.employee_name from ${led} where s.town = 'Graz'`);
  ask(
    'employees whose supervisor was hired in 2019',
    `select e.employee_name from ${led} where ${year('s.hired_on', 2019)}`,
  );
  ask('number of employees whose supervisor has no lift', `select count(*) from ${led} where s.lift_id is null`);
  ask('employees with a supervisor at lift Eagle', `select e.employee_name from ${led} where s.lift_id = 1`);
  ask('employees with a supervisor salary over 3000', `select e.employee_name from ${led} where s.salary > 3000`);
  ask('how many supervisors', `select count(*) from ${supervisors}`);
  ask('list the supervisors', `select employee_name from ${supervisors}`);
  ask('supervisors hired in 2019', `select employee_name from ${supervisors} and ${year('hired_on', 2019)}`);
  ask('supervisors without a lift', `select employee_name from ${supervisors} and lift_id is null`);
  ask('average salary of supervisors', `select avg(salary) from ${supervisors}`);
  ask('average supervisor salary', `select avg(salary) from ${supervisors}`, `select avg(s.salary) from ${led}`);
  ask(
    'number of supervisors per lift',
    `select lift_name, count(*) from resort.employees left join resort.lifts using (lift_id) where employee_id in (select supervisor_id from resort.employees) group by 1`,
  );
  ask(
    'how many scans in May 2024',
    `select count(*) from resort.scans where scanned_on >= '2024-05-01' and scanned_on < '2024-06-01'`,
  );
  ask('number of scans at lift Monday', 'select count(*) from resort.scans where lift_id = 3');
  ask('number of scans at lift North', 'select count(*) from resort.scans where lift_id = 2');
  never('how many scans in May', 'number of scans on Monday', 'number of scans in North', 'how many lifts in North');
  ask('total quantity of deliveries in kg', "select sum(quantity) from resort.deliveries where unit = 'kg'");
  ask('total quantity by unit', 'select unit, sum(quantity) from resort.deliveries group by 1');
  never('total quantity of deliveries', 'average quantity per delivery', 'total quantity by month');
  return list;
}

export const wrongReadings = (): WrongReading[] => [...trade(), ...grid(), ...plans(), ...resort()];
