import { Button, Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../ui/format.ts';
import { Section } from '../../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/States.tsx';
import type { LensDetail } from '../../ask/api/lenses.ts';
import { FactCard } from './FactCard.tsx';
import css from './facts.module.css';
import { type Fact, listUnconfirmedJoins, useDecideFacts, useFacts } from './facts-api.ts';
import { SampleGrades } from './SampleGrades.tsx';

const FACT_FILTERS = [
  { value: 'inferred', label: 'To confirm' },
  { value: 'all', label: 'All' },
];

const MAX_LISTED_JOINS = 8;

export function Facts({ lens }: { lens: LensDetail }) {
  const { rows, error, retry, more } = useFacts(lens.name);
  const [factFilter, setFactFilter] = useState('inferred');
  const ruling = useDecideFacts(lens.name);
  const [asksToConfirm, setAsksToConfirm] = useState(false);
  if (error) return <ErrorState fault={error} onRetry={retry} />;
  if (!rows) return <LoadingState lines={8} />;
  const { inferred, confirmed, declared } = lens.facts;
  const visibleFacts = factFilter === 'all' ? rows : rows.filter(({ origin }) => origin === 'inferred');
  const skippedJoins = listUnconfirmedJoins(ruling.data);
  const joins = rows.filter(isInferredJoin);
  const joinCount = `${formatCount(joins.length)}${more.has ? ' or more' : ''} inferred ${joins.length === 1 ? 'join' : 'joins'}`;
  return (
    <>
      <Section
        title={
          inferred === 0
            ? 'Every fact is confirmed'
            : `${formatCount(inferred)} ${inferred === 1 ? 'fact' : 'facts'} to confirm`
        }
        description={`An answer that depends on an inferred fact is only partly verified. Confirmed: ${formatCount(confirmed)}. Declared by the database: ${formatCount(declared)}.`}
        actions={
          <div className={css.actions}>
            <SegmentedControl
              aria-label="Facts to show"
              size="xs"
              data={FACT_FILTERS}
              value={factFilter}
              onChange={setFactFilter}
            />
            {joins.length > 0 && (
              <Button size="xs" variant="default" loading={ruling.isPending} onClick={() => setAsksToConfirm(true)}>
                Confirm proven joins
              </Button>
            )}
          </div>
        }
      >
        {ruling.error && <ErrorState fault={ruling.error} />}
        {skippedJoins.length > 0 && (
          <div role="status" className={css.left}>
            <p>svc couldn’t prove these joins. Check them, and confirm the correct ones yourself:</p>
            <ul>
              {skippedJoins.map(({ id, why }) => (
                <li key={id}>
                  {id}: {why}
                </li>
              ))}
            </ul>
          </div>
        )}
        {visibleFacts.length === 0 ? (
          <EmptyState title={factFilter === 'all' ? 'This lens has no facts yet' : 'Nothing to confirm'} />
        ) : (
          <ul className={css.facts} aria-label="Facts">
            {visibleFacts.map((fact) => (
              <FactCard key={fact.id} lens={lens} fact={fact} />
            ))}
          </ul>
        )}
        {more.has && (
          <Button className={css.more} variant="default" size="sm" loading={more.loading} onClick={more.fetch}>
            Load more
          </Button>
        )}
      </Section>
      <SampleGrades lens={lens} />
      <Modal
        opened={asksToConfirm}
        onClose={() => setAsksToConfirm(false)}
        title="Confirm the proven joins?"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <div className={css.dialog}>
          <p>
            svc checks {joinCount} against the data, and confirms each join that has no orphaned value. Answers that
            depend only on confirmed facts can then be verified. The other joins stay in the list.
          </p>
          <ul aria-label="Joins to check">
            {joins.slice(0, MAX_LISTED_JOINS).map(({ id, of, says }) => (
              <li key={id}>
                {of} refers to {says}
              </li>
            ))}
            {joins.length > MAX_LISTED_JOINS && <li>and {formatCount(joins.length - MAX_LISTED_JOINS)} more</li>}
          </ul>
          <Button
            data-autofocus
            onClick={() => {
              setAsksToConfirm(false);
              ruling.mutate({ confirm: 'proven_joins' });
            }}
          >
            Check and confirm
          </Button>
        </div>
      </Modal>
    </>
  );
}

const isInferredJoin = ({ kind, origin }: Fact): boolean => kind === 'join' && origin === 'inferred';
