import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { canCurate, sessionQuery } from '../../api/session.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import { createAnswerQuery } from '../ask/api/answers.ts';
import { CertifyButton } from '../certified/CertifyButton.tsx';
import { createEntryQuery } from '../certified/EntryDialog.tsx';
import { PatchCard } from '../gaps/PatchCard.tsx';
import css from './reviews.module.css';

export function ReviewPage() {
  const { id } = useParams({ from: '/app/reviews/$id' });
  const { data: session } = useSuspenseQuery(sessionQuery);
  return canCurate(session) ? <QueuedTicket id={id} /> : <OwnTicket id={id} />;
}

function OwnTicket({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: ['own review', id],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/v1/reviews/{ticket_id}', { signal, params: { path: { ticket_id: id } } })),
  });
  const requestId = data?.request_id ?? null;
  const reported = useQuery({ ...createAnswerQuery(requestId ?? ''), enabled: requestId !== null });
  return (
    <Page title={reported.data?.question ? showHiddenCharacters(reported.data.question) : 'Review'}>
      {requestId && reported.data && (
        <Section
          title="Reported answer"
          actions={
            <Link to="/answers/$id" params={{ id: requestId }}>
              View answer
            </Link>
          }
        >
          <p className={css.said}>{showHiddenCharacters(reported.data.answer.answer ?? '')}</p>
        </Section>
      )}
      {error ? <ErrorState fault={error} /> : data ? <TicketDetails ticket={data} /> : <LoadingState />}
    </Page>
  );
}

type ReportedCorrection = { answer?: string; definition?: string; sql?: string } | null;
interface TicketView {
  status: string;
  note: string | null;
  correction: ReportedCorrection;
  created_at: string;
  ruling: { ruling: string; note: string | null; ruled_by: string | null; ruled_at: string } | null;
  comments: { author: string; body: string; created_at: string }[];
}

function TicketDetails({ ticket }: { ticket: TicketView }) {
  const { status, note, correction, ruling, comments, created_at } = ticket;
  return (
    <>
      <p className={css.state}>
        <StatusBadge status={status} /> Reported {formatDateTime(created_at)}
      </p>
      {ruling && (
        <p className={css.ruling}>
          Decision: {ruling.ruling}, by {ruling.ruled_by ?? 'a reviewer'}, {formatDateTime(ruling.ruled_at)}.{' '}
          {ruling.note && <q>{ruling.note}</q>}
        </p>
      )}
      {note && (
        <Section title="What looks wrong">
          <p className={css.said}>{showHiddenCharacters(note)}</p>
        </Section>
      )}
      {correction && <CorrectedAnswer correction={correction} />}
      {comments.length > 0 && (
        <Section title="Comments">
          <ul className={css.comments}>
            {comments.map(({ author, body, created_at: commentedAt }) => (
              <li key={commentedAt + author}>
                <strong>{author}</strong> <span>{formatDateTime(commentedAt)}</span>
                <p>{body}</p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const CorrectedAnswer = ({ correction }: { correction: NonNullable<ReportedCorrection> }) => (
  <Section title="Suggested correction">
    {correction.answer && <p className={css.said}>{correction.answer}</p>}
    {correction.definition && <p className={css.said}>{correction.definition}</p>}
    {correction.sql && <CodeBlock text={correction.sql} label="Corrected SQL" />}
  </Section>
);

function QueuedTicket({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['review', id],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/mgmt/reviews/{id}', { signal, params: { path: { id } } })),
  });
  if (error)
    return (
      <Page title="Review">
        <ErrorState fault={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title="Review">
        <LoadingState lines={6} />
      </Page>
    );
  const { question, answer, sql, correction, request_id, lens, patch, subject } = data;
  return (
    <Page
      title={question ? showHiddenCharacters(question) : subject ? 'Suspended certified entry' : 'Review'}
      actions={
        request_id && (
          <Link to="/requests/$id" params={{ id: request_id }}>
            View request
          </Link>
        )
      }
    >
      {answer && (
        <Section title="Reported answer">
          <p className={css.said}>{answer}</p>
          {sql && <CodeBlock text={sql} label="SQL of the answer" />}
        </Section>
      )}
      <TicketDetails ticket={data} />
      {subject && <SuspendedEntry lens={subject.lens} id={subject.cert_id} />}
      {patch && (
        <Section title="Drafted fix">
          <PatchCard patch={patch} onDecided={() => void refetch()} />
        </Section>
      )}
      {!data.ruling && <DecisionForm id={id} of={subject ? 'entry' : 'answer'} onRuled={() => void refetch()} />}
      {lens && question && sql && (
        <Section
          title="Certify"
          description="Approve the SQL of this question. svc then answers the question with that SQL."
        >
          <CertifyButton lens={lens} question={question} sql={correction?.sql ?? sql} />
        </Section>
      )}
    </Page>
  );
}

function SuspendedEntry({ lens, id }: { lens: string; id: string }) {
  const { data, error } = useQuery(createEntryQuery(lens, id));
  return (
    <Section
      title={data ? showHiddenCharacters(data.question) : id}
      description={
        data && data.status !== 'suspended'
          ? `Now ${data.status}.`
          : 'Open the entry to approve its SQL again, or to retire it.'
      }
      actions={
        <Link to="/certified" search={{ lens, entry: id }}>
          Open the entry
        </Link>
      }
    >
      {error && <ErrorState fault={error} />}
      {data && <CodeBlock text={data.sql} label="SQL of the entry" />}
    </Section>
  );
}

const DECISION_LABELS = {
  answer: { accepted: 'Accept: the answer was wrong', rejected: 'Reject: the answer was right' },
  entry: { accepted: 'Accept: the SQL is no longer right', rejected: 'Reject: the SQL is still right' },
};

function DecisionForm({ id, of, onRuled }: { id: string; of: keyof typeof DECISION_LABELS; onRuled: () => void }) {
  const [note, setNote] = useState('');
  const sendRuling = useMutation({
    mutationFn: (ruling: 'accepted' | 'rejected' | 'duplicate') =>
      unwrapData(
        apiClient.POST('/mgmt/reviews/{id}/rule', {
          params: { path: { id } },
          body: { ruling, ...(note.trim() ? { note: note.trim() } : {}) },
        }),
      ),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['reviews'] });
      onRuled();
    },
  });
  return (
    <Section title="Decision">
      <div className={css.form}>
        <Textarea
          label="Note"
          description="Visible to the reporter, and to anyone with access to the lens who verifies the receipt"
          autosize
          minRows={2}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {sendRuling.error && <ErrorState fault={sendRuling.error} />}
        <div className={css.buttons}>
          <Button loading={sendRuling.isPending} onClick={() => sendRuling.mutate('accepted')}>
            {DECISION_LABELS[of].accepted}
          </Button>
          <Button variant="default" disabled={sendRuling.isPending} onClick={() => sendRuling.mutate('rejected')}>
            {DECISION_LABELS[of].rejected}
          </Button>
          <Button variant="default" disabled={sendRuling.isPending} onClick={() => sendRuling.mutate('duplicate')}>
            Duplicate
          </Button>
        </div>
      </div>
    </Section>
  );
}
