// One lens: what may be asked of it, its metrics and terms, its datasets and how they hang together, its versions.
import { Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, told } from '../../api/client.ts';
import { mayManage, sessionQuery } from '../../api/session.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { day, moment } from '../../ui/format.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { Failed, Loading } from '../../ui/States.tsx';
import { type LensDetail, lensQuery } from '../ask/api/lenses.ts';
import css from './lenses.module.css';

export function LensPage() {
  const { name } = useParams({ from: '/app/lenses/$name' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: lens, error, refetch } = useQuery(lensQuery(name));
  if (error)
    return (
      <Page title={name}>
        <Failed fault={error} again={() => void refetch()} />
      </Page>
    );
  if (!lens)
    return (
      <Page title={name}>
        <Loading lines={8} />
      </Page>
    );
  const { schema } = lens;
  return (
    <Page
      title={lens.title}
      about={`${lens.description} ${lens.data_as_of ? `Data as of ${day(lens.data_as_of)}.` : ''}`}
      actions={
        <Button component={Link} to="/" search={{ lens: name } as never} size="sm">
          Ask this lens
        </Button>
      }
    >
      <Section title="Metrics">
        <Terms
          items={schema.metrics.map(({ name: metric, description, synonyms, unit }) => ({
            name: metric,
            text: description,
            also: synonyms,
            tag: unit,
          }))}
        />
      </Section>
      {lens.definitions.length > 0 && (
        <Section title="Terms">
          <Terms
            items={lens.definitions.map(({ term, meaning, synonyms, senses }) => ({
              name: term,
              text: meaning ?? senses.map(({ label, meaning: sense }) => `${label}: ${sense}`).join(' '),
              also: synonyms,
              tag: senses.length > 1 ? `${senses.length} senses` : null,
            }))}
          />
        </Section>
      )}
      <Section title="Datasets">
        {schema.datasets.map((dataset) => (
          <Dataset key={dataset.name} dataset={dataset} />
        ))}
      </Section>
      {schema.relationships.length > 0 && (
        <Section title="Relationships">
          <ul>
            {schema.relationships.map(({ name: role, from, to }) => (
              <li key={role}>
                {from.dataset} ({from.columns.join(', ')}) → {to.dataset} ({to.columns.join(', ')})
                {role !== to.dataset && <span className={css.tag}>{role}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {mayManage(session) && <Versions name={name} />}
    </Page>
  );
}

function Terms({ items }: { items: { name: string; text: string | null; also: string[]; tag: string | null }[] }) {
  return (
    <dl className={css.terms}>
      {items.map(({ name, text, also, tag }) => (
        <div key={name}>
          <dt>
            {name.replaceAll('_', ' ')}
            {tag && <span className={css.tag}>{tag}</span>}
          </dt>
          <dd>
            {text ?? 'No description yet.'}
            {also.length > 0 && <span className={css.quiet}> Also: {also.join(', ')}.</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Dataset({ dataset }: { dataset: LensDetail['schema']['datasets'][number] }) {
  return (
    <div className={css.dataset}>
      <h3>{dataset.name}</h3>
      {dataset.description && <p>{dataset.description}</p>}
      <DataTable
        label={`Fields of ${dataset.name}`}
        rows={dataset.fields}
        columns={[
          {
            id: 'name',
            header: 'Field',
            cell: ({ name, masked, has_values }) => (
              <>
                {name}
                {masked && <span className={css.tag}>masked</span>}
                {has_values && <span className={css.tag}>values</span>}
                {name === dataset.time_field && <span className={css.tag}>date of the event</span>}
              </>
            ),
          },
          { id: 'type', header: 'Type', cell: ({ datatype, unit }) => (unit ? `${datatype}, ${unit}` : datatype) },
          {
            id: 'description',
            header: 'Description',
            wraps: true,
            cell: ({ description, synonyms }) =>
              [description, synonyms.length > 0 ? `Also: ${synonyms.join(', ')}.` : null].filter(Boolean).join(' ') ||
              '–',
          },
        ]}
      />
    </div>
  );
}

function Versions({ name }: { name: string }) {
  const { data, error } = useQuery({
    queryKey: ['versions', name],
    queryFn: ({ signal }) =>
      told(api.GET('/mgmt/lenses/{name}/versions', { signal, params: { path: { name }, query: { limit: 20 } } })),
  });
  return (
    <Section title="Versions">
      {error ? (
        <Failed fault={error} />
      ) : data ? (
        <DataTable
          label="Versions"
          rows={data.items}
          columns={[
            { id: 'version', header: 'Version', cell: ({ version }) => version },
            { id: 'at', header: 'Since', cell: ({ created_at }) => moment(created_at) },
            { id: 'by', header: 'By', cell: ({ created_by }) => created_by },
          ]}
        />
      ) : (
        <Loading />
      )}
    </Section>
  );
}
