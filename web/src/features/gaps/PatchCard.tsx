// A drafted fix: what it changes, which answers it would change, and the decision.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, told } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { Status } from '../../ui/Badges.tsx';
import { Sql } from '../../ui/Sql.tsx';
import { Failed } from '../../ui/States.tsx';
import css from './gaps.module.css';

export type Patch =
  paths['/mgmt/lenses/{name}/patches']['get']['responses']['200']['content']['application/json']['items'][number];

export function PatchCard({ patch, onDecided }: { patch: Patch; onDecided: () => void }) {
  const params = { path: { name: patch.lens, id: patch.id } };
  const preview = useMutation({
    mutationFn: () => told(api.POST('/mgmt/lenses/{name}/patches/{id}/preview', { params })),
  });
  const decide = useMutation({
    mutationFn: (how: 'approve' | 'reject'): Promise<unknown> =>
      how === 'approve'
        ? told(api.POST('/mgmt/lenses/{name}/patches/{id}/approve', { params, body: {} }))
        : told(api.POST('/mgmt/lenses/{name}/patches/{id}/reject', { params, body: {} })),
    onSuccess: onDecided,
  });
  const seen = preview.data ?? patch.preview;
  return (
    <div className={css.patch}>
      <p>
        <Status of={patch.status} /> {describe(patch.change)}
      </p>
      {patch.outcome && <p className={css.quiet}>{patch.outcome.how}</p>}
      {seen && (
        <p>
          {seen.answer_changes.length === 0
            ? `No answer changes, of ${seen.compared} questions that were compared.`
            : `${seen.answer_changes.length} of ${seen.compared} questions would be answered otherwise:`}
        </p>
      )}
      {seen && seen.answer_changes.length > 0 && (
        <ul>
          {seen.answer_changes.map(({ kind, id, question }) => (
            <li key={kind + id}>{question}</li>
          ))}
        </ul>
      )}
      {seen?.problems.map(({ path, line, message }) => (
        <Failed key={path + line + message} fault={new Error(`${path}, line ${line}: ${message}`)} />
      ))}
      {patch.outcome?.diff && <Sql text={patch.outcome.diff} label="Change for your files" />}
      {(preview.error ?? decide.error) && <Failed fault={preview.error ?? decide.error} />}
      {patch.status === 'draft' && !decide.isSuccess && (
        <div className={css.buttons}>
          <Button size="xs" variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
            What would change?
          </Button>
          <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate('approve')}>
            Approve
          </Button>
          <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => decide.mutate('reject')}>
            Reject
          </Button>
        </div>
      )}
      {decide.isSuccess && <p role="status">{decide.variables === 'approve' ? 'Approved.' : 'Rejected.'}</p>}
    </div>
  );
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function describe(change: Record<string, unknown>): string {
  switch (change['kind']) {
    case 'synonym':
      return `“${text(change['synonym'])}” means the ${text(change['of'])} ${text(change['name'])}.`;
    case 'value_synonym':
      return `“${text(change['synonym'])}” means ${text(change['value'])} of ${text(change['field'])}.`;
    case 'definition':
      return `“${text(change['term'])}” means: ${text(change['meaning'])}`;
    case 'metric':
      return `A metric ${text(change['name'])}: ${text(change['expression'])}`;
    case 'certified':
      return `Certify “${text(change['question'])}”.`;
    default:
      return text(change);
  }
}
