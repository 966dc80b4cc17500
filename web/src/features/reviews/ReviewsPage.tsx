import { Select } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { canCurate, sessionQuery } from '../../api/session.ts';
import { formatLabel, StatusBadge } from '../../ui/Badges.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import css from './reviews.module.css';

const STATUSES = ['open', 'in_review', 'accepted', 'rejected', 'duplicate'] as const;

export function ReviewsPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return canCurate(session) ? <ReviewQueue /> : <OwnTickets />;
}

function ReviewQueue() {
  const [status, setStatus] = useState<(typeof STATUSES)[number] | null>(null);
  const reviews = usePagedList(['reviews', status], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/reviews', {
        signal,
        params: { query: { limit: 100, ...(status ? { status } : {}), cursor } },
      }),
    ),
  );
  return (
    <Page
      title="Reviews"
      description="Answers that people reported, and certified entries that svc suspended."
      actions={
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          data={STATUSES.map((value) => ({ value, label: formatLabel(value) }))}
          value={status}
          onChange={(value) => setStatus(value as typeof status)}
        />
      }
    >
      <PagedList
        label="Reviews"
        pages={reviews}
        empty={
          <EmptyState title="Nothing to review">
            To report an answer, select “…” below it, then “Report a problem”.
          </EmptyState>
        }
        columns={[
          {
            id: 'question',
            header: 'Question',
            wraps: true,
            cell: ({ ticket_id, question, subject }) => (
              <Link to="/reviews/$id" params={{ id: ticket_id }}>
                {question !== null
                  ? showHiddenCharacters(question)
                  : subject
                    ? `Certified entry ${subject.cert_id}`
                    : 'No question'}
              </Link>
            ),
          },
          { id: 'status', header: 'Status', cell: ({ status: reviewStatus }) => <StatusBadge status={reviewStatus} /> },
          {
            id: 'note',
            header: 'What looks wrong',
            wraps: true,
            cell: ({ note }) => (note ? <span className={css.note}>{showHiddenCharacters(note)}</span> : '–'),
          },
          { id: 'by', header: 'Reported by', hiddenIfNarrow: true, cell: ({ raised_by }) => raised_by },
          { id: 'at', header: 'When', cell: ({ created_at }) => formatDateTime(created_at) },
        ]}
      />
    </Page>
  );
}

function OwnTickets() {
  const titleOf = useLensTitle();
  const tickets = usePagedList(['own reviews'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/v1/reviews', { signal, params: { query: { limit: 100, cursor } } })),
  );
  return (
    <Page title="Reviews" description="This page shows the status of your reports.">
      <PagedList
        label="Your reports"
        pages={tickets}
        empty={
          <EmptyState title="No reports yet">
            To report an answer, select “…” below it, then “Report a problem”.
          </EmptyState>
        }
        columns={[
          {
            id: 'note',
            header: 'What looked wrong',
            wraps: true,
            cell: ({ ticket_id, note }) => (
              <Link to="/reviews/$id" params={{ id: ticket_id }}>
                {showHiddenCharacters(note ?? 'No note')}
              </Link>
            ),
          },
          { id: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { id: 'lens', header: 'Lens', cell: ({ lens }) => (lens ? titleOf(lens) : '–') },
          { id: 'at', header: 'When', cell: ({ created_at }) => formatDateTime(created_at) },
        ]}
      />
    </Page>
  );
}
