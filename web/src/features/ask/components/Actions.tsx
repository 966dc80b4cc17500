// What can be done with an answer: taken along, followed up, passed on, doubted.
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayManage, sessionQuery } from '../../../api/session.ts';
import { saveAs } from '../../../ui/save-as.ts';
import { CertifyButton } from '../../certified/CertifyButton.tsx';
import type { Envelope } from '../api/ask.ts';
import { csvOf, markdownOf } from '../lib/export-answer.ts';
import css from './ask.module.css';
import { LooksWrong } from './LooksWrong.tsx';

export function Actions({ envelope, onFollow }: { envelope: Envelope; onFollow: (() => void) | null }) {
  const markdown = useClipboard({ timeout: 2000 });
  const link = useClipboard({ timeout: 2000 });
  const { data: session } = useQuery(sessionQuery);
  const [doubting, setDoubting] = useState(false);
  const address = `${window.location.origin}/app/requests/${envelope.request_id}`;
  return (
    <div className={css.actions}>
      {onFollow && (
        <Button variant="default" size="xs" onClick={onFollow}>
          Follow up
        </Button>
      )}
      {envelope.data && envelope.data.length > 0 && (
        <Button
          variant="default"
          size="xs"
          onClick={() =>
            saveAs(`${envelope.lens ?? 'answer'}-${envelope.request_id.slice(0, 8)}.csv`, csvOf(envelope), 'text/csv')
          }
        >
          CSV
        </Button>
      )}
      <Button variant="default" size="xs" onClick={() => markdown.copy(markdownOf(envelope, address))}>
        {markdown.copied ? 'Copied' : 'Copy as Markdown'}
      </Button>
      <Button variant="default" size="xs" onClick={() => link.copy(address)}>
        {link.copied ? 'Copied' : 'Copy link'}
      </Button>
      {session && mayManage(session) && envelope.lens && envelope.sql && envelope.certification !== 'certified' && (
        <CertifyButton size="xs" lens={envelope.lens} question={envelope.question ?? ''} sql={envelope.sql} />
      )}
      <Button variant="default" size="xs" onClick={() => setDoubting(true)}>
        Looks wrong
      </Button>
      <LooksWrong opened={doubting} onClose={() => setDoubting(false)} envelope={envelope} />
    </div>
  );
}
