// Vega interprets the chart's expressions, because the content security policy forbids `eval`.
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import embed, { type EmbedOptions, type Result } from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';
import type { components } from '../api/schema.d.ts';
import css from './chart.module.css';
import { ErrorState } from './States.tsx';

type Envelope = components['schemas']['Envelope'];

const PALETTES = {
  light: ['#14532d', '#c2722b', '#3b6ea8', '#8a4f9e', '#b23a48', '#6b7a1e', '#2c8c8c', '#7a6a58'],
  dark: ['#86efac', '#f0a35e', '#8ab8f0', '#cf9be0', '#f08a96', '#cdd96f', '#7fd8d8', '#cbb9a4'],
};

export type ChartView = Result['view'];
type ChartSpec = Parameters<Extract<EmbedOptions['patch'], (spec: never) => unknown>>[0];

const NARROW_PX = 480;

/**
 * Makes the labels of a chart clickable, which a Vega-Lite specification can't do. In a narrow chart, also limits the
 * width of the labels.
 */
function adaptLabels(chart: ChartSpec, isNarrow: boolean): ChartSpec {
  const categories = (chart.scales ?? []).filter(({ type }) => type === 'band' || type === 'point');
  const axes = chart.axes?.map((axis) =>
    categories.some(({ name }) => name === axis.scale)
      ? {
          ...axis,
          ...(isNarrow && { labelLimit: 100 }),
          encode: { ...axis.encode, labels: { ...axis.encode?.labels, interactive: true } },
        }
      : axis,
  );
  return axes ? { ...chart, axes } : chart;
}

const NARROW_LEGEND = { orient: 'bottom', columns: 2, labelLimit: 110 } as const;

function findLabelRow(rows: Record<string, unknown>[], label: unknown): Record<string, unknown> {
  const column = Object.keys(rows[0] ?? {}).find((name) => rows.some((row) => row[name] === label));
  return column ? { [column]: label } : {};
}

export default function Chart(props: {
  chart: Pick<NonNullable<Envelope['chart']>, 'vega_lite'>;
  rows: NonNullable<Envelope['data']>;
  label: string;
  /** If true, the chart draws all bars instead of only the first 15. */
  showAll?: boolean;
  /** Receives the drawn chart for export. */
  viewRef?: RefObject<ChartView | null>;
  /** Called with the row of the selected mark. */
  onPick?: ((row: Record<string, unknown>) => void) | null;
}) {
  const { chart, rows, label, showAll = false, viewRef } = props;
  const latestOnPick = useRef(props.onPick);
  latestOnPick.current = props.onPick;
  const spec = useMemo(() => {
    const { vega_lite: drawn } = chart;
    const [firstBars] = (drawn['params'] ?? []) as { value: number }[];
    const sizeForAll = firstBars && {
      params: [{ ...firstBars, value: rows.length }],
      height: (Number(drawn['height']) / firstBars.value) * rows.length,
    };
    return { ...drawn, title: null, ...(showAll && sizeForAll) };
  }, [chart, rows, showAll]);
  const container = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const [fault, setFault] = useState<unknown>(null);
  const [isNarrow, setIsNarrow] = useState<boolean | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([chartBox]) => setIsNarrow(chartBox!.contentRect.width < NARROW_PX));
    observer.observe(container.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    let hasEnded = false;
    let finalizeView = () => {};
    if (isNarrow === null) return;
    const textColor = scheme === 'dark' ? '#c8ced6' : '#414a58';
    const line = scheme === 'dark' ? '#2c323c' : '#e2dfd6';
    embed(
      container.current!,
      // biome-ignore lint/suspicious/noExplicitAny: vega-embed reads the server's specification
      { ...spec, datasets: { rows } } as any,
      {
        actions: false,
        renderer: 'svg',
        ast: true,
        expr: expressionInterpreter,
        defaultStyle: false,
        tooltip: { disableDefaultStyle: true },
        patch: (drawn) => adaptLabels(drawn, isNarrow),
        config: {
          background: 'transparent',
          font: 'system-ui, sans-serif',
          view: { stroke: null },
          axis: {
            labelColor: textColor,
            titleColor: textColor,
            gridColor: line,
            domainColor: line,
            tickColor: line,
            labelFontSize: 12,
            labelSeparation: 10,
            titleFontSize: 12,
            titleFontWeight: 500,
          },
          axisQuantitative: { tickCount: 5, labelFlush: false },
          legend: {
            ...{ labelColor: textColor, titleColor: textColor, labelFontSize: 12, titleFontSize: 12 },
            ...(isNarrow && NARROW_LEGEND),
          },
          text: { color: textColor },
          range: {
            category: PALETTES[scheme],
            heatmap: { scheme: scheme === 'dark' ? 'darkgreen' : 'greens' },
            ramp: { scheme: scheme === 'dark' ? 'darkgreen' : 'greens' },
          },
          mark: { color: PALETTES[scheme][0] as string },
          line: { strokeWidth: 2.5 },
        },
      },
    ).then(
      ({ finalize, view }) => {
        finalizeView = finalize;
        view.addEventListener(
          'click',
          (_, item) =>
            item?.datum &&
            latestOnPick.current?.(item.mark.role === 'axis-label' ? findLabelRow(rows, item.datum.value) : item.datum),
        );
        if (viewRef && !hasEnded) viewRef.current = view;
        if (hasEnded) finalize();
      },
      (error) => setFault(error),
    );
    return () => {
      hasEnded = true;
      finalizeView();
    };
  }, [spec, rows, scheme, viewRef, isNarrow]);
  if (fault) return <ErrorState fault={fault} />;
  // Content below the chart must not move when the chart appears.
  const minHeight = typeof spec.height === 'number' ? spec.height : undefined;
  return (
    <figure
      className={props.onPick ? css.picks : css.chart}
      style={{ minHeight }}
      ref={container}
      role="img"
      aria-label={label}
    />
  );
}
