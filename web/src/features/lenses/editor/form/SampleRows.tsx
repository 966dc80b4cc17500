// Shows sample rows that the person who edits the lens may see.
import { useQuery } from '@tanstack/react-query';
import { ErrorState, LoadingState } from '../../../../ui/States.tsx';
import { askInquiry } from '../../../ask/api/ask.ts';
import css from './form.module.css';

const MAX_ROWS = 5;

export function SampleRows({ lens, dataset, fields }: { lens: string; dataset: string; fields: string[] }) {
  const { data, error } = useQuery({
    queryKey: ['sample-rows', lens, dataset, fields.join()],
    queryFn: ({ signal }) =>
      askInquiry(
        {
          ...{ kind: 'plan', title: `Rows of ${dataset}`, lens, choices: {} },
          body: { rows: dataset, dimensions: fields.map((field) => `${dataset}.${field}`), limit: MAX_ROWS },
        },
        signal,
      ),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: fields.length > 0,
  });
  if (fields.length === 0) return null;
  if (error) return <ErrorState fault={error} />;
  if (!data) return <LoadingState lines={3} />;
  const rows = (data.data ?? []) as Record<string, unknown>[];
  if (rows.length === 0) return <p className={css.quiet}>No rows.</p>;
  const names = Object.keys(rows[0] ?? {});
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <section className={css.samples} aria-label={`Sample rows of ${dataset}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sample rows have no identity and never move
            <tr key={index}>
              {names.map((name) => (
                <td key={name}>{row[name] === null ? <span className={css.quiet}>null</span> : String(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
