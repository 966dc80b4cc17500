// A table that renders only the visible rows.
import { Button } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import css from './data-table.module.css';

const ROW_HEIGHT_PX = 45;

export interface TableColumn<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** True if the cells are aligned to the right. */
  numeric?: boolean;
  /** True if a cell can take several lines. */
  wraps?: boolean;
  /** True if narrow tables hide the column. */
  hiddenIfNarrow?: boolean;
  /** Without this function, people can't sort the table by the column. */
  sortBy?: (row: Row) => unknown;
}

interface Sorting {
  id: string;
  direction: 'ascending' | 'descending';
}

export function DataTable<Row extends object>(props: {
  label: string;
  columns: TableColumn<Row>[];
  rows: Row[];
  /** True if the table keeps its columns on a phone. Otherwise, a phone shows each row as a card. */
  scrollsSideways?: boolean;
  more?: { has: boolean; loading: boolean; fetch: () => void };
}) {
  const { columns, more, scrollsSideways } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const rows = useMemo(() => sortRows(props.rows, columns, sorting), [props.rows, columns, sorting]);
  const body = useRef<HTMLTableSectionElement>(null);
  const [margin, setMargin] = useState(0);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    scrollMargin: margin,
  });
  // Prevents the page from scrolling when the table measures a row.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    const top = body.current ? body.current.getBoundingClientRect().top + window.scrollY : 0;
    if (Math.abs(top - margin) > 1) setMargin(top);
  });
  const virtualItems = virtual.getVirtualItems();
  const last = virtualItems.at(-1)?.index ?? -1;
  useEffect(() => {
    if (more?.has && !more.loading && last >= rows.length - 8) more.fetch();
  }, [more, last, rows.length]);
  const heightBefore = (virtualItems[0]?.start ?? 0) - virtual.options.scrollMargin;
  const heightAfter = virtual.getTotalSize() - ((virtualItems.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  const classNames = ({ numeric, wraps, hiddenIfNarrow }: TableColumn<Row>) =>
    [numeric && css.number, wraps && css.wraps, hiddenIfNarrow && css.minor].filter(Boolean).join(' ');
  const layout = scrollsSideways ? css.sideways : css.cards;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section className={`${css.scroll} ${layout}`} aria-label={props.label} tabIndex={0}>
      <table className={css.table} aria-rowcount={more?.has ? -1 : rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => {
              const { id, header, numeric, sortBy } = column;
              const direction = sorting?.id === id ? sorting.direction : undefined;
              return (
                <th key={id} scope="col" className={classNames(column)} aria-sort={direction}>
                  {sortBy ? (
                    <button
                      type="button"
                      className={css.sort}
                      onClick={() => setSorting(findNextSorting(id, direction, numeric ?? false))}
                    >
                      {header}
                      <span aria-hidden="true">{direction ? SORT_ARROWS[direction] : ''}</span>
                    </button>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          {heightBefore > 0 && <SpacerRow height={heightBefore} span={columns.length} />}
          {virtualItems.map(({ index }) => (
            <tr key={index} ref={virtual.measureElement} data-index={index}>
              {columns.map((column) => {
                const content = column.cell(rows[index]!);
                return (
                  <td
                    key={column.id}
                    className={classNames(column)}
                    data-header={column.header}
                    data-empty={content === '–' || undefined}
                  >
                    {typeof content === 'string' && !column.wraps ? (
                      <span className={css.text} title={content}>
                        {content}
                      </span>
                    ) : (
                      content
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
          {heightAfter > 0 && <SpacerRow height={heightAfter} span={columns.length} />}
        </tbody>
      </table>
      {more?.has && (
        <div className={css.more}>
          <Button variant="default" size="xs" loading={more.loading} onClick={more.fetch}>
            Load more
          </Button>
        </div>
      )}
    </section>
  );
}

const SpacerRow = ({ height, span }: { height: number; span: number }) => (
  <tr>
    <td colSpan={span} className={css.gap} style={{ height }} />
  </tr>
);

const SORT_ARROWS = { ascending: ' ↑', descending: ' ↓' };

/**
 * The first click on a header sorts numbers from the largest and text from A. The second click reverses this order, and
 * the third click restores the original order.
 */
function findNextSorting(id: string, now: Sorting['direction'] | undefined, numeric: boolean): Sorting | null {
  const first = numeric ? 'descending' : 'ascending';
  if (!now) return { id, direction: first };
  return now === first ? { id, direction: numeric ? 'ascending' : 'descending' } : null;
}

const { compare } = new Intl.Collator(); // `localeCompare` would create a collator for each pair

function sortRows<Row>(rows: Row[], columns: TableColumn<Row>[], sorting: Sorting | null): Row[] {
  const column = sorting && columns.find(({ id }) => id === sorting.id);
  if (!column?.sortBy) return rows;
  const sign = sorting!.direction === 'ascending' ? 1 : -1;
  const value = column.sortBy;
  return [...rows].sort((a, b) => {
    const [valueA, valueB] = [value(a), value(b)];
    if (valueA == null || valueB == null) return Number(valueA == null) - Number(valueB == null);
    return sign * (column.numeric ? Number(valueA) - Number(valueB) : compare(String(valueA), String(valueB)));
  });
}
