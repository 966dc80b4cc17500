import { Button, SegmentedControl } from '@mantine/core';
import { type CSSProperties, Fragment, type RefObject, Suspense, useMemo, useRef, useState } from 'react';
import type { ChartView } from '../../../ui/Chart.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import {
  type CellColumn,
  formatCell,
  formatExactNumber,
  isCurrency,
  isNumeric,
  isPercent,
} from '../../../ui/format.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { LoadingState } from '../../../ui/States.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { formatHeader, toDisplayColumns } from '../lib/display-columns.ts';
import {
  createPlanInquiry,
  createRowRefinement,
  createValueRefinement,
  getPlanWithoutQuestion,
} from '../lib/refine-plan.ts';
import css from './ask.module.css';

const Chart = lazyPart(() => import('../../../ui/Chart.tsx'));
const DEFAULT_BAR_COUNT = 15;
const MAX_BARS = 300;

export function Result(props: {
  envelope: Envelope;
  /** Asks a changed question when a person selects a cell. Null if cells aren't clickable. */
  onAsk: ((inquiry: Inquiry) => void) | null;
  /** Receives the drawn chart. Without this ref, the result has its own button that saves the chart. */
  chartRef?: RefObject<ChartView | null>;
  /** The maximum number of rows in the table. By default, the table shows all rows. */
  maxRows?: number;
}) {
  const { envelope, onAsk } = props;
  const { data } = envelope;
  const columns = useMemo(() => toDisplayColumns(envelope), [envelope]);
  const drawableChart = hasDrawableChart(envelope) ? envelope.chart : null;
  const [view, setView] = useState<string>(drawableChart ? 'chart' : 'table');
  const [showAll, setShowAll] = useState(false);
  const ownChartRef = useRef<ChartView>(null);
  const chartRef = props.chartRef ?? ownChartRef;
  if (!data || data.length === 0 || columns.length === 0) return null;
  const [valueColumn, ...otherColumns] = columns;
  // A comparison lists the value, the earlier value, and then the changes.
  const [earlierColumn, changeColumns] =
    otherColumns.length > 1 ? [otherColumns[0]!, otherColumns.slice(1)] : [null, otherColumns];
  const isSingleNumber =
    data.length === 1 && valueColumn && (columns.length === 1 || envelope.chart?.kind === 'number');
  if (isSingleNumber && data[0]![valueColumn.name] === null) return null; // the answer sentence already says that there is no value
  if (isSingleNumber)
    return (
      <>
        <p className={css.number}>
          <span style={getNumberStyle(data[0]![valueColumn.name], valueColumn)}>
            <SingleNumber
              column={valueColumn}
              value={data[0]![valueColumn.name]}
              isSigned={changeColumns.length > 0 && !earlierColumn}
            />
          </span>
        </p>
        {changeColumns.length > 0 && (
          <p className={css.change}>
            {changeColumns.map((column, index) => (
              <Fragment key={column.name}>
                {index > 0 && ', '}
                <SingleNumber column={column} value={data[0]![column.name]} isSigned />
              </Fragment>
            ))}
            {earlierColumn && (
              <>
                {' from '}
                <SingleNumber column={earlierColumn} value={data[0]![earlierColumn.name]} isSigned={false} />
              </>
            )}
          </p>
        )}
      </>
    );
  const plan = onAsk && getPlanWithoutQuestion(envelope);
  const askAboutRow = (row: Record<string, unknown>) => {
    const refinement = plan && createRowRefinement(plan, row);
    if (refinement) onAsk?.(createPlanInquiry(envelope.lens!, refinement));
  };
  const showsChart = drawableChart && view === 'chart';
  return (
    <>
      {drawableChart && (
        <div className={css.views}>
          <SegmentedControl
            size="xs"
            aria-label="Show as"
            value={view}
            onChange={setView}
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
          {showsChart && !props.chartRef && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => void saveChartPicture(chartRef.current, envelope)}
            >
              Download PNG
            </Button>
          )}
        </div>
      )}
      {showsChart ? (
        <Suspense fallback={<LoadingState lines={5} />}>
          <Chart
            chart={drawableChart}
            rows={data}
            label={envelope.scope?.sentence ?? 'Chart of the answer'}
            showAll={showAll}
            viewRef={chartRef}
            onPick={plan && createRowRefinement(plan, data[0]!) ? askAboutRow : null}
          />
          {drawableChart.kind !== 'bar' && drawableChart.note && <p className={css.hint}>{drawableChart.note}</p>}
          {drawableChart.kind === 'bar' && data.length > MAX_BARS && (
            <p className={css.hint}>
              Showing the first {DEFAULT_BAR_COUNT} of {data.length} bars. The table shows all rows.
            </p>
          )}
          {drawableChart.kind === 'bar' && data.length > DEFAULT_BAR_COUNT && data.length <= MAX_BARS && (
            <Button variant="default" size="xs" className={css.all} onClick={() => setShowAll(!showAll)}>
              {showAll ? `Show the first ${DEFAULT_BAR_COUNT}` : `Show all ${data.length}`}
            </Button>
          )}
        </Suspense>
      ) : (
        <>
          <ResultTable columns={columns} data={data.slice(0, props.maxRows)} envelope={envelope} onAsk={onAsk} />
          {props.maxRows && data.length > props.maxRows && (
            <p className={css.hint}>
              Showing the first {props.maxRows} of {data.length} rows.
            </p>
          )}
        </>
      )}
    </>
  );
}

