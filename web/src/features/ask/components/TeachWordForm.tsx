import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ErrorState } from '../../../ui/States.tsx';
import { ChangeForm, type LensChange } from '../../gaps/ChangeForm.tsx';
import { PatchCard } from '../../gaps/PatchCard.tsx';
import type { Envelope } from '../api/ask.ts';
import css from './ask.module.css';

export function TeachWordForm(props: {
  lens: string;
  word: NonNullable<Envelope['unplaced']>[number];
  question: string | null;
  onAskAgain: () => void;
  onLeave: () => void;
}) {
  const { lens, word } = props;
  const draftPatch = useMutation({
    mutationFn: (change: LensChange) =>
      unwrapData(
        apiClient.POST('/mgmt/lenses/{name}/patches', {
          params: { path: { name: lens } },
          body: { change, ...(props.question ? { reason: `Asked: ${props.question}`.slice(0, 2000) } : {}) },
        }),
      ),
  });
  return (
    <div className={css.teach}>
      {draftPatch.data ? (
        <PatchCard
          patch={draftPatch.data}
          previewsAtOnce
          onDecided={(decision) => {
            if (decision !== 'approve') return;
            void queryClient.invalidateQueries({ queryKey: ['lenses'] });
            props.onAskAgain();
          }}
        />
      ) : (
        <ChangeForm
          lens={lens}
          suggested={createSynonymChange(word)}
          isBusy={draftPatch.isPending}
          onChange={draftPatch.mutate}
          onLeave={props.onLeave}
        />
      )}
      {draftPatch.error && <ErrorState fault={draftPatch.error} />}
      {draftPatch.data && (
        <Button size="xs" variant="subtle" onClick={props.onLeave}>
          Close
        </Button>
      )}
    </div>
  );
}

function createSynonymChange({ text, nearest }: NonNullable<Envelope['unplaced']>[number]): LensChange {
  const nearestName = nearest.find(({ kind }) => kind !== 'value' && kind !== 'spelling');
  const targetKind = (nearestName?.kind ?? 'metric') as 'metric' | 'field' | 'dataset' | 'definition';
  return { kind: 'synonym', of: targetKind, name: nearestName?.name ?? '', synonym: text };
}
