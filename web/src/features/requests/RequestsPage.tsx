import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CertifiedBadge, formatLabel, GradeBadge, StatusBadge } from '../../ui/Badges.tsx';
import { formatDateTime, formatMilliseconds } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { useLensOptions, useLensTitle } from '../ask/api/lenses.ts';
import { fetchRequests, type RequestFilters } from './api.ts';
import type { RequestFilter } from './request-filter.ts';
import { formatRouteName } from './request-names.ts';
import css from './requests.module.css';

const STATUSES = ['answered', 'clarification', 'refused', 'uncovered', 'failed'];
const CONFIDENCES = ['verified', 'partial', 'unverified'];
const toOptions = (values: string[]) => values.map((value) => ({ value, label: formatLabel(value) }));

export function RequestsPage() {
  const search = useSearch({ from: '/app/requests' });
  const navigate = useNavigate();
  const [q, setQ] = useState(search.q ?? '');
  const changeFilter = (changes: RequestFilter) =>
    void navigate({ to: '/requests', search: { ...search, ...changes }, replace: true });
  const find = useDebouncedCallback((words: string) => changeFilter({ q: words || undefined }), 250);
  const titleOf = useLensTitle();
  const requests = usePagedList(['requests', search], (pageRequest) =>
    fetchRequests(search as RequestFilters, pageRequest),
  );
  const isFiltered = Object.values(search).some(Boolean);
  const renderSelect = (label: string, key: keyof RequestFilter, values: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}`, tabIndex: 0 }}
      data={values}
      value={search[key] ?? null}
      onChange={(value) => changeFilter({ [key]: value ?? undefined })}
    />
  );
  return (
    <Page
      title="Requests"
      description="This page lists every question, plan and SQL statement that svc received, newest first."
    >
      <div className={css.filters}>
        <TextInput
          aria-label="Search questions"
          placeholder="Search questions"
          value={q}
          onChange={({ currentTarget }) => {
            setQ(currentTarget.value);
            find(currentTarget.value.trim());
          }}
        />
        {renderSelect('Lens', 'lens', useLensOptions())}
        {renderSelect('Status', 'status', toOptions(STATUSES))}
        {renderSelect('Grade', 'confidence', toOptions(CONFIDENCES))}
      </div>
      <PagedList
        label="Requests"
        pages={requests}
        empty={
          <EmptyState title={isFiltered ? 'No matching requests' : 'No requests yet'}>
            {isFiltered ? <Link to="/requests">Show all</Link> : <Link to="/">Ask the first question</Link>}
          </EmptyState>
        }
        columns={[
          {
            id: 'question',
            header: 'Question',
            wraps: true,
            cell: ({ request_id, question, sentence, route }) => (
              <Link to="/requests/$id" params={{ id: request_id }}>
                {showHiddenCharacters(question ?? sentence ?? formatRouteName(route))}
              </Link>
            ),
          },
          {
            id: 'ended',
            header: 'Outcome',
            cell: ({ status, confidence, certification }) => {
              if (status !== 'answered') return <StatusBadge status={status} />;
              const certified = certification === 'certified' && confidence === 'verified';
              return certified ? <CertifiedBadge /> : <GradeBadge confidence={confidence} />;
            },
          },
          { id: 'lens', header: 'Lens', cell: ({ lens }) => (lens ? titleOf(lens) : '–') },
          { id: 'caller', header: 'Asked by', hiddenIfNarrow: true, cell: ({ caller }) => caller },
          {
            id: 'took',
            header: 'Duration',
            numeric: true,
            hiddenIfNarrow: true,
            cell: ({ total_ms }) => formatMilliseconds(total_ms),
          },
          { id: 'at', header: 'When', cell: ({ at }) => formatDateTime(at) },
        ]}
      />
    </Page>
  );
}
