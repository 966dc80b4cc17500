// Buttons below an answer: export, follow up, share, report.
import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCurate, sessionQuery } from '../../../api/session.ts';
import { saveAs } from '../../../ui/save-as.ts';
import { CertifyButton } from '../../certified/CertifyButton.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { csvOf, curlOf, markdownOf } from '../lib/export-answer.ts';
import css from './ask.module.css';
import { LooksWrong } from './LooksWrong.tsx';
import { Pin } from './Pin.tsx';

export function Actions({
  envelope,
  inquiry,
  onFollow,
}: {
  envelope: Envelope;
  inquiry: Inquiry;
  onFollow: (() => void) | null;
}) {
  const clipboard = useClipboard({ timeout: 2000 });
  const { data: session } = useQuery(sessionQuery);
  const [doubting, setDoubting] = useState(false);
  const { origin } = window.location;
  const address = `${origin}/app/answers/${envelope.request_id}`;
  const fileName = `${envelope.lens ?? 'answer'}-${envelope.request_id.slice(0, 8)}`;
  const copies: [string, string | null][] = [
    ['Link', address],
    ['Markdown', markdownOf(envelope, address)],
    ['SQL', envelope.sql],
    ['curl', curlOf(inquiry, origin)],
  ];
  return (
    <div className={css.actions}>
      {onFollow && (
        <Button variant="default" size="xs" onClick={onFollow}>
          Follow up
        </Button>
      )}
      <Pin requestId={envelope.request_id} />
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs">
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {copies.map(
            ([label, text]) =>
              text && (
                <Menu.Item key={label} onClick={() => clipboard.copy(text)}>
                  {label}
                </Menu.Item>
              ),
          )}
        </Menu.Dropdown>
      </Menu>
      {envelope.data && envelope.data.length > 0 && (
        <>
          <Button variant="default" size="xs" onClick={() => saveAs(`${fileName}.csv`, csvOf(envelope), 'text/csv')}>
            CSV
          </Button>
          <Button variant="default" size="xs" onClick={() => void saveWorkbook(fileName, envelope, address)}>
            XLSX
          </Button>
        </>
      )}
      {session && mayCurate(session) && envelope.lens && envelope.sql && envelope.certification !== 'certified' && (
        <CertifyButton size="xs" lens={envelope.lens} question={envelope.question ?? ''} sql={envelope.sql} />
      )}
      <Button variant="default" size="xs" onClick={() => setDoubting(true)}>
        Looks wrong
      </Button>
      <LooksWrong opened={doubting} onClose={() => setDoubting(false)} envelope={envelope} />
    </div>
  );
}

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function saveWorkbook(name: string, envelope: Envelope, address: string): Promise<void> {
  const { xlsxOf } = await import('../lib/xlsx-of.ts');
  saveAs(`${name}.xlsx`, xlsxOf(envelope, address), WORKBOOK);
}
