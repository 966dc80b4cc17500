// Plans over the shop that are right by their form and another question, each made of words that the question has.
const is = (field: string, ...values: (string | number)[]) => ({
  field: `orders.${field}`,
  op: values.length > 1 ? 'in' : '=',
  values,
});
const by = (field: string, direction = 'desc') => [{ field, direction }];
const revenueBy = { metrics: ['revenue'], dimensions: ['orders.region'] };
const y2016 = { from: '2016-01-01', to: '2017-01-01' };

export const LYING_PLANS: readonly [question: string, plan: object][] = [
  // another measure
  ['count the order lines in the West area', { metrics: ['customers'], filters: [is('region', 'West')] }],
  ['sales figures by region', { measures: [{ fn: 'max', field: 'orders.sales' }], dimensions: ['orders.region'] }],
  ['sales by region and by area', { measures: [{ fn: 'min', field: 'orders.sales' }], dimensions: ['orders.region'] }],
  ['revenue, area by area', { measures: [{ fn: 'running_total', of: 'revenue' }], dimensions: ['orders.region'] }],
  ['revenue, area by area', { measures: [{ fn: 'share_of_total', of: 'revenue' }], dimensions: ['orders.region'] }],
  ['revenue, area by area', { measures: [{ fn: 'rank', of: 'revenue' }], dimensions: ['orders.region'] }],
  ['revenue, area by area', { measures: [{ fn: 'product', of: 'revenue', by: 2 }], dimensions: ['orders.region'] }],
  ['revenue, area by area', { measures: [{ fn: 'groups_max', of: 'revenue' }], dimensions: ['orders.region'] }],
  ['the ratio of profit to revenue', { measures: [{ fn: 'ratio', of: ['revenue', 'profit'] }] }],
  ['the difference of profit and revenue', { measures: [{ fn: 'difference', of: ['revenue', 'profit'] }] }],
  ['number of different customer ids', { measures: [{ fn: 'count', field: 'orders.customer_id' }] }],
  [
    'average profit with sales by region',
    { metrics: ['profit'], measures: [{ fn: 'avg', field: 'orders.sales' }], dimensions: ['orders.region'] },
  ],
  [
    'What is the average revenue per region?',
    { measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.region', 'orders.segment'] }] },
  ],
  [
    'What is the average revenue per region?',
    {
      measures: [
        {
          fn: 'over_groups',
          take: 'avg',
          of: 'revenue',
          by: ['orders.region'],
          having: [{ measure: 'revenue', op: '>', values: [100] }],
        },
      ],
    },
  ],
  [
    'What is the average revenue per region?',
    { measures: [{ fn: 'over_groups', take: 'avg', of: 'profit', by: ['orders.region'] }] },
  ],
  [
    'What is the average revenue per region?',
    {
      measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.region'] }],
      filters: [is('region', 'West', 'East')],
    },
  ],
  // a condition of its own, on another thing, or turned
  ['revenue, area by area', { ...revenueBy, filters: [{ field: 'orders.region', op: 'is_not_null' }] }],
  [
    'the revenue of areas in the West',
    { metrics: ['revenue'], filters: [{ any: [is('region', 'West'), { ...is('region', 'West'), op: '!=' }] }] },
  ],
  [
    'revenue without the West for Consumer',
    { metrics: ['revenue'], filters: [is('region', 'West'), { ...is('segment', 'Consumer'), op: '!=' }] },
  ],
  [
    'revenue not of Consumer but of the West',
    { metrics: ['revenue'], filters: [is('segment', 'Consumer'), { ...is('region', 'West'), op: '!=' }] },
  ],
  [
    'revenue in the West and profit in the East',
    { metrics: ['revenue', 'profit'], filters: [is('region', 'West', 'East')] },
  ],
  [
    'revenue in the West and profit for Consumer',
    { metrics: ['revenue', 'profit'], filters: [is('region', 'West'), is('segment', 'Consumer')] },
  ],
  [
    'revenue in the West or for Consumer',
    { metrics: ['revenue'], filters: [is('region', 'West'), is('segment', 'Consumer')] },
  ],
  ['revenue. In the West: profit.', { metrics: ['revenue', 'profit'], filters: [is('region', 'West')] }],
  [
    'revenue by region and profit by segment',
    { metrics: ['revenue', 'profit'], dimensions: ['orders.region', 'orders.segment'] },
  ],
  [
    'order lines with sales over 500 and profit under 100',
    {
      dimensions: ['orders.row_id'],
      filters: [
        { field: 'orders.sales', op: '<', values: [100] },
        { field: 'orders.profit', op: '>', values: [500] },
      ],
    },
  ],
  [
    'customers with sales over 100 and profit',
    { metrics: ['customers'], filters: [{ field: 'orders.profit', op: '>', values: [100] }] },
  ],
  [
    'customers with sales over 100',
    { metrics: ['customers'], filters: [{ field: 'orders.sales', op: '>=', values: [100] }] },
  ],
  [
    'customers with sales over 100',
    { metrics: ['customers'], filters: [{ field: 'orders.row_id', op: '>', values: [100] }] },
  ],
  [
    'the areas with revenue over 100',
    { dimensions: ['orders.region'], having: [{ measure: 'profit', op: '>', values: [100] }], metrics: ['revenue'] },
  ],
  // another period or grain
  ['revenue month by month of 2016', { metrics: ['revenue'], dimensions: ['orders.order_date.week'], time: y2016 }],
  [
    'the yearly revenue by quarter in 2016',
    { metrics: ['revenue'], dimensions: ['orders.order_date.year'], time: y2016 },
  ],
  ['revenue made since 2016', { metrics: ['revenue'], time: y2016 }],
  ['revenue before the year 2017', { metrics: ['revenue'], time: { from: '2017-01-01', to: '2018-01-01' } }],
  ['revenue after the year 2016', { metrics: ['revenue'], time: y2016 }],
  ['revenue from 2016 to now', { metrics: ['revenue'], time: y2016 }],
  ['revenue up to 2016', { metrics: ['revenue'], time: y2016 }],
  ['revenue in the first half of 2016', { metrics: ['revenue'], time: y2016 }],
  ['revenue in the quarter before 2017', { metrics: ['revenue'], time: { during: '2017' } }],
  // another order
  ['top 3 regions by revenue', { ...revenueBy, order_by: by('revenue', 'asc'), limit: 3 }],
  ['top 3 regions by revenue', { ...revenueBy, order_by: by('orders.region'), limit: 3 }],
  [
    'the top 2 regions by profit and their revenue',
    { ...revenueBy, metrics: ['profit', 'revenue'], order_by: by('revenue'), limit: 2 },
  ],
  [
    'top 2 regions with revenue over 3',
    { ...revenueBy, having: [{ measure: 'revenue', op: '>', values: [2] }], order_by: by('revenue'), limit: 3 },
  ],
  [
    'the region of the highest revenue',
    { measures: [{ fn: 'over_groups', take: 'max', of: 'revenue', by: ['orders.region'] }] },
  ],
  ['the regions by highest revenue', { ...revenueBy, order_by: by('revenue'), limit: 1, offset: 1 }],
  ['revenue per order line', { metrics: ['revenue'], dimensions: ['orders.row_id'] }],
  // a second round, against the mended mechanism: signs, "at least", and what stands where
  [
    'areas with at least 3 customers',
    { metrics: ['customers'], dimensions: ['orders.region'], order_by: by('customers', 'asc'), limit: 3 },
  ],
  [
    'areas with at most 2 customers',
    { metrics: ['customers'], dimensions: ['orders.region'], order_by: by('customers'), limit: 2 },
  ],
  [
    'areas with a minimum 3 customers',
    { metrics: ['customers'], dimensions: ['orders.region'], order_by: by('customers', 'asc'), limit: 3 },
  ],
  ['the maximum revenue by area', { ...revenueBy, order_by: by('revenue'), limit: 1 }],
  ['highest revenue by area', { ...revenueBy, order_by: by('revenue'), limit: 1 }],
  ['top 3 revenue by area', { ...revenueBy, order_by: by('revenue'), limit: 3 }],
  ['customers by revenue', { metrics: ['customers', 'revenue'] }],
  ['customers for profit of revenue', { metrics: ['customers', 'profit', 'revenue'] }],
  ['customers where row id > 5', { metrics: ['customers'], filters: [is('row_id', 5)] }],
  ['customers with row id <= 5', { metrics: ['customers'], filters: [is('row_id', 5)] }],
  ['areas with revenue < 500', { ...revenueBy, having: [{ measure: 'revenue', op: '=', values: [500] }] }],
  ['revenue - West', { metrics: ['revenue'], filters: [is('region', 'West')] }],
  ['profit / revenue', { metrics: ['profit', 'revenue'] }],
  ['profit + revenue by area', { ...revenueBy, metrics: ['profit', 'revenue'] }],
  ['revenue (West)', { metrics: ['revenue'], filters: [{ ...is('region', 'West'), op: '!=' }] }],
  ['revenue in 2015-2016', { metrics: ['revenue'], time: { during: '2016' } }],
  ['revenue in > 2016', { metrics: ['revenue'], time: { during: '2016' } }],
  [
    'the 2 areas with customers over 1',
    {
      metrics: ['customers'],
      dimensions: ['orders.region'],
      having: [{ measure: 'customers', op: '>', values: [2] }],
      order_by: by('customers'),
      limit: 1,
    },
  ],
];
