// Chooses a chart by rules: a line for times, bars in the order of the answer for one category, grouped bars or a heat
// map for two categories, stacked bars for shares of several groups, and a big number for a single value. Several
// measures become one bar chart for each measure, or points if there are many rows. Two periods become pairs of bars.
// The result is null if no chart shows more than the table. The specification refers to the rows as `rows` and doesn't
// contain them.
import type { Chart, JsonScalar } from '../../../contract/ask.ts';
import type { FetchedRows } from '../../outcome.ts';
import { writeTruncationNote } from '../compose-answer.ts';
import {
  type ChartSpec,
  createQuantitativeChannel,
  createTimeChannel,
  createTooltipChannel,
  getExactFormat,
  writeDisplayExpression,
} from './channels.ts';
import { type ChartShape, toChartShape } from './chart-shape.ts';
import { findLineGaps } from './line-gaps.ts';

/** Makes a chart as wide as its container and as high as its content. */
const FIT_WIDTH = { width: 'container', autosize: { type: 'fit-x', contains: 'padding' } };
const MAX_BARS = 15;
const MAX_GROUPED_BARS = 40;
const MAX_SERIES = 8;
const MAX_BARS_PER_GROUP = 5;
const MAX_HEAT_MAP_TILES = 60;

type ChartRow = Record<string, JsonScalar>;
type NamedColumn = { name: string };
type ChartMeasure = ChartShape['measures'][number];
interface ChartDraft {
  kind: Chart['kind'];
  spec: ChartSpec;
  /** A note about rows that the chart doesn't show. */
  note?: string;
}

export function chooseChart(
  fetchedRows: Pick<FetchedRows, 'plan' | 'columns' | 'rows' | 'more'>,
  response: { rows: ChartRow[]; truncated: Parameters<typeof writeTruncationNote>[0] },
): Chart | null {
  const shape = toChartShape({ ...fetchedRows, rows: response.rows });
  const chart = buildChart(shape, response.rows);
  if (!chart) return null;
  const notes = [chart.note, writeTruncationNote(response.truncated, fetchedRows)].filter((note) => note != null);
  const texts = fetchedRows.columns.filter(({ encoding }) => encoding === 'string').map(({ name }) => [name, 'number']);
  return {
    kind: chart.kind,
    title: shape.title,
    note: notes.length > 0 ? notes.join(' ') : null,
    vega_lite: {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      description: shape.title,
      ...(notes.length > 0 ? { title: { text: notes, anchor: 'start', fontWeight: 'normal', fontSize: 12 } } : {}),
      data: { name: 'rows', ...(texts.length > 0 ? { format: { parse: Object.fromEntries(texts) } } : {}) },
      ...chart.spec,
    },
  };
}

function buildChart(shape: ChartShape, rows: ChartRow[]): ChartDraft | null {
  const { times, categories, measures } = shape;
  const [measure, second] = measures;
  if (!measure || rows.length === 0) return null;
  if (rows.length === 1) {
    if (times.length + categories.length > 0) return null;
    return measures.length === 1 || second?.isChange || shape.comparesPeriods ? buildNumberChart(shape) : null;
  }
  if (times.length === 1 && categories.length <= 1) return buildTimeChart(shape, rows);
  if (times.length > 0) return null;
  if (categories.length === 2 && shape.comparesPeriods) return buildPairedBars(shape, rows);
  if (categories.length === 1 && second) return buildMultiMeasureChart(shape, rows);
  if (categories.length === 1) return buildBarChart(categories[0]!, measures, rows);
  return categories.length === 2 && !second ? buildHeatMap(shape, rows) : null;
}

/** A single number. If the question asked for a change, the change and the earlier value appear below the number. */
function buildNumberChart({ measures: [measure, ...others], comparesPeriods }: ChartShape): ChartDraft {
  const bigNumberChart = {
    ...createNumberTextSpec(writeNumberExpression(measure!)),
    mark: { type: 'text', fontSize: 44, fontWeight: 600 },
  };
  if (others.length === 0) return { kind: 'number', spec: bigNumberChart };
  const [earlier, ...changes] = comparesPeriods ? others : [null, others[0]!];
  const before = earlier ? ` + ' from ' + (${writeNumberExpression(earlier)})` : '';
  const below = `(${writeNumberExpression(changes.at(-1)!)})${before}`;
  const changeNumber = { ...createNumberTextSpec(below), mark: { type: 'text', fontSize: 20, dy: 44 } };
  return { kind: 'number', spec: { layer: [bigNumberChart, changeNumber] } };
}

