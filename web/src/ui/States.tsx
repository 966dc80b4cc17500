import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import css from './states.module.css';

export function LoadingState({ lines = 4 }: { lines?: number }) {
  return (
    <div className={css.loading} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without identity
        <Skeleton key={line} height={line === 0 ? 22 : 16} width={`${[62, 96, 88, 74][line % 4]}%`} radius="sm" />
      ))}
    </div>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <h2>{title}</h2>
      {children && <div>{children}</div>}
    </div>
  );
}

export function ErrorState({ fault, onRetry }: { fault: unknown; onRetry?: () => void }) {
  const problem = fault instanceof ApiProblem ? fault : null;
  const message = fault instanceof Error ? fault.message : 'Something went wrong.';
  return (
    <div className={css.failed} role="alert">
      <p>
        {problem?.status === 403 && !/^(You|This)/.test(message) ? `You don’t have permission. ${message}` : message}
      </p>
      {problem && problem.details.length > 1 && (
        <ul>
          {problem.details.map(({ path, message: detail }) => (
            <li key={path + detail}>
              <code>{path}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {problem?.requestId && (
        <p className={css.id}>
          Request ID <code>{problem.requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
