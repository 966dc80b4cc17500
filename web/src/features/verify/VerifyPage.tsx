// What a receipt proves: its signature for everybody, the log behind it for whoever signed in and may use the lens.
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api, told } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { Shell } from '../../shell/Shell.tsx';
import { Page } from '../../ui/Page.tsx';
import { Failed } from '../../ui/States.tsx';
import css from './verify.module.css';

export function VerifyPage() {
  const { data: session } = useQuery({ ...sessionQuery, retry: false, meta: { anonymous: true } });
  if (session)
    return (
      <Shell>
        <Verify signedIn />
      </Shell>
    );
  return (
    <main>
      <Verify signedIn={false} />
    </main>
  );
}

const SIGNATURES = {
  valid: 'The signature is valid: this server issued this receipt, and nothing in it was changed.',
  invalid: 'The signature does not hold: the receipt was changed, or another server issued it.',
  unsigned: 'The receipt has no signature, so it proves nothing.',
  unkeyed: 'The key that signed it is not known here any more.',
} as const;

interface Verdict {
  good: boolean;
  lines: string[];
}

function Verify({ signedIn }: { signedIn: boolean }) {
  const [text, setText] = useState('');
  const verify = useMutation({ mutationFn: () => (signedIn ? whole(text) : signatureOf(text)) });
  return (
    <Page
      title="Verify"
      about={
        signedIn
          ? 'Paste a receipt, or an answer that holds one.'
          : 'Paste a receipt, or an answer that holds one. Its signature is checked; sign in to have it held against the log.'
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
          label="Receipt or answer, as JSON"
          autosize
          minRows={8}
          maxRows={20}
          spellCheck={false}
          classNames={{ input: css.json }}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {verify.error && <Failed fault={verify.error} />}
        {verify.data && (
          <div role="status" className={verify.data.good ? css.good : css.bad}>
            {verify.data.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
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

type Presented = { request_id: string; lens: string | null; served_at: string };

function receiptIn(text: string): Presented {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new ApiProblem('This is no JSON. Paste the receipt as it was handed out.', { status: 0, code: 'malformed' });
  }
  const held = (given as { receipt?: unknown } | null)?.receipt ?? given;
  return held as Presented;
}

async function signatureOf(text: string): Promise<Verdict> {
  const { signature } = await told(api.POST('/verify-signature', { body: receiptIn(text) }));
  return { good: signature === 'valid', lines: [SIGNATURES[signature]] };
}

async function whole(text: string): Promise<Verdict> {
  const said = await told(api.POST('/v1/verify-receipt', { body: receiptIn(text) }));
  return {
    good: said.ok,
    lines: [
      SIGNATURES[said.signature],
      said.trace_found
        ? 'The log holds the answer that it was issued for.'
        : 'The log holds no answer that you may see.',
      ...(said.mismatches.length > 0 ? [`It differs from the log in: ${said.mismatches.join(', ')}.`] : []),
      ...(said.question ? [`Asked was: ${said.question}`] : []),
      ...(said.ruling ? [`A reviewer ruled it ${said.ruling.ruling}. ${said.ruling.note ?? ''}`] : []),
    ],
  };
}
