import { formatLabel } from './Badges.tsx';
import css from './before-after.module.css';

export const BeforeAfter = ({ changes }: { changes: { label: string; before: unknown; after: unknown }[] }) => (
  <table className={css.changes}>
    <thead>
      <tr>
        <td />
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
    <tbody>
      {changes.map(({ label, before, after }) => (
        <tr key={label}>
          <th scope="row">{formatLabel(label)}</th>
          <td>{describeValue(before)}</td>
          <td>{describeValue(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

interface ComparableAnswer {
  status?: unknown;
  answer?: unknown;
  rows?: unknown;
  row_count?: unknown;
}
const MAX_DESCRIBED_ROWS = 5;

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(describeValue).join(', ') || 'none';
  const { answer, status, rows, row_count } = value as ComparableAnswer;
  if (typeof answer === 'string') return answer;
  if (status === 'answered' && Array.isArray(rows)) return describeRows(rows, Number(row_count ?? rows.length));
  if (typeof status === 'string' && Object.keys(value).length <= 2) return status;
  return JSON.stringify(value);
}

/** For example: "West: 187,480.18; East: 180,685.82; and 2 more rows". */
function describeRows(rows: unknown[], total: number): string {
  const rowTexts = rows.slice(0, MAX_DESCRIBED_ROWS).map((row) => {
    const cells = Object.values(row as object).map(describeCell);
    return cells.length > 1 ? `${cells.slice(0, -1).join(', ')}: ${cells.at(-1)}` : cells.join('');
  });
  const remainingCount = total - rowTexts.length;
  return (
    [
      ...rowTexts,
      ...(remainingCount > 0 ? [`and ${remainingCount} more ${remainingCount === 1 ? 'row' : 'rows'}`] : []),
    ].join('; ') || 'no rows'
  );
}

const describeCell = (cell: unknown): string =>
  typeof cell === 'number'
    ? new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(cell)
    : describeValue(cell);
