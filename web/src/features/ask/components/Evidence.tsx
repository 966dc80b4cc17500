import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { Checks } from '../../../ui/Checks.tsx';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { formatMilliseconds } from '../../../ui/format.ts';
import { ErrorState } from '../../../ui/States.tsx';
import { formatReceiptVerdict } from '../../verify/verdict.ts';
import type { Envelope } from '../api/ask.ts';
import css from './ask.module.css';

export function Evidence({ envelope }: { envelope: Envelope }) {
  const { checks, sql, guard, citations, receipt, timings_ms, parameters } = envelope;
  return (
    <div className={css.evidence}>
      <details>
        <summary>
          Checks <span className={css.hint}>{formatCheckCounts(checks)}</span>
        </summary>
        <Checks checks={checks} />
      </details>
      {sql && (
        <details>
          <summary>
            SQL <span className={css.hint}>{`ran in ${formatMilliseconds(timings_ms.warehouse)}`}</span>
          </summary>
          <CodeBlock text={sql} label="SQL of the answer" />
          {parameters && (
            <p className={css.parameters}>
              {Object.entries(parameters)
                .map(([name, value]) => `${name} = ${String(value)}`)
                .join(', ')}
            </p>
          )}
          {guard && (
            <>
              <p className={css.hint}>The SQL that ran, with row policies and masks applied:</p>
              <CodeBlock text={guard.runs} label="SQL that ran" />
            </>
          )}
        </details>
      )}
      {citations.length > 0 && (
        <details>
          <summary>
            Definitions used <span className={css.hint}>{citations.length}</span>
          </summary>
          <dl className={css.citations}>
            {citations.map(({ kind, name, text }) => (
              <div key={kind + name}>
                <dt>
                  {name.replaceAll('_', ' ')} <span className={css.hint}>{kind}</span>
                </dt>
                <dd>{text ?? 'No description.'}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {receipt && 'lens' in receipt && (
        <details>
          <summary>
            Receipt <span className={css.hint}>{receipt.digest ? 'signed' : 'unsigned'}</span>
          </summary>
          <Receipt receipt={receipt} />
        </details>
      )}
    </div>
  );
}

function formatCheckCounts(checks: Envelope['checks']): string {
  const count = (wanted: string) => checks.filter(({ outcome }) => outcome === wanted).length;
  const [failed, unknown, skipped] = [count('fail'), count('unknown'), count('not_applicable')];
  return [
    `${count('pass')} passed`,
    failed > 0 && `${failed} failed`,
    unknown > 0 && `${unknown} unknown`,
    skipped > 0 && `${skipped} not applicable`,
  ]
    .filter(Boolean)
    .join(', ');
}

type IssuedReceipt = Extract<Envelope['receipt'], { lens: unknown }>;

export function Receipt({ receipt }: { receipt: IssuedReceipt }) {
  const verify = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/v1/verify-receipt', { body: receipt })),
  });
  return (
    <div className={css.form}>
      <CodeBlock text={JSON.stringify(receipt, null, 2)} label="Receipt as JSON" />
      {verify.data && (
        <p role="status" className={verify.data.ok ? css.proven : css.disproven}>
          {verify.data.ok
            ? 'Genuine: the signature is valid, and the receipt matches the log.'
            : formatReceiptVerdict(verify.data).join(' ')}
        </p>
      )}
      {verify.error && <ErrorState fault={verify.error} />}
      <Button size="xs" variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
        Verify
      </Button>
    </div>
  );
}
