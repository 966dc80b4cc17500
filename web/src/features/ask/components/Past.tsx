import { Button } from '@mantine/core';
import { useState } from 'react';
import { Status } from '../../../ui/Badges.tsx';
import { inert } from '../../../ui/inert.ts';
import { forgetPast, type Past as PastQuestion } from '../lib/history.ts';
import css from './ask.module.css';

const SHOWN = 6;

export function Past(given: {
  past: PastQuestion[];
  who: string;
  onForget: () => void;
  onAsk: (q: string, lens: string | null) => void;
}) {
  const [all, setAll] = useState(false);
  const { past } = given;
  if (past.length === 0) return null;
  return (
    <section aria-label="What you asked before">
      <div className={css.pastHead}>
        <h2>Asked before</h2>
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            forgetPast(given.who);
            given.onForget();
          }}
        >
          Forget them
        </Button>
      </div>
      <ul className={css.past}>
        {past.slice(0, all ? past.length : SHOWN).map(({ q, lens, status, at }) => (
          <li key={at}>
            <button type="button" onClick={() => given.onAsk(q, lens)}>
              {inert(q)}
            </button>
            {status !== 'answered' && <Status of={status} />}
          </li>
        ))}
      </ul>
      {past.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          All {past.length}
        </Button>
      )}
    </section>
  );
}
