import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../ui/DataTable.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { createValuesQuery, type LensDetail } from '../ask/api/lenses.ts';
import css from './lenses.module.css';

type Dataset = LensDetail['schema']['datasets'][number];
const MAX_SHOWN_VALUES = 100;

export const Datasets = ({ lens }: { lens: LensDetail }) =>
  lens.schema.datasets.map((dataset) => <DatasetFields key={dataset.name} lens={lens.name} dataset={dataset} />);

function DatasetFields({ lens, dataset }: { lens: string; dataset: Dataset }) {
  return (
    <section className={css.dataset} id={`dataset-${dataset.name}`}>
      <h2>{dataset.name}</h2>
      {dataset.description && <p>{dataset.description}</p>}
      <DataTable
        label={`Fields of ${dataset.name}`}
        rows={dataset.fields}
        columns={[
          {
            id: 'name',
            header: 'Field',
            cell: ({ name, masked }) => (
              <>
                {name}
                {masked && <span className={css.tag}>masked</span>}
                {name === dataset.time_field && <span className={css.tag}>event date</span>}
              </>
            ),
          },
          { id: 'type', header: 'Type', cell: ({ datatype, unit }) => (unit ? `${datatype}, ${unit}` : datatype) },
          {
            id: 'values',
            header: 'Values',
            wraps: true,
            cell: ({ name, has_values, masked }) =>
              has_values && !masked ? <FieldValues lens={lens} field={`${dataset.name}.${name}`} /> : '–',
          },
          {
            id: 'description',
            header: 'Description',
            wraps: true,
            cell: ({ description, synonyms }) =>
              [description, synonyms.length > 0 ? `Synonyms: ${synonyms.join(', ')}.` : null]
                .filter(Boolean)
                .join(' ') || '–',
          },
        ]}
      />
    </section>
  );
}

function FieldValues({ lens, field }: { lens: string; field: string }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({ ...createValuesQuery(lens, field, '', MAX_SHOWN_VALUES), enabled: open });
  if (!open)
    return (
      <Button size="compact-xs" variant="default" aria-label={`Show values of ${field}`} onClick={() => setOpen(true)}>
        Show
      </Button>
    );
  if (error) return <ErrorState fault={error} />;
  return <span role="status">{data ? data.join(', ') || 'No values' : 'Loading…'}</span>;
}