/** An expression that formats a number of a row: a change with its sign, then percent or the unit. */
function writeNumberExpression({ name, unit, isShare, isChange }: ChartMeasure): string {
  const value = `datum[${JSON.stringify(name)}]`;
  return `isValid(${value}) ? ${writeDisplayExpression(value, { unit, isShare }, isChange ? '+' : '')} : '–'`;
}
const createNumberTextSpec = (calculate: string): ChartSpec => ({
  transform: [{ calculate, as: 'written' }],
  encoding: { text: { field: 'written' } },
});

function buildTimeChart(
  { times: [time], categories: [category], measures }: ChartShape,
  rows: ChartRow[],
): ChartDraft | null {
  const x = createTimeChannel(time!);
  const [measure, ...otherMeasures] = measures;
  if (category && (otherMeasures.length > 0 || countDistinct(rows, category.name) > MAX_SERIES)) return null;
  const color = category && { color: createColorChannel(category) };
  const undatedRows = writeUndatedRowsNote(time!, rows);
  if (color && measure!.isShare)
    return {
      ...createDraft('stacked', { mark: SEGMENT_MARK, encoding: { x, y: createStackedChannel(measure!), ...color } }),
      ...(undatedRows && { note: undatedRows }),
    };
  const gaps = findLineGaps(time!, category?.name, rows);
  const notes = [gaps?.note, undatedRows].filter((note) => note != null);
  const [firstLine, ...otherLines] = measures.map((item) => ({
    ...(gaps && { transform: gaps.transform }),
    mark: LINE_MARK,
    encoding: { x, y: createQuantitativeChannel(item), ...color, ...(gaps && { detail: gaps.detail }) },
  }));
  const note = notes.length > 0 ? { note: notes.join(' ') } : {};
  if (otherLines.length === 0) return { ...createDraft('line', firstLine!), ...note };
  // Measures with different units don't share a scale.
  return {
    ...note,
    kind: 'line',
    spec: { vconcat: [firstLine, ...otherLines].map((one) => ({ ...FIT_WIDTH, height: 120, ...one })) },
  };
}
/** A time axis has no place for a row without a date. */
function writeUndatedRowsNote({ name }: NamedColumn, rows: ChartRow[]): string | null {
  const count = rows.filter((row) => row[name] == null).length;
  if (count === 0) return null;
  return `The chart leaves out ${count === 1 ? '1 row' : `${count} rows`} without a value in ${replaceUnderscores(name)}.`;
}
const LINE_MARK = { type: 'line', point: true, tooltip: true };
const BAR_MARK = { type: 'bar', tooltip: true, cornerRadiusEnd: 3 };
const SEGMENT_MARK = { type: 'bar', tooltip: true };
const createDraft = (kind: ChartDraft['kind'], spec: ChartSpec): ChartDraft => ({
  kind,
  spec: { ...FIT_WIDTH, ...spec },
});
const createStackedChannel = (measure: ChartMeasure): ChartSpec => ({
  ...createQuantitativeChannel(measure),
  stack: 'zero',
});
const createNominalChannel = ({ name }: NamedColumn): ChartSpec => ({
  field: name,
  type: 'nominal',
  sort: null,
  title: replaceUnderscores(name),
});
const CATEGORY_LABELS = { labelExpr: "datum.value === null ? 'no value' : datum.label" };
const createLabeledChannel = (category: NamedColumn): ChartSpec => ({
  ...createNominalChannel(category),
  axis: { labelLimit: 180, ...CATEGORY_LABELS },
});
const createColorChannel = (category: NamedColumn): ChartSpec => ({
  ...createNominalChannel(category),
  legend: CATEGORY_LABELS,
});
/** Omits the axis title, because the question already names the chart's only category. */
const createUntitledChannel = (category: NamedColumn): ChartSpec => ({
  ...createNominalChannel(category),
  axis: { labelLimit: 180, title: null, ...CATEGORY_LABELS },
});
const createTooltipChannels = (categories: NamedColumn[], measures: ChartMeasure[]): ChartSpec[] => [
  ...categories.map(({ name }) => ({ field: name, title: replaceUnderscores(name) })),
  ...measures.map(createTooltipChannel),
];

