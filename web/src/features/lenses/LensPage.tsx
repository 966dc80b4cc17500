import { Button, Tabs } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { canCurate, sessionQuery } from '../../api/session.ts';
import { formatCount, formatDay } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page } from '../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import { createLensQuery } from '../ask/api/lenses.ts';
import { Datasets } from './Datasets.tsx';
import { DraftedFixes } from './DraftedFixes.tsx';
import { Drafts } from './Drafts.tsx';
import { Drift } from './Drift.tsx';
import { Facts } from './facts/Facts.tsx';
import css from './lenses.module.css';
import { Policies } from './Policies.tsx';
import { Versions } from './Versions.tsx';
import { Vocabulary } from './Vocabulary.tsx';

const LensMap = lazyPart(() => import('./LensMap.tsx'));

export function LensPage() {
  const { name } = useParams({ from: '/app/lenses/$name' });
  const { tab = 'words' } = useSearch({ from: '/app/lenses/$name' });
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: lens, error, refetch } = useQuery(createLensQuery(name));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the selected tab when the tabs appear
  useEffect(() => {
    document.querySelector('[role=tab][data-active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab, lens]);
  if (error || !lens)
    return (
      <Page title={name}>
        {error ? <ErrorState fault={error} onRetry={() => void refetch()} /> : <LoadingState lines={8} />}
      </Page>
    );
  const isCurator = canCurate(session);
  return (
    <Page
      title={lens.title}
      description={[
        lens.description,
        lens.data_as_of && `Data as of ${formatDay(lens.data_as_of)}.`,
        `Version ${lens.version}.`,
      ]
        .filter(Boolean)
        .join(' ')}
      actions={
        <>
          {isCurator && (
            <Button component={Link} to={`/lenses/${name}/edit`} size="sm" variant="default">
              Edit
            </Button>
          )}
          <Button component={Link} to="/" search={{ lens: name } as never} size="sm">
            Ask this lens
          </Button>
        </>
      }
    >
      {isCurator && lens.facts.inferred > 0 && (
        <p className={css.toConfirm}>
          svc guessed {formatCount(lens.facts.inferred)} {lens.facts.inferred === 1 ? 'fact' : 'facts'} about this lens.{' '}
          <Link to="/lenses/$name" params={{ name }} search={{ tab: 'facts' }}>
            Confirm or correct {lens.facts.inferred === 1 ? 'it' : 'them'}
          </Link>{' '}
          before people rely on the answers.
        </p>
      )}
      <Tabs
        value={tab}
        onChange={(newTab) =>
          void navigate({ to: '/lenses/$name', params: { name }, search: { tab: newTab ?? undefined }, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="words">Metrics and terms</Tabs.Tab>
          <Tabs.Tab value="map">Map</Tabs.Tab>
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          {isCurator && (
            <>
              <Tabs.Tab value="facts">Facts</Tabs.Tab>
              <Tabs.Tab value="policies">Access</Tabs.Tab>
              <Tabs.Tab value="versions">Versions</Tabs.Tab>
              <Tabs.Tab value="drafts">Drafts</Tabs.Tab>
              <Tabs.Tab value="drift">Drift</Tabs.Tab>
            </>
          )}
        </Tabs.List>
        <Tabs.Panel value="words">
          {isCurator && <DraftedFixes name={name} />}
          <Vocabulary lens={lens} />
        </Tabs.Panel>
        <Tabs.Panel value="map">
          <Suspense fallback={<LoadingState lines={6} />}>
            <LensMap lens={lens} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="fields">
          <Datasets lens={lens} />
        </Tabs.Panel>
        {isCurator && (
          <>
            <Tabs.Panel value="facts">
              <Facts lens={lens} />
            </Tabs.Panel>
            <Tabs.Panel value="policies">
              <Policies name={name} version={lens.version} />
            </Tabs.Panel>
            <Tabs.Panel value="versions">
              <Versions name={name} />
            </Tabs.Panel>
            <Tabs.Panel value="drafts">
              <Drafts name={name} />
            </Tabs.Panel>
            <Tabs.Panel value="drift">
              <Drift name={name} />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </Page>
  );
}
