import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { GradeBadge, StatusBadge } from '../../../ui/Badges.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import { type Draft, type DraftAnswer, tryQuestion } from './api.ts';
import css from './editor.module.css';

export function TryDraftForm({ name, draft, samples }: { name: string; draft: Draft; samples: string[] }) {
  const [q, setQ] = useState(samples[0] ?? '');
  const ask = useMutation({ mutationFn: () => tryQuestion(name, draft, q.trim()) });
  return (
    <section aria-label="Try a question">
      <form
        className={css.try}
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <TextInput
          label="Try a question on both versions"
          value={q}
          onChange={({ currentTarget }) => setQ(currentTarget.value)}
        />
        <div>
          <Button type="submit" size="xs" variant="default" disabled={!q.trim()} loading={ask.isPending}>
            Ask both versions
          </Button>
        </div>
      </form>
      {ask.error && <ErrorState fault={ask.error} />}
      {ask.data && (
        <ul className={css.changes} aria-label="Answers from both versions">
          <VersionAnswer label="Published" reply={ask.data.before} />
          <VersionAnswer label="Draft" reply={ask.data.after} />
        </ul>
      )}
    </section>
  );
}

const VersionAnswer = ({ label, reply }: { label: string; reply: DraftAnswer }) => (
  <li className={css.changed}>
    <strong>{label}</strong>{' '}
    {reply.status === 'answered' ? <GradeBadge confidence={reply.confidence} /> : <StatusBadge status={reply.status} />}
    <p>{reply.answer ?? reply.clarification?.message}</p>
  </li>
);
