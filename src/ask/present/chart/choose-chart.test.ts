import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { describe, expect, it } from 'vitest';
import type { Column, JsonScalar } from '../../../contract/ask.ts';
import { chooseChart } from './choose-chart.ts';
import { drawChart } from './draw-chart.ts';

type Row = Record<string, JsonScalar>;
const createColumn = (name: string, datatype: string, unit: string | null = null): Column => ({
  ...{ name, datatype, unit, encoding: 'json' },
});
const region = createColumn('region', 'string');
const segment = createColumn('segment', 'string');
const month = createColumn('order_date_month', 'date');
const revenue = createColumn('revenue', 'decimal', 'USD');
const profit = createColumn('profit', 'decimal', 'USD');
const orders = createColumn('orders', 'integer');
const share = createColumn('share_of_revenue', 'decimal', 'percent');

function chooseTestChart(columns: Column[], rows: Row[], extras: { measures?: object[]; truncated?: object } = {}) {
  const measures =
    extras.measures ??
    columns.filter(({ datatype }) => datatype !== 'string' && datatype !== 'date').map(() => ({ fn: 'metric' }));
  const plan = { plan: 'compiled', lensPlan: { measures }, scope: { sentence: 'A sentence.' } };
  return chooseChart({ plan, columns, rows, more: false } as never, { rows, truncated: extras.truncated as never });
}
const createCrossProductRows = (
  first: Column,
  ofFirst: JsonScalar[],
  second: Column,
  ofSecond: JsonScalar[],
  measure: Column,
): Row[] =>
  ofFirst.flatMap((a, i) =>
    ofSecond.map((b, k) => ({ [first.name]: a, [second.name]: b, [measure.name]: (i + 1) * (k + 2) })),
  );
const regions = ['West', 'East', 'South'];
const months = ['2016-01-01', '2016-02-01', '2016-03-01'];
const createManyRows = Array.from({ length: 60 }, (_, place) => ({ region: `r${place}`, revenue: 100 - place }));
const regionRows = regions.map((name, i) => ({ region: name, revenue: i }));
const SHARE = { measures: [{ fn: 'share_of_total' }] };
const changeColumns = [
  createColumn('revenue_change', 'decimal', 'USD'),
  createColumn('revenue_percent_change', 'decimal', '%'),
];
const CHANGES = { measures: Array(2).fill({ fn: 'change', from: {} }) };

const drawnCharts: [string, Column[], Row[], object?][] = [
  ['number', [revenue], [{ revenue: 1234.5 }]],
  ['number', changeColumns, [{ revenue_change: 124009.65, revenue_percent_change: 20.36 }], CHANGES],
  ['line', [month, revenue], months.map((at, i) => ({ order_date_month: at, revenue: i }))],
  ['line', [month, region, revenue], createCrossProductRows(month, months, region, regions, revenue)],
  ['line', [month, revenue, orders], months.map((at, i) => ({ order_date_month: at, revenue: i, orders: i * 2 }))],
  ['bar', [region, revenue], regionRows],
  ['bar', [region, revenue], createManyRows],
  ['grouped', [region, segment, revenue], createCrossProductRows(region, regions, segment, ['A', 'B'], revenue)],
  [
    'heat',
    [region, segment, revenue],
    createCrossProductRows(region, [...'uvwxyz'], segment, [...'abcdefghij'], revenue),
  ],
  ['bar', [region, share], regions.map((name) => ({ region: name, share_of_revenue: 33 })), SHARE],
  ['stacked', [region, segment, share], createCrossProductRows(region, regions, segment, ['A', 'B'], share), SHARE],
  ['stacked', [month, region, share], createCrossProductRows(month, months, region, regions, share), SHARE],
  ['grouped', [region, revenue, profit], regions.map((name, i) => ({ region: name, revenue: i, profit: -i }))],
  ['bar', [region, revenue, orders], regions.map((name, i) => ({ region: name, revenue: i, orders: i }))],
  ['points', [region, revenue, profit], createManyRows.map((row) => ({ ...row, profit: -row.revenue }))],
];