/** Each bar is labeled with its value, so the axis shows only the measure's name and unit. */
const TITLE_ONLY_AXIS = { labels: false, ticks: false, domain: false, grid: false, titleAnchor: 'start' };

/** An expression that writes a value with its change, as in "$47.5k (+33.9%)". */
const writeExpressionWithChange = (value: ChartMeasure, change: ChartMeasure): string =>
  `(${writeNumberExpression(value)}) + ' (' + (${writeNumberExpression(change)}) + ')'`;

/** Shows the first bars. A client can draw all bars by changing the parameter `bars` and the height. */
const FIRST_BARS_FILTER = {
  params: [{ name: 'bars', value: MAX_BARS }],
  transform: [{ window: [{ op: 'row_number', as: 'place' }] }, { filter: 'datum.place <= bars' }],
};
/** Draws bars that show their values as text. `transform` calculates the text `written` and its position `end`. */
function buildLabeledBars(
  rows: ChartRow[],
  rowHeight: number,
  transform: ChartSpec[],
  position: ChartSpec,
  bar: ChartSpec,
): ChartDraft {
  const { params, transform: firstBars } = FIRST_BARS_FILTER;
  const label = { ...position, x: { field: 'end', type: 'quantitative' }, text: { field: 'written' } };
  const draft = createDraft('bar', {
    height: Math.min(rows.length, MAX_BARS) * rowHeight,
    params,
    transform: [...firstBars, ...transform],
    layer: [
      { mark: BAR_MARK, encoding: { ...position, ...bar } },
      { mark: { type: 'text', align: 'left', dx: 4 }, encoding: label },
    ],
  });
  const note = `The chart shows the first ${MAX_BARS} of ${rows.length} rows.`;
  return rows.length > MAX_BARS ? { ...draft, note } : draft;
}

const createTitleOnlyChannel = (measure: ChartMeasure): ChartSpec => ({
  ...createQuantitativeChannel(measure),
  axis: { ...TITLE_ONLY_AXIS, format: getExactFormat(measure) },
  scale: { nice: false },
});

/** Two bars for each group: the later period with its change, and the earlier period in a lighter tone. */
function buildPairedBars({ categories, measures }: ChartShape, rows: ChartRow[]): ChartDraft {
  const [later, earlier, ...changes] = measures as [ChartMeasure, ChartMeasure, ...ChartMeasure[]];
  const names = [later.name, earlier.name];
  const period = { field: 'period', type: 'nominal', sort: names, title: null };
  const groupName = categories.map(({ name }) => `datum[${JSON.stringify(name)}]`).join(" + ' · ' + ");
  const laterText = writeExpressionWithChange(later, changes.at(-1)!);
  const transform = [
    { calculate: groupName, as: 'group' },
    { fold: names, as: ['period', 'amount'] },
    {
      calculate: `datum.period === ${JSON.stringify(later.name)} ? ${laterText} : (${writeNumberExpression(earlier)})`,
      as: 'written',
    },
    { calculate: 'max(0, datum.amount)', as: 'end' },
  ];
  const position = { y: createUntitledChannel({ name: 'group' }), yOffset: period };
  return buildLabeledBars(rows, 44, transform, position, {
    x: { ...createTitleOnlyChannel(later), field: 'amount', title: null },
    opacity: {
      ...period,
      scale: { domain: names, range: [1, 0.45] },
      legend: { orient: 'top', labelExpr: writeLabelExpression(names) },
    },
    tooltip: createTooltipChannels(categories, measures),
  });
}

function buildBarChart(category: NamedColumn, measures: ChartMeasure[], rows: ChartRow[]): ChartDraft {
  const [measure, second] = measures as [ChartMeasure, ...ChartMeasure[]];
  const written = second?.isChange ? writeExpressionWithChange(measure, second) : writeNumberExpression(measure);
  const transform = [
    { calculate: written, as: 'written' },
    { calculate: `max(0, datum[${JSON.stringify(measure.name)}])`, as: 'end' },
  ];
  return buildLabeledBars(
    rows,
    26,
    transform,
    { y: createUntitledChannel(category) },
    {
      x: createTitleOnlyChannel(measure),
      ...(second && { tooltip: createTooltipChannels([category], measures) }),
    },
  );
}

