import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { formatCount, formatDollars, formatMilliseconds, formatPercent } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { useLensOptions } from '../ask/api/lenses.ts';
import type { RequestFilter } from '../requests/request-filter.ts';
import { createTrendChart, TREND_LABELS, type TrendKind } from './over-time.ts';
import css from './overview.module.css';

const Chart = lazyPart(() => import('../../ui/Chart.tsx'));
type Kpis = paths['/mgmt/observe/kpis']['get']['responses']['200']['content']['application/json'];
const DAY_MS = 86_400_000;

function OverviewFilters(props: {
  days: string;
  setDays: (days: string) => void;
  lens: string | null;
  setLens: (lens: string | null) => void;
}) {
  return (
    <>
      <Select
        aria-label="Lens"
        placeholder="All lenses"
        clearable
        clearButtonProps={{ 'aria-label': 'All lenses', tabIndex: 0 }}
        data={useLensOptions()}
        value={props.lens}
        onChange={props.setLens}
      />
      <SegmentedControl
        aria-label="Period"
        value={props.days}
        onChange={props.setDays}
        data={[
          { value: '1', label: '24 hours' },
          { value: '7', label: '7 days' },
          { value: '30', label: '30 days' },
        ]}
      />
    </>
  );
}

function useOverview(since: string, before: string, lens: string | null) {
  const lensFilter = lens ? { lens } : {};
  const currentQuery = useQuery({
    queryKey: ['kpis', since, lens],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/observe/kpis', { signal, params: { query: { since, ...lensFilter } } })),
  });
  const previousQuery = useQuery({
    queryKey: ['kpis', before, since, lens],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/observe/kpis', {
          signal,
          params: { query: { since: before, until: since, ...lensFilter } },
        }),
      ),
  });
  const series = useQuery({
    queryKey: ['series', since, lens],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/observe/timeseries', { signal, params: { query: { since, limit: 500, ...lensFilter } } }),
      ),
  });
  return { currentQuery, previousQuery, series };
}

