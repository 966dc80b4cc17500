import { Button, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { type RunProgress as Done, useRun } from '../../../api/runs.ts';
import { toUserMessage } from '../../../api/user-messages.ts';
import { ErrorState } from '../../../ui/States.tsx';
import type { IntrospectionResult } from './introspection-result.ts';
import css from './wizard.module.css';

const DRAFT_STEP_NAMES: Record<string, string> = {
  catalog: 'Reading the catalog',
  values: 'Reading values',
  joins: 'Checking joins',
};

export function DraftStep(props: {
  runId: string;
  onBack: () => void;
  onDrafted: (drafted: IntrospectionResult) => void;
}) {
  const { data, error } = useRun(props.runId);
  const cancelRun = useMutation({
    mutationFn: () =>
      unwrapData(apiClient.POST('/mgmt/runs/{run_id}/cancel', { params: { path: { run_id: props.runId } } })),
  });
  const { onDrafted } = props;
  const result = data?.state === 'succeeded' ? (data.result as IntrospectionResult) : null;
  useEffect(() => {
    if (result) onDrafted(result);
  }, [result, onDrafted]);
  const fault =
    error ?? cancelRun.error ?? (data && ['failed', 'cancelled'].includes(data.state) ? toRunProblem(data) : null);
  if (fault)
    return (
      <>
        <ErrorState fault={fault} />
        <Button className={css.after} variant="default" onClick={props.onBack}>
          Back to tables
        </Button>
      </>
    );
  const { step = 'catalog', done = 0, total = 0 } = (data?.progress ?? {}) as Done;
  return (
    <div className={css.form}>
      <p role="status">
        {DRAFT_STEP_NAMES[step] ?? step.replaceAll('_', ' ')}
        {total > 1 && `, ${done} of ${total}`}
      </p>
      <Progress value={total > 0 ? (100 * done) / total : 5} animated aria-label="Progress" />
      <div>
        <Button variant="default" loading={cancelRun.isPending} onClick={() => cancelRun.mutate()}>
          Stop
        </Button>
      </div>
    </div>
  );
}

const toRunProblem = ({ state, error }: { state: string; error: { message: string } | null }): Error =>
  new Error(
    error ? toUserMessage(error.message) : state === 'cancelled' ? 'Stopped.' : 'The run failed without a message.',
  );
