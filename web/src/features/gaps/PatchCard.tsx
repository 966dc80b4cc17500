import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { BeforeAfter } from '../../ui/BeforeAfter.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { ErrorState } from '../../ui/States.tsx';
import css from './gaps.module.css';

export type Patch =
  paths['/mgmt/lenses/{name}/patches']['get']['responses']['200']['content']['application/json']['items'][number];

type PatchDecision = 'approve' | 'reject';

/** With `previewsAtOnce`, the card immediately shows which answers the patch would change. */
export function PatchCard(props: {
  patch: Patch;
  askedQuestion?: string | null;
  previewsAtOnce?: boolean;
  onDecided?: (decision: PatchDecision) => void;
}) {
  const { patch, askedQuestion, onDecided, previewsAtOnce = false } = props;
  const params = { path: { name: patch.lens, id: patch.id } };
  const preview = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/mgmt/lenses/{name}/patches/{id}/preview', { params })),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the draft appears
  useEffect(() => {
    if (previewsAtOnce) preview.mutate();
  }, [previewsAtOnce, patch.id]);
  const decide = useMutation({
    mutationFn: (decision: PatchDecision): Promise<unknown> =>
      decision === 'approve'
        ? unwrapData(apiClient.POST('/mgmt/lenses/{name}/patches/{id}/approve', { params, body: {} }))
        : unwrapData(apiClient.POST('/mgmt/lenses/{name}/patches/{id}/reject', { params, body: {} })),
    onSuccess: (_, decision) => onDecided?.(decision),
  });
  const latestPreview = preview.data ?? patch.preview;
  return (
    <div className={css.patch}>
      <p>
        <StatusBadge status={patch.status} /> {describeChange(patch.change)}
      </p>
      {patch.outcome && <p className={css.quiet}>{patch.outcome.how}</p>}
      {latestPreview && (
        <p>
          {latestPreview.answer_changes.length === 0
            ? `svc compared ${latestPreview.compared} questions. No answers would change.`
            : `${latestPreview.answer_changes.length} of ${latestPreview.compared} answers would change:`}
        </p>
      )}
      {latestPreview && latestPreview.answer_changes.length > 0 && (
        <ul>
          {latestPreview.answer_changes.map(({ kind, id, question, before, after }) => (
            <li key={kind + id}>
              {question}
              <BeforeAfter changes={[{ label: 'answer', before, after }]} />
            </li>
          ))}
        </ul>
      )}
      {latestPreview?.problems.map(({ path, line, message }) => (
        <ErrorState key={path + line + message} fault={new Error(`${path}, line ${line}: ${message}`)} />
      ))}
      {patch.outcome?.diff && <CodeBlock text={patch.outcome.diff} label="Diff for your files" />}
      {(preview.error ?? decide.error) && <ErrorState fault={preview.error ?? decide.error} />}
      {patch.status === 'draft' && !decide.isSuccess && (
        <div className={css.buttons}>
          <Button size="xs" variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
            Preview changes
          </Button>
          <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate('approve')}>
            Approve
          </Button>
          <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => decide.mutate('reject')}>
            Reject
          </Button>
        </div>
      )}
      {preview.isPending && <p role="status">Comparing answers with and without the fix.</p>}
      {decide.isSuccess && (
        <p role="status">
          {decide.variables === 'approve' ? 'Approved.' : 'Rejected.'}{' '}
          {decide.variables === 'approve' && askedQuestion && (
            <Link to="/" search={{ q: askedQuestion, lens: patch.lens }}>
              Ask again
            </Link>
          )}
        </p>
      )}
    </div>
  );
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function describeChange(change: Record<string, unknown>): string {
  switch (change['kind']) {
    case 'synonym':
      return `“${toText(change['synonym'])}” means the ${toText(change['of'])} ${toText(change['name'])}.`;
    case 'filler_word':
      return `Let svc ignore the word “${toText(change['word'])}” in questions.`;
    case 'value_synonym':
      return `“${toText(change['synonym'])}” means ${toText(change['value'])} of ${toText(change['field'])}.`;
    case 'definition':
      return `“${toText(change['term'])}” means: ${toText(change['meaning'])}`;
    case 'definition_sense':
      return `“${toText(change['term'])}” can also mean: ${toText((change['sense'] as { meaning?: unknown })?.meaning)}`;
    case 'metric_filter':
      return change['filter'] === null
        ? `The metric ${toText(change['metric'])} has no filter.`
        : `The metric ${toText(change['metric'])} measures only rows where ${toText(change['filter'])}.`;
    case 'eval':
      return `Add an eval for “${toText(change['question'])}”.`;
    case 'metric':
      return `Add the metric ${toText(change['name'])}: ${toText(change['expression'])}`;
    case 'certified':
      return `Certify “${toText(change['question'])}”.`;
    default:
      return toText(change);
  }
}
