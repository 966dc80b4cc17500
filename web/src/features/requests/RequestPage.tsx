import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/client.ts';
import { GradeBadge, StatusBadge } from '../../ui/Badges.tsx';
import { Checks } from '../../ui/Checks.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime, formatDollars, formatMilliseconds } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import { Receipt } from '../ask/components/Evidence.tsx';
import { createRequestQuery } from './api.ts';
import { formatRouteName, formatSurfaceName } from './request-names.ts';
import css from './requests.module.css';

export function RequestPage() {
  const { id } = useParams({ from: '/app/requests/$id' });
  const titleOf = useLensTitle();
  const { data, error, refetch } = useQuery(createRequestQuery(id));
  if (error)
    return (
      <Page title="Request">
        {error instanceof ApiProblem && error.status === 404 ? (
          <EmptyState title="Request not found">
            <Link to="/requests">All requests</Link>
          </EmptyState>
        ) : (
          <ErrorState fault={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  if (!data)
    return (
      <Page title="Request">
        <LoadingState lines={8} />
      </Page>
    );
  const { envelope } = data;
  return (
    <Page
      title={showHiddenCharacters(data.question ?? envelope.scope?.sentence ?? formatRouteName(data.route))}
      actions={
        data.question ? (
          <Link to="/" search={{ q: data.question, lens: data.lens ?? undefined }}>
            Ask again
          </Link>
        ) : undefined
      }
    >
      <dl className={css.facts}>
        <RequestProperty name="Outcome">
          {data.status === 'answered' ? (
            <GradeBadge confidence={envelope.confidence} />
          ) : (
            <StatusBadge status={data.status} />
          )}
        </RequestProperty>
        <RequestProperty name="Lens">
          {data.lens ? `${titleOf(data.lens)}, version ${data.lens_version}` : '–'}
        </RequestProperty>
        <RequestProperty name="Asked by">{data.caller}</RequestProperty>
        <RequestProperty name="Type">{formatRouteName(data.route)}</RequestProperty>
        <RequestProperty name="Interface">{formatSurfaceName(data.surface)}</RequestProperty>
        <RequestProperty name="When">{formatDateTime(data.at)}</RequestProperty>
        <RequestProperty name="Duration">{formatMilliseconds(envelope.timings_ms.total)}</RequestProperty>
        <RequestProperty name="Rows">{envelope.row_count ?? '–'}</RequestProperty>
        <RequestProperty name="Model cost">{formatDollars(data.cost)}</RequestProperty>
        <RequestProperty name="Request ID">
          <code>{data.request_id}</code>
        </RequestProperty>
      </dl>
      {envelope.answer && (
        <Section title="Answer">
          <p className={css.answer}>{showHiddenCharacters(envelope.answer)}</p>
        </Section>
      )}
      {data.reviews.length > 0 && (
        <Section title="Reviews">
          <ul>
            {data.reviews.map(({ ticket_id, status, note }) => (
              <li key={ticket_id}>
                <StatusBadge status={status} /> {note ?? 'No note'}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {data.checks.length > 0 && (
        <Section title="Checks">
          <Checks checks={data.checks} />
        </Section>
      )}
      {data.sql && (
        <Section title="SQL">
          <CodeBlock text={data.sql} label="SQL of the request" />
        </Section>
      )}
      <Section title="Steps">
        <ol className={css.steps}>
          {data.steps.map(({ name, started_at, ms, detail }) => (
            <li key={name + started_at}>
              <span>{name.replaceAll('_', ' ')}</span>
              <span>{formatMilliseconds(ms)}</span>
              <span>{detail}</span>
            </li>
          ))}
        </ol>
      </Section>
      {data.model_calls.length > 0 && (
        <Section title="Model calls">
          <DataTable
            label="Model calls"
            rows={data.model_calls}
            columns={[
              { id: 'entry', header: 'Purpose', cell: ({ entry }) => entry },
              { id: 'model', header: 'Model', cell: ({ model }) => model },
              { id: 'in', header: 'Input tokens', numeric: true, cell: ({ tokens_in }) => tokens_in },
              { id: 'out', header: 'Output tokens', numeric: true, cell: ({ tokens_out }) => tokens_out },
              { id: 'ms', header: 'Duration', numeric: true, cell: ({ ms }) => formatMilliseconds(ms) },
              { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => outcome },
            ]}
          />
        </Section>
      )}
      {data.receipt && (
        <Section title="Receipt">
          <Receipt receipt={data.receipt} />
        </Section>
      )}
    </Page>
  );
}

const RequestProperty = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