export function OverviewPage() {
  const [days, setDays] = useState('7');
  const [lens, setLens] = useState<string | null>(null);
  const [trendKind, setTrendKind] = useState<TrendKind>('status');
  const lensFilter = lens ? { lens } : {};
  const since = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - Number(days) * DAY_MS).toISOString();
  const before = new Date(Date.parse(since) - Number(days) * DAY_MS).toISOString();
  const { currentQuery: now, previousQuery, series } = useOverview(since, before, lens);
  const sums = now.data;
  const countFigure = (label: string, filter: RequestFilter, countOf: (kpis: Kpis) => number) => (
    <KeyFigureLink
      label={label}
      filter={{ ...lensFilter, ...filter }}
      value={formatCount(countOf(sums!))}
      note={previousQuery.data ? `Previous period: ${formatCount(countOf(previousQuery.data))}` : null}
    />
  );
  return (
    <Page
      title="Overview"
      description="This page shows the number of asks and their outcomes. An ask is one question, plan or SQL statement."
      actions={<OverviewFilters days={days} setDays={setDays} lens={lens} setLens={setLens} />}
    >
      <SetupChecklist />
      {now.error ? (
        <ErrorState fault={now.error} onRetry={() => void now.refetch()} />
      ) : !sums ? (
        <LoadingState lines={6} />
      ) : sums.asks === 0 ? (
        <EmptyState title="No asks in this period">
          <Link to="/">Ask a question</Link>
        </EmptyState>
      ) : (
        <>
          <ul className={css.numbers}>
            {countFigure('Asks', {}, ({ asks }) => asks)}
            <KeyFigureLink
              label="Answered or clarified"
              filter={{ ...lensFilter, status: 'answered' }}
              value={formatPercent(sums.coverage)}
              note={
                previousQuery.data?.coverage == null
                  ? null
                  : `Previous period: ${formatPercent(previousQuery.data.coverage)}`
              }
            />
            <KeyFigureLink
              label="Verified"
              filter={{ ...lensFilter, confidence: 'verified', status: 'answered' }}
              value={formatPercent(computeVerifiedShare(sums))}
              note={`${formatCount(sums.confidence.verified)} of ${formatCount(sums.status.answered)} answers`}
            />
            {countFigure('Certified', { certification: 'certified' }, ({ certification }) => certification.certified)}
            {countFigure('Refused', { status: 'refused' }, ({ status }) => status.refused)}
            {countFigure('Not covered', { status: 'uncovered' }, ({ status }) => status.uncovered)}
            {countFigure('Failed', { status: 'failed' }, ({ status }) => status.failed)}
            <KeyFigureLink
              label="Median response time"
              filter={lensFilter}
              value={formatMilliseconds(sums.latency_ms.p50)}
              note={[
                `95% within ${formatMilliseconds(sums.latency_ms.p95)}`,
                sums.cost > 0 && `model cost ${formatDollars(sums.cost)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          </ul>
          {series.data && series.data.items.length > 1 && (
            <Section
              title="Over time"
              actions={
                <Select
                  size="xs"
                  aria-label="Figure to show over time"
                  allowDeselect={false}
                  value={trendKind}
                  onChange={(value) => setTrendKind((value ?? 'status') as TrendKind)}
                  data={Object.entries(TREND_LABELS).map(([value, label]) => ({ value, label }))}
                />
              }
            >
              <div className={css.chart}>
                {trendKind === 'cost' && series.data.items.every(({ cost }) => cost === 0) ? (
                  <p>No model cost in this period.</p>
                ) : (
                  <Suspense fallback={<LoadingState lines={5} />}>
                    <Chart
                      {...createTrendChart(series.data, trendKind)}
                      label={`${TREND_LABELS[trendKind]} over time`}
                    />
                  </Suspense>
                )}
              </div>
            </Section>
          )}
          <div className={css.two}>
            <Section title="Most frequent questions">
              <RankedQuestions items={sums.top_questions} />
            </Section>
            <Section title="Not answered">
              {sums.top_gaps.length > 0 ? <RankedQuestions items={sums.top_gaps} /> : <p>No unanswered questions.</p>}
            </Section>
            <Section title="Slowest questions">
              <ol className={css.ranked}>
                {sums.slowest.slice(0, 8).map(({ request_id, question, total_ms }) => (
                  <li key={request_id}>
                    <Link to="/requests/$id" params={{ id: request_id }}>
                      {showHiddenCharacters(question)}
                    </Link>
                    <span>{formatMilliseconds(total_ms)}</span>
                  </li>
                ))}
              </ol>
            </Section>
          </div>
        </>
      )}
    </Page>
  );
}

const computeVerifiedShare = ({ confidence, status }: Kpis): number | null =>
  status.answered === 0 ? null : confidence.verified / status.answered;

const KeyFigureLink = (props: { label: string; value: string; note: string | null; filter: RequestFilter }) => (
  <li>
    <Link to="/requests" search={props.filter}>
      <span>{props.label}</span>
      <strong>{props.value}</strong>
      <span>{props.note ?? '\u00a0'}</span>
    </Link>
  </li>
);

const RankedQuestions = ({ items }: { items: { question: string; lens: string | null; asks: number }[] }) => (
  <ol className={css.ranked}>
    {items.slice(0, 8).map(({ question, lens, asks }) => (
      <li key={question + lens}>
        <Link to="/requests" search={{ q: question }}>
          {showHiddenCharacters(question)}
        </Link>
        <span>{formatCount(asks)}</span>
      </li>
    ))}
  </ol>
);

/** The page hides the checklist when all its steps are done. */
function SetupChecklist() {
  const { data } = useQuery({
    queryKey: ['activation'],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/activation', { signal, params: { query: { limit: 50 } } })),
  });
  const openSteps = data?.items.filter(({ done, optional }) => !done && !optional) ?? [];
  if (openSteps.length === 0) return null;
  return (
    <Section title="Next steps">
      <ol className={css.todo}>
        {openSteps.map(({ id, title, detail, command }) => (
          <li key={id}>
            <strong>{title}</strong>
            <p>{detail}</p>
            <code>{command}</code>
          </li>
        ))}
      </ol>
    </Section>
  );
}
