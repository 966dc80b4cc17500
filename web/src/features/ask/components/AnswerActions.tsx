import { ActionIcon, Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { canCurate, sessionQuery } from '../../../api/session.ts';
import type { ChartView } from '../../../ui/Chart.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { CertifyDialog } from '../../certified/CertifyButton.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { toCsv, toCurlCommand, toMarkdown } from '../lib/export-answer.ts';
import { hasQuestion } from '../lib/turn-state.ts';
import css from './ask.module.css';
import { PinButton } from './PinButton.tsx';
import { ReportAnswerDialog } from './ReportAnswerDialog.tsx';
import { hasDrawableChart, saveChartPicture } from './Result.tsx';

export function AnswerActions({
  envelope,
  inquiry,
  chartRef,
  onFollowUp: onFollow,
}: {
  envelope: Envelope;
  inquiry: Inquiry;
  chartRef: RefObject<ChartView | null>;
  onFollowUp: () => void;
}) {
  const clipboard = useClipboard({ timeout: 2000 });
  const { data: session } = useQuery(sessionQuery);
  const [dialog, setDialog] = useState<'certify' | 'doubt' | null>(null);
  const close = () => setDialog(null);
  const { lens, sql } = envelope;
  const certifiable =
    session && canCurate(session) && lens && sql && envelope.certification !== 'certified' ? { lens, sql } : null;
  const { origin } = window.location;
  const address = `${origin}/app/answers/${envelope.request_id}`;
  const fileName = `${lens ?? 'answer'}-${envelope.request_id.slice(0, 8)}`;
  const copyOptions: [string, string | null][] = [
    ['Link', address],
    ['Markdown', toMarkdown(envelope, address)],
    ['SQL', sql],
    ['curl', hasQuestion(inquiry) ? toCurlCommand(inquiry, origin) : null],
  ];
  return (
    <div className={css.actions}>
      {hasQuestion(inquiry) && (
        <Button variant="default" size="xs" onClick={onFollow}>
          Follow up
        </Button>
      )}
      <PinButton requestId={envelope.request_id} />
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" size="xs">
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {copyOptions.map(
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
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" size="xs">
              Download
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => saveFile(`${fileName}.csv`, toCsv(envelope), 'text/csv')}>CSV</Menu.Item>
            <Menu.Item onClick={() => void saveWorkbook(fileName, envelope, address)}>XLSX</Menu.Item>
            {hasDrawableChart(envelope) && (
              <Menu.Item onClick={() => void saveChartPicture(chartRef.current, envelope)}>PNG</Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {certifiable && <Menu.Item onClick={() => setDialog('certify')}>Certify</Menu.Item>}
          <Menu.Item onClick={() => setDialog('doubt')}>Report a problem</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {certifiable && (
        <CertifyDialog
          opened={dialog === 'certify'}
          onClose={close}
          lens={certifiable.lens}
          question={envelope.question ?? ''}
          sql={certifiable.sql}
        />
      )}
      <ReportAnswerDialog opened={dialog === 'doubt'} onClose={close} envelope={envelope} />
    </div>
  );
}

const XLSX_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function saveWorkbook(name: string, envelope: Envelope, address: string): Promise<void> {
  const { createXlsx: xlsxOf } = await import('../lib/xlsx.ts');
  saveFile(`${name}.xlsx`, xlsxOf(envelope, address), XLSX_MEDIA_TYPE);
}
