import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Section } from '../../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/States.tsx';
import { lensesQuery } from '../../ask/api/lenses.ts';
import css from './wizard.module.css';

const MAX_TABLES = 500;

export function TablesStep(props: { connection: string; onBack: () => void; onStarted: (run: string) => void }) {
  const { connection } = props;
  const [excludedTables, setExcludedTables] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState('');
  const [name, setName] = useState(connection);
  const { data, error, refetch } = useQuery({
    queryKey: ['introspect', connection],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/semantic/introspect', { signal, params: { query: { connection, limit: MAX_TABLES } } }),
      ),
  });
  const lenses = useQuery(lensesQuery);
  const nameFault = lenses.data?.some((lens) => lens.name === name.trim())
    ? `A lens named “${name.trim()}” already exists. Use another name.`
    : null;
  const startDraft = useMutation({
    mutationFn: (tables: string[] | undefined) =>
      unwrapData(
        apiClient.POST('/mgmt/semantic/introspect/draft', {
          body: { connection, name: name.trim(), save: true, profile: true, ...(tables ? { tables } : {}) },
        }),
      ),
    onSuccess: ({ run_id }) => props.onStarted(run_id),
  });
  if (error) return <ErrorState fault={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState lines={8} />;
  if (data.items.length === 0)
    return (
      <EmptyState title="The user of this connection can’t read any tables">
        <Button variant="default" onClick={props.onBack}>
          Choose another connection
        </Button>
      </EmptyState>
    );
  const pickedTables = data.items.filter(({ table }) => !excludedTables.has(table));
  const visibleTables = data.items.filter(({ table }) => table.toLowerCase().includes(search.trim().toLowerCase()));
  const setPicked = (tables: string[], isPicked: boolean) => {
    const next = new Set(excludedTables);
    for (const table of tables) isPicked ? next.delete(table) : next.add(table);
    setExcludedTables(next);
  };
  return (
    <Section
      title={`${formatCount(pickedTables.length)} of ${formatCount(data.items.length)} ${data.items.length === 1 ? 'table' : 'tables'} selected`}
      description={
        data.next_cursor
          ? `The connection has more tables, but this list shows only the first ${formatCount(MAX_TABLES)}.`
          : 'Choose the tables that people ask about. A lens with few tables is easier to review.'
      }
      actions={
        <div className={css.choices}>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              setPicked(
                visibleTables.map(({ table }) => table),
                true,
              )
            }
          >
            Select all
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              setPicked(
                visibleTables.map(({ table }) => table),
                false,
              )
            }
          >
            Select none
          </Button>
        </div>
      }
    >
      <div className={css.form}>
        <TextInput label="Search tables" value={search} onChange={({ currentTarget: { value } }) => setSearch(value)} />
      </div>
      <DataTable
        label="Tables"
        rows={visibleTables}
        columns={[
          {
            id: 'take',
            header: 'Include',
            cell: ({ table }) => (
              <Checkbox
                aria-label={`Include ${table}`}
                checked={!excludedTables.has(table)}
                onChange={({ currentTarget: { checked } }) => setPicked([table], checked)}
              />
            ),
          },
          { id: 'table', header: 'Table', cell: ({ table }) => table },
          {
            id: 'rows',
            header: 'Rows (estimate)',
            numeric: true,
            cell: ({ rows }) => (rows === null || rows < 0 ? '–' : formatCount(rows)),
          },
          {
            id: 'columns',
            header: 'Columns',
            wraps: true,
            cell: ({ columns }) => columns.map((column) => column.name).join(', '),
          },
        ]}
      />
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          startDraft.mutate(
            excludedTables.size === 0 && !data.next_cursor ? undefined : pickedTables.map(({ table }) => table),
          );
        }}
      >
        <TextInput
          label="Lens name"
          description="Use lowercase letters, digits, _ and -"
          value={name}
          error={nameFault}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {startDraft.error && <ErrorState fault={startDraft.error} />}
        <div className={css.choices}>
          <Button
            type="submit"
            disabled={pickedTables.length === 0 || !name.trim() || nameFault !== null}
            loading={startDraft.isPending}
          >
            Draft a lens from these tables
          </Button>
          <Button variant="subtle" onClick={props.onBack}>
            Back
          </Button>
        </div>
      </form>
    </Section>
  );
}