/** Uses a smaller font for a long number, because a number on two lines looks like two numbers. */
const getNumberStyle = (value: unknown, column: CellColumn) =>
  ({ '--characters': formatCell(value, column).length + (column.unit?.length ?? 0) }) as CSSProperties;

function SingleNumber({ column, value, isSigned }: { column: CellColumn; value: unknown; isSigned: boolean }) {
  const text = formatCell(value, column);
  return (
    <>
      <span title={formatExactNumber(value, column) ?? undefined}>
        {isSigned && Number(value) > 0 ? `+${text}` : text}
      </span>
      {column.unit && !isPercent(column.unit) && !isCurrency(column.unit) && (
        <span className={css.unit}>{column.unit}</span>
      )}
    </>
  );
}

function ResultTable(props: {
  columns: CellColumn[];
  data: NonNullable<Envelope['data']>;
  envelope: Envelope;
  onAsk: ((inquiry: Inquiry) => void) | null;
}) {
  const { columns, data, envelope, onAsk } = props;
  const tableColumns = useMemo(() => {
    const plan = onAsk && getPlanWithoutQuestion(envelope);
    return columns.map((column) => ({
      id: column.name,
      header: isCurrency(column.unit) ? formatHeader({ ...column, unit: null }) : formatHeader(column),
      numeric: isNumeric(column),
      sortBy: (row: Record<string, unknown>) => row[column.name],
      cell: (row: Record<string, unknown>) => {
        const text = formatCell(row[column.name], column);
        const refinement = plan && createValueRefinement(plan, column.name, row[column.name]);
        if (!refinement) return <span title={formatExactNumber(row[column.name], column) ?? undefined}>{text}</span>;
        return (
          <button
            type="button"
            className={css.only}
            title={refinement.title}
            onClick={() => onAsk?.(createPlanInquiry(envelope.lens!, refinement))}
          >
            {text}
          </button>
        );
      },
    }));
  }, [columns, envelope, onAsk]);
  return <DataTable scrollsSideways label="Rows of the answer" rows={data} columns={tableColumns} />;
}

export const hasDrawableChart = ({ chart, data }: Envelope): boolean =>
  !!chart && chart.kind !== 'number' && !!data?.length;

export async function saveChartPicture(chartView: ChartView | null, { lens, request_id }: Envelope): Promise<void> {
  if (!chartView) return;
  const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface');
  const canvas = await chartView.background(surface).toCanvas(2);
  chartView.background('transparent');
  canvas.toBlob((blob) => blob && saveFile(`${lens ?? 'answer'}-${request_id.slice(0, 8)}.png`, blob, 'image/png'));
}
