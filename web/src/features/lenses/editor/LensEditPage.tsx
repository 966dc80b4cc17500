// The YAML editor of a lens: edit, compare with the warehouse and current answers, then publish or download.
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { Page } from '../../../ui/Page.tsx';
import { Failed, Loading } from '../../../ui/States.tsx';
import { saveAs } from '../../../ui/save-as.ts';
import { lensQuery } from '../../ask/api/lenses.ts';
import { type Draft, publish, type StoredDraft, saveDraft, schemaQuery, storedDraftQuery, validate } from './api.ts';
import { Checked } from './Checked.tsx';
import css from './editor.module.css';
import { Published } from './Published.tsx';
import { TryDraft } from './TryDraft.tsx';

const YamlEditor = lazy(() => import('./YamlEditor.tsx'));

export function LensEditPage() {
  const { name } = useParams({ from: '/app/lenses/$name/edit' });
  const { draft } = useSearch({ from: '/app/lenses/$name/edit' });
  const { data, error, refetch } = useQuery(storedDraftQuery(name, draft));
  const title = `Edit ${name}`;
  if (error)
    return (
      <Page title={title}>
        <Failed fault={error} again={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title={title}>
        <Loading lines={10} />
      </Page>
    );
  return <Editing key={draft ?? ''} name={name} begun={data} />;
}

function Editing({ name, begun }: { name: string; begun: StoredDraft }) {
  const navigate = useNavigate();
  const schema = useQuery(schemaQuery);
  const lens = useQuery({ ...lensQuery(name), retry: false });
  const [text, setText] = useState(begun.text);
  const [draft, setDraft] = useState<Draft | null>(begun.draft);
  const [kept, setKept] = useState(begun.text);
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const dirty = text !== kept;
  useBlocker({
    shouldBlockFn: () => dirty && !window.confirm('Changes since the last check are not saved. Leave anyway?'),
    enableBeforeUnload: dirty,
  });
  const check = useMutation({
    mutationFn: async (written: string) => {
      const saved = await saveDraft(name, draft, written);
      setDraft(saved);
      setKept(written);
      return { text: written, ...(await validate(name, saved)) };
    },
  });
  const put = useMutation({
    mutationFn: () => publish(name, draft!),
    onSuccess: () => {
      for (const of of ['lenses', 'versions', 'drafts', 'version', 'editing'])
        void queryClient.invalidateQueries({ queryKey: [of], refetchType: 'none' });
    },
  });
  // Problems appear while someone types: each pause saves the draft and checks it.
  const [paused] = useDebouncedValue(text, PAUSE_MS);
  const tried = useRef(begun.text);
  const { mutate, isPending } = check;
  useEffect(() => {
    if (paused !== text || text === kept || text === tried.current || isPending) return;
    tried.current = text; // a failed check isn't repeated automatically
    mutate(text);
  }, [paused, text, kept, isPending, mutate]);
  const checked = check.data && !check.isPending ? check.data : null;
  const current = checked !== null && checked.text === text;
  const names =
    lens.data?.schema.datasets.flatMap(({ name: dataset, fields }) => fields.map((one) => `${dataset}.${one.name}`)) ??
    [];
  if (put.data) return <Published name={name} origin={begun.origin} version={put.data.version} />;
  return (
    <Page
      wide
      title={`Edit ${name}`}
      about="Callers see no change until you publish."
      actions={
        <>
          <Button variant="default" onClick={() => saveAs('lens.yaml', text, 'application/yaml')}>
            Download
          </Button>
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate(text)}>
            Check
          </Button>
          <Button disabled={!current || !checked.valid} loading={put.isPending} onClick={() => put.mutate()}>
            Publish
          </Button>
          <Button
            variant="subtle"
            onClick={() => void navigate({ to: '/lenses/$name', params: { name }, search: { tab: 'drafts' } })}
          >
            Leave
          </Button>
        </>
      }
    >
      <div className={css.two}>
        <div>
          {schema.error ? (
            <Failed fault={schema.error} again={() => void schema.refetch()} />
          ) : schema.data ? (
            <Suspense fallback={<Loading lines={10} />}>
              <YamlEditor
                label={`lens.yaml of ${name}`}
                text={begun.text}
                onText={setText}
                onCheck={(written) => check.mutate(written)}
                schema={schema.data}
                names={names}
                faults={current ? checked.problems : NONE}
                goTo={goTo}
              />
            </Suspense>
          ) : (
            <Loading lines={10} />
          )}
          <p className={css.hint}>
            Ctrl+Space shows suggestions. Ctrl+S checks and saves a draft. To leave the text, press Escape, then Tab.
          </p>
        </div>
        <div className={css.side} aria-live="polite">
          {(check.error ?? put.error) && <Failed fault={check.error ?? put.error} />}
          {checked ? (
            <Checked
              name={name}
              begun={begun}
              checked={checked}
              stale={!current}
              onGoTo={(line) => setGoTo({ line })}
            />
          ) : (
            <p>Problems, changes and affected answers appear here a second after you stop writing.</p>
          )}
          {draft && checked?.valid && (
            <TryDraft name={name} draft={draft} samples={lens.data?.sample_questions ?? []} />
          )}
        </div>
      </div>
    </Page>
  );
}
const NONE: never[] = [];
const PAUSE_MS = 1000;
