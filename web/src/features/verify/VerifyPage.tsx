// Everyone can check the signature of a receipt. People who may use the lens can also compare it with the log.
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { PublicPage } from '../../shell/Shell.tsx';
import { Page } from '../../ui/Page.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { type VerifiedNumber, verifyText } from './verdict.ts';
import css from './verify.module.css';

export function VerifyPage() {
  const { data: session } = useQuery({ ...sessionQuery, retry: false, meta: { anonymous: true } });
  return (
    <PublicPage>
      <VerifyForm signedIn={session !== undefined} />
    </PublicPage>
  );
}

function VerifyForm({ signedIn }: { signedIn: boolean }) {
  const [text, setText] = useState('');
  const [sentence, setSentence] = useState('');
  const verify = useMutation({ mutationFn: () => verifyText(text, sentence, signedIn) });
  return (
    <Page
      title="Verify"
      description={
        signedIn
          ? 'A receipt is the signed record of an answer. Paste a receipt, an answer with its rows, or text that includes the request ID of an answer.'
          : 'Paste a receipt, or an answer with a receipt, to check its signature. To compare it with the log too, sign in.'
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          verify.mutate();
        }}
      >
        <Textarea
          label={signedIn ? 'Receipt, answer or text' : 'Receipt or answer, as JSON'}
          autosize
          minRows={8}
          maxRows={20}
          spellCheck={false}
          classNames={{ input: css.json }}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {signedIn && (
          <Textarea
            label="Sentence to check (optional)"
            description="svc compares the numbers in the sentence with the answer above"
            autosize
            minRows={2}
            value={sentence}
            onChange={({ currentTarget }) => setSentence(currentTarget.value)}
          />
        )}
        {verify.error && <ErrorState fault={verify.error} />}
        {verify.data && (
          <div role="status" className={verify.data.passed ? css.good : css.bad}>
            {verify.data.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {verify.data.numbers.length > 0 && <VerifiedNumberList numbers={verify.data.numbers} />}
          </div>
        )}
        <Button type="submit" disabled={!text.trim()} loading={verify.isPending}>
          Verify
        </Button>
      </form>
      {!signedIn && (
        <p className={css.signIn}>
          <a href="/auth/sign-in?return_to=/app/verify">Sign in</a>
        </p>
      )}
    </Page>
  );
}

const VerifiedNumberList = ({ numbers }: { numbers: VerifiedNumber[] }) => (
  <ul className={css.numbers} aria-label="Numbers in the sentence">
    {numbers.map(({ text, value, row, column, rounds: isRounded }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text may contain a number twice
      <li key={index}>
        <strong>{text}</strong>{' '}
        {value === null ? 'is not in the answer.' : `matches ${formatLocation(value, row, column, isRounded)}.`}
      </li>
    ))}
  </ul>
);

const formatLocation = (value: unknown, row: number | null, column: string | null, isRounded: boolean): string =>
  (column === null ? 'the original sentence' : `${column.replaceAll('_', ' ')} in row ${row}`) +
  (isRounded ? ` (rounded from ${String(value)})` : '');
