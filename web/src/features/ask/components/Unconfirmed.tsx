// Lets admins and curators confirm the inferred facts of an answer. The app then asks the question again.
import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { canCurate, sessionQuery } from '../../../api/session.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { ErrorState } from '../../../ui/States.tsx';
import { useDecideFacts } from '../../lenses/facts/facts-api.ts';
import type { Envelope } from '../api/ask.ts';
import css from './ask.module.css';

export function UnconfirmedFacts({ envelope, onAgain: onAskAgain }: { envelope: Envelope; onAgain: () => void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { lens, checks } = envelope;
  const ruling = useDecideFacts(lens ?? '');
  const check = checks.find(({ name, outcome }) => name === 'facts_confirmed' && outcome === 'fail');
  if (!check || !lens) return null;
  const facts = check.facts ?? [];
  return (
    <div className={css.unconfirmed}>
      <p>{showHiddenCharacters(check.detail.replace(/ To confirm, [\s\S]*$/, ''))}</p>
      {canCurate(session) && facts.length > 0 && (
        <div className={css.actions}>
          <Button
            size="xs"
            variant="default"
            loading={ruling.isPending}
            onClick={() => ruling.mutate({ confirm: facts }, { onSuccess: onAskAgain })}
          >
            Confirm and ask again
          </Button>
          <Button component={Link} to={`/lenses/${lens}`} search={{ tab: 'facts' } as never} size="xs" variant="subtle">
            View the evidence
          </Button>
        </div>
      )}
      {ruling.error && <ErrorState fault={ruling.error} />}
    </div>
  );
}
