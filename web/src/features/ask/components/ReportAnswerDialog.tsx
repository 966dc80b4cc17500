import { Button, Modal, Select, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { Envelope } from '../api/ask.ts';
import css from './ask.module.css';

const REPORT_KINDS = [
  { value: 'none', label: 'I don’t know' },
  { value: 'answer', label: 'I know the correct answer' },
  { value: 'definition', label: 'A term means something else' },
  { value: 'sql', label: 'I have the correct SQL' },
] as const;
type ReportKind = (typeof REPORT_KINDS)[number]['value'];

export function ReportAnswerDialog(props: { opened: boolean; onClose: () => void; envelope: Envelope }) {
  const [note, setNote] = useState('');
  const [kind, setKind] = useState<ReportKind>('none');
  const [correctionText, setCorrectionText] = useState('');
  const send = useMutation({
    mutationFn: () =>
      unwrapData(
        apiClient.POST('/v1/reviews', {
          body: {
            request_id: props.envelope.request_id,
            ...(note.trim() ? { note: note.trim() } : {}),
            ...(kind !== 'none' && correctionText.trim() ? { correction: { [kind]: correctionText.trim() } } : {}),
          },
        }),
      ),
  });
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="What looks wrong?"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
    >
      {send.data ? (
        <div className={css.form}>
          <p role="status">
            Thank you. A reviewer will check the answer:{' '}
            <Link to="/reviews/$id" params={{ id: send.data.ticket_id }}>
              follow the review
            </Link>
            .
          </p>
          <Button onClick={props.onClose}>Done</Button>
        </div>
      ) : (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate();
          }}
        >
          <Textarea
            label="Describe what is wrong"
            autosize
            minRows={2}
            maxLength={10_000}
            value={note}
            data-autofocus
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <Select
            label="Do you know the correct answer?"
            data={[...REPORT_KINDS]}
            allowDeselect={false}
            value={kind}
            onChange={(value) => setKind((value ?? 'none') as ReportKind)}
          />
          {kind !== 'none' && (
            <Textarea
              label={{ answer: 'Correct answer', definition: 'What the term means', sql: 'Correct SQL' }[kind]}
              autosize
              minRows={kind === 'sql' ? 4 : 2}
              value={correctionText}
              onChange={({ currentTarget }) => setCorrectionText(currentTarget.value)}
            />
          )}
          {send.error && <ErrorState fault={send.error} />}
          <Button type="submit" loading={send.isPending}>
            Send for review
          </Button>
        </form>
      )}
    </Modal>
  );
}