/**
 * Measures with one unit share a scale. Otherwise, the bars show the first measure and the tooltip shows the others.
 */
function buildMultiMeasureChart(shape: ChartShape, rows: ChartRow[]): ChartDraft {
  const { categories, measures } = shape;
  if (shape.comparesPeriods) return buildPairedBars(shape, rows);
  if (!measures[1]!.isChange && rows.length > MAX_BARS) return buildScatterPlot(shape);
  const hasOneUnit = measures.length <= MAX_BARS_PER_GROUP && new Set(measures.map(({ unit }) => unit)).size === 1;
  return hasOneUnit && !measures[1]!.isChange
    ? buildBarsByMeasure(shape, rows)
    : buildBarChart(categories[0]!, measures, rows);
}

function buildBarsByMeasure({ categories: [category], measures }: ChartShape, rows: ChartRow[]): ChartDraft {
  const names = measures.map(({ name }) => name);
  const legend = { labelExpr: writeLabelExpression(names) };
  const color = { field: 'measure', type: 'nominal', sort: names, title: null, legend };
  const x = { ...createQuantitativeChannel(measures[0]!), field: 'amount', title: null };
  return createDraft('grouped', {
    height: rows.length * (names.length * 18 + 6),
    transform: [{ fold: names, as: ['measure', 'amount'] }],
    mark: BAR_MARK,
    encoding: { y: createUntitledChannel(category!), x, yOffset: { field: 'measure', sort: names }, color },
  });
}

function buildScatterPlot({ categories: [category], measures }: ChartShape): ChartDraft {
  const [x, y] = measures;
  const mark = { type: 'point', filled: true, size: 70 };
  const tooltip = createTooltipChannels([category!], measures);
  return createDraft('points', {
    mark,
    encoding: { x: createQuantitativeChannel(x!), y: createQuantitativeChannel(y!), tooltip },
  });
}

function buildHeatMap({ categories, measures: [measure] }: ChartShape, rows: ChartRow[]): ChartDraft | null {
  const counts = categories.map((category) => ({ category, count: countDistinct(rows, category.name) }));
  const [{ category: outerCategory, count: outerCount }, { category: innerCategory, count: innerCount }] =
    counts.toSorted((a, b) => b.count - a.count) as [(typeof counts)[number], (typeof counts)[number]];
  if (outerCount > MAX_HEAT_MAP_TILES || innerCount > MAX_HEAT_MAP_TILES) return null;
  const y = createLabeledChannel(outerCategory);
  const color = createColorChannel(innerCategory);
  if (measure!.isShare)
    return createDraft('stacked', {
      ...{ height: outerCount * 30, mark: SEGMENT_MARK, encoding: { y, x: createStackedChannel(measure!), color } },
    });
  if (innerCount <= MAX_BARS_PER_GROUP && outerCount * innerCount <= MAX_GROUPED_BARS) {
    const yOffset = { field: innerCategory.name, sort: null };
    const encoding = { y, x: createQuantitativeChannel(measure!), yOffset, color };
    return createDraft('grouped', { height: outerCount * innerCount * 18 + outerCount * 6, mark: BAR_MARK, encoding });
  }
  const { title, axis } = createQuantitativeChannel(measure!);
  const colorScale = { field: measure!.name, type: 'quantitative', title, legend: axis };
  const mark = { type: 'rect', tooltip: true };
  return createDraft('heat', {
    height: outerCount * 26,
    mark,
    encoding: { y, x: createLabeledChannel(innerCategory), color: colorScale },
  });
}

const countDistinct = (rows: ChartRow[], name: string): number => new Set(rows.map((row) => row[name])).size;
/** An expression that replaces the underscores in column names with spaces. */
const writeLabelExpression = (names: string[]): string =>
  `${JSON.stringify(Object.fromEntries(names.map((name) => [name, replaceUnderscores(name)])))}[datum.label]`;

const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ');