describe('a chart', () => {
  it.each(drawnCharts)(
    'is of the kind %s, valid, and drawn from the given rows',
    async (kind, columns, rows, extras) => {
      const chosenChart = chooseTestChart(columns, rows, extras);
      expect(chosenChart?.kind).toBe(kind);
      expect(JSON.stringify(chosenChart!.vega_lite)).not.toContain('"values"');
      const complaints: unknown[] = [];
      const log = () => logger;
      const complain = (...messages: unknown[]) => complaints.push(messages) && logger;
      const logger: object = { level: log, info: log, debug: log, warn: complain, error: complain };
      const { spec } = compile({ ...chosenChart!.vega_lite, datasets: { rows } } as never, { logger: logger as never });
      const svg = await new View(parse(spec), { renderer: 'none' }).width(600).toSVG();
      expect(svg).toContain('<svg');
      expect(complaints).toEqual([]);
    },
  );

  it('keeps the order of the answer, and shows the unit but no numbers on the axis of labeled bars', () => {
    const { vega_lite: spec } = chooseTestChart([region, revenue], regionRows)!;
    expect((spec['layer'] as object[])[0]).toMatchObject({
      encoding: { y: { field: 'region', sort: null }, x: { title: 'revenue (USD)', axis: { labels: false } } },
    });
  });

  it('writes thousands with one decimal, and euros with the sign in front', async () => {
    const amounts = [-9361, 93_612, 187_480, 4.271, 2_500_000_000];
    const rows = amounts.map((sales, i) => ({ region: `r${i}`, sales }));
    const labels = async (unit: string) =>
      drawChart(chooseTestChart([region, createColumn('sales', 'decimal', unit)], rows)!, rows);
    const [euros, dollars] = [await labels('EUR'), await labels('USD')];
    for (const label of ['−€9.4k', '€93.6k', '€187.5k', '€4.271', '€2.5B']) expect(euros).toContain(`>${label}<`);
    for (const label of ['−$9.4k', '$93.6k', '$187.5k', '$4.271', '$2.5B']) expect(dollars).toContain(`>${label}<`);
  });

  it('shows a share as a percentage, whatever its unit, on the axis too', async () => {
    const part = createColumn('revenue_share_of_total', 'decimal');
    const rows = Array.from({ length: 9 }, (_, at) => ({ region: `r${at}`, revenue_share_of_total: 0.01 * at }));
    const svg = await drawChart(chooseTestChart([region, part], rows, SHARE)!, rows);
    expect(svg).toContain('>8%<');
    expect(svg).not.toMatch(/>\d+m</);
    expect(svg).toContain('revenue share of total (%)');
  });
  it('describes each mark with its exact value, and a share in percent', async () => {
    const part = createColumn('share', 'decimal');
    const shares = regions.map((name) => ({ region: name, share: 0.109695 }));
    expect(await drawChart(chooseTestChart([region, part], shares, SHARE)!, shares)).toContain('share (%): 10.97%');
    const amounts = regions.map((name, i) => ({ region: name, revenue: 4_199_996_683_294.28 + i, profit: -1250.5 }));
    expect(await drawChart(chooseTestChart([region, revenue], amounts)!, amounts)).toContain(
      'revenue (USD): 4,199,996,683,294.28',
    );
    expect(await drawChart(chooseTestChart([region, revenue, profit], amounts)!, amounts)).toMatch(
      /amount: \S1,250\.5;/,
    );
  });
  it('labels the first 15 bars with their values, and draws all bars on request', async () => {
    const chosenChart = chooseTestChart([region, revenue], createManyRows)!;
    expect((await drawChart(chosenChart, createManyRows)).match(/>\$\d+</g)).toContain('>$100<');
    const fullSpec = { ...chosenChart.vega_lite, params: [{ name: 'bars', value: createManyRows.length }] };
    expect(await drawChart({ vega_lite: fullSpec }, createManyRows)).toContain('>r59<');
    expect(await drawChart(chosenChart, createManyRows)).not.toContain('>r15<');
  });
  it('shows the change of each group, also in percent', async () => {
    const rows = [
      { region: 'West', revenue_change: 47513.9, revenue_percent_change: 33.947 },
      { region: 'East', revenue_change: -200, revenue_percent_change: -15.58 },
    ];
    const svg = await drawChart(chooseTestChart([region, ...changeColumns], rows, CHANGES)!, rows);
    for (const label of ['+$47.5k (+33.9%)', '−$200 (−15.6%)']) expect(svg).toContain(`>${label}<`);
  });
  describe('of two periods', () => {
    const change = { fn: 'change', of: {}, from: {}, to: {} };
    const measures = [{ ...change, show: 'to' }, { ...change, show: 'from' }, change, { ...change, percent: true }];
    const columns = [
      createColumn('revenue_2017', 'decimal', 'USD'),
      createColumn('revenue_2016', 'decimal', 'USD'),
      createColumn('revenue_change', 'decimal', 'USD'),
      createColumn('percent_change', 'decimal', '%'),
    ];
    const values = (later: number, earlier: number) => ({
      revenue_2017: later,
      revenue_2016: earlier,
      revenue_change: later - earlier,
      percent_change: earlier > 0 ? (100 * (later - earlier)) / earlier : null,
    });
    it('has a pair of bars for each group, with both values and the change', async () => {
      const rows = [
        { region: 'West', ...values(250_128, 187_480) },
        { region: 'New', ...values(500, 0) },
      ];
      const svg = await drawChart(chooseTestChart([region, ...columns], rows, { measures })!, rows);
      expect(svg.match(/aria-roledescription="bar"/g)).toHaveLength(4);
      for (const label of ['$250.1k (+33.4%)', '$187.5k', '$500 (–)', 'revenue 2017', 'revenue 2016'])
        expect(svg).toContain(`>${label}<`);
    });
    it('names both groups of a pair of bars', async () => {
      const rows = [
        { region: 'West', segment: 'Consumer', ...values(3, 2) },
        { region: 'West', segment: 'Corporate', ...values(5, 4) },
        { region: 'East', segment: 'Consumer', ...values(7, 6) },
      ];
      const svg = await drawChart(chooseTestChart([region, segment, ...columns], rows, { measures })!, rows);
      expect(svg.match(/aria-roledescription="bar"/g)).toHaveLength(6);
      for (const label of ['West · Consumer', 'West · Corporate', 'East · Consumer', '$7 (+16.7%)'])
        expect(svg).toContain(`>${label}<`);
    });
    it('shows the later value, and below it the change and the earlier value', async () => {
      const rows = [values(733_215.26, 609_205.6)];
      const svg = await drawChart(chooseTestChart(columns, rows, { measures })!, rows);
      for (const text of ['$733.2k', '+20.4% from $609.2k']) expect(svg).toContain(`>${text}<`);
    });
  });
  it('breaks a line at a month without rows, and says so', async () => {
    const rows = [1, 2, 4, 5].map((at) => ({ order_date_month: `2016-0${at}-01`, revenue: 1 }));
    const countLines = async (data: typeof rows) => {
      const chosenChart = chooseTestChart([month, revenue], data)!;
      return [(await drawChart(chosenChart, data)).match(/roledescription="line mark"/g)?.length, chosenChart.note];
    };
    expect(await countLines(rows)).toEqual([2, 'The line has gaps, because the answer has no rows for some months.']);
    expect(await countLines(rows.slice(0, 2))).toEqual([1, null]);
  });
  it('says how many rows without a date it leaves out', async () => {
    const rows = [
      { order_date_month: '2016-01-01', revenue: 1 },
      { order_date_month: '2016-02-01', revenue: 2 },
      { order_date_month: null, revenue: 3 },
    ];
    const chosenChart = chooseTestChart([month, revenue], rows)!;
    expect(chosenChart.note).toBe('The chart leaves out 1 row without a value in order date month.');
    const shares = rows.map(({ order_date_month }) => ({ order_date_month, region: 'West', share_of_revenue: 100 }));
    const stackedChart = chooseTestChart([month, region, share], shares, SHARE)!;
    expect([stackedChart.kind, stackedChart.note]).toEqual(['stacked', chosenChart.note]);
  });
  it('labels a group without a name like the text of the answer', async () => {
    const names = ['West', null];
    const bars = names.map((name, i) => ({ region: name, revenue: i }));
    const lines = createCrossProductRows(month, months, region, names, revenue);
    for (const [columns, rows] of [
      [[region, revenue], bars],
      [[month, region, revenue], lines],
    ] as [Column[], Row[]][]) {
      const svg = await drawChart(chooseTestChart(columns, rows)!, rows);
      expect(svg).toContain('>no value<');
      expect(svg).not.toContain('>null<');
    }
  });
  it('names each measure of one unit in the legend', async () => {
    const rows = regions.map((name, i) => ({ region: name, revenue: i, gross_profit: i }));
    const columns = [region, revenue, createColumn('gross_profit', 'decimal', 'USD')];
    expect(await drawChart(chooseTestChart(columns, rows)!, rows)).toContain('>gross profit<');
  });
  it('shows the change of a number with its sign', async () => {
    const row = { revenue_change: 124009.65, revenue_percent_change: -20.36 };
    const svg = await drawChart(chooseTestChart(changeColumns, [row], CHANGES)!, [row]);
    expect(svg).toContain('+$124k');
    expect(svg).toMatch(/\u221220\.4%/);
  });

  it('states which rows it leaves out', () => {
    expect(chooseTestChart([region, revenue], createManyRows)?.note).toContain('the first 15 of 60 rows');
    const cut = chooseTestChart([region, revenue], regionRows, { truncated: { returned: 3, total: 9 } });
    expect(cut?.note).toContain('only 3 of 9 rows');
    expect(JSON.stringify(cut?.vega_lite['title'])).toContain('only 3 of 9 rows');
  });

  it('reads numbers that are encoded as text', () => {
    const exact = { ...revenue, encoding: 'string' as const };
    const rows = regions.map((name) => ({ region: name, revenue: '12.30' }));
    const data = { name: 'rows', format: { parse: { revenue: 'number' } } };
    expect(chooseTestChart([region, exact], rows)?.vega_lite).toMatchObject({ data });
  });
});

describe('svc draws no chart for', () => {
  it.each([
    ['no rows', [region, revenue], []],
    ['a list without a measure', [region, segment], regions.map((name) => ({ region: name, segment: 'b' }))],
    ['one row with several columns', [region, revenue], [{ region: 'West', revenue: 1 }]],
    [
      'more lines than a reader can follow',
      [month, region, revenue],
      createCrossProductRows(month, months, region, [...'abcdefghijk'], revenue),
    ],
    ['three categories', [region, segment, createColumn('city', 'string'), revenue], createManyRows],
    [
      'ids as measures',
      [createColumn('order_id', 'integer'), region],
      regions.map((a, i) => ({ order_id: i, region: a })),
    ],
  ] as [string, Column[], Row[]][])('%s', (_, columns, rows) => {
    expect(chooseTestChart(columns, rows)).toBeNull();
  });
});
