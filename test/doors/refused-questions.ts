// What a business person or an agent asks and doesn't get at once: misspelled, named otherwise, not there, or not said
// exactly enough. Written before the doors were tried with it.
export interface RefusedQuestion {
  lens: 'superstore' | 'flights' | 'billing';
  q: string;
  /** What can't be placed; nothing else may be named. Absent: it may well be answered. */
  unplaced?: string[];
  /** The nearest thing for a word; one of them has to be offered where it isn't answered. */
  near?: Record<string, string[]>;
  /** What is proposed: all else. Null: what is left would be another question. */
  plan?: object | null;
  /** It is asked back. */
  asks?: boolean;
  /** It has one meaning here, and an answer. */
  answered?: boolean;
}

export const refusedQuestions: RefusedQuestion[] = [
  // superstore
  { lens: 'superstore', q: 'reveune by regoin', near: { reveune: ['revenue'], regoin: ['region'] } },
  { lens: 'superstore', q: 'What was reveune in the West in 2016?', near: { reveune: ['revenue'] } },
  { lens: 'superstore', q: 'revenue by warehouse', unplaced: ['warehouse'], plan: { metrics: ['revenue'] } },
  { lens: 'superstore', q: 'top 5 suppliers by revenue', unplaced: ['suppliers'], plan: null },
  { lens: 'superstore', q: 'How many returns were there in 2016?', unplaced: ['returns'] },
  {
    lens: 'superstore',
    q: 'revenue by salesperson and region',
    unplaced: ['salesperson'],
    plan: { metrics: ['revenue'], dimensions: ['orders.region'] },
  },
  {
    lens: 'superstore',
    q: 'Which manager had the highest profit in 2017?',
    unplaced: ['manager'],
    plan: null,
  },
  {
    lens: 'superstore',
    q: 'profit in Wset by category',
    near: { Wset: ['West'] },
    plan: { metrics: ['profit'], dimensions: ['orders.category'] },
  },
  { lens: 'superstore', q: 'revenue for Furnitur in 2016', near: { Furnitur: ['Furniture'] } },
  { lens: 'superstore', q: 'units shipped by Fedex in 2017', unplaced: ['Fedex'], plan: { metrics: ['units'] } },
  { lens: 'superstore', q: 'average rating by category', unplaced: ['rating'] },
  { lens: 'superstore', q: 'What is our churn rate by segment?', unplaced: ['churn'] },
  {
    lens: 'superstore',
    q: 'revenue per square foot by state',
    unplaced: ['square', 'foot'],
    plan: { metrics: ['revenue'], dimensions: ['orders.state'] },
  },
  { lens: 'superstore', q: 'show me the cost of goods by sub-category', unplaced: ['cost', 'goods'] },
  {
    lens: 'superstore',
    q: 'how many customers complained in 2016?',
    unplaced: ['complained'],
    plan: { metrics: ['customers'], time: { from: '2016-01-01' } },
  },
  { lens: 'superstore', q: 'sales tax by state', unplaced: ['tax'], plan: null },
  { lens: 'superstore', q: 'Revenue in Bavaria', unplaced: ['Bavaria'], plan: { metrics: ['revenue'] } },
  { lens: 'superstore', q: 'revenue by quater for 2016', near: { quater: ['quarter'] } },
  { lens: 'superstore', q: 'margin by region in 2016', asks: true },
  { lens: 'superstore', q: 'how many orders were shipped with drones', unplaced: ['drones'] },
  {
    lens: 'superstore',
    q: 'give me the top ten cutomers by sales',
    near: { cutomers: ['customers', 'customer_id', 'customer_name'] },
  },
  { lens: 'superstore', q: 'CA-2016-152156 sales', answered: true },
  { lens: 'superstore', q: 'FUR-BO-10001798 revenue in 2016', answered: true },
  { lens: 'billing', q: 'how many paid invoices are there by plan', answered: true },
  {
    lens: 'billing',
    q: 'bileld amount by pln',
    near: { pln: ['plan'] },
    plan: { metrics: ['billed'], dimensions: ['customers.plan'] },
  },
  { lens: 'billing', q: 'top 3 accounts by billed amount', near: { accounts: ['customers', 'customer_count'] } },
  {
    lens: 'billing',
    q: 'tickets by priorty last quarter',
    near: { priorty: ['priority'] },
    plan: { metrics: ['ticket_count'], dimensions: ['priority'] },
  },
  // flights
  { lens: 'flights', q: 'average delay by airline', unplaced: ['airline'], plan: { metrics: ['average_delay'] } },
  {
    lens: 'flights',
    q: 'How many flights were cancelled in March 2001?',
    unplaced: ['cancelled'],
  },
  { lens: 'flights', q: 'average dealy by origin city', near: { dealy: ['delay', 'average_delay'] } },
  { lens: 'flights', q: 'passengers by destination state', unplaced: ['passengers'] },
  {
    lens: 'flights',
    q: 'on-time rate by carrier and month',
    unplaced: ['carrier'],
    plan: { metrics: ['on_time_rate'], dimensions: ['flights.departed_at.month'] },
  },
  { lens: 'flights', q: 'number of flights from Chicgo in January 2001', near: { Chicgo: ['Chicago'] } },
  { lens: 'flights', q: 'top 10 pilots by miles flown', unplaced: ['pilots'], plan: null },
  // billing
  { lens: 'billing', q: 'How many invoices are past due?', answered: true },
  { lens: 'billing', q: 'how many invoices are cancelled', near: { cancelled: ['canceled'] } },
  { lens: 'billing', q: 'How many tickets are on hold?', answered: true },
  {
    lens: 'billing',
    q: 'total billed by customer state and salesman',
    unplaced: ['salesman'],
    plan: { metrics: ['billed'], dimensions: ['customers.state'] },
  },
  { lens: 'billing', q: 'How many tickets came in by fax?', unplaced: ['fax'] },
  { lens: 'billing', q: 'billed amount by month in 2024', asks: true },
  { lens: 'billing', q: 'number of active customers by state', asks: true },
  { lens: 'billing', q: 'average resolution time by channel', unplaced: ['resolution'] },
  {
    lens: 'billing',
    q: 'how many custmers in Texs',
    near: { custmers: ['customers', 'customer_count'], Texs: ['Texas'] },
  },
  { lens: 'billing', q: 'refunds by plan last year', unplaced: ['refunds'], plan: null },
  { lens: 'billing', q: 'How many invoices are overdue?', answered: true },
  { lens: 'billing', q: 'billings by contract type', unplaced: ['contract', 'type'], plan: { metrics: ['billed'] } },
];
