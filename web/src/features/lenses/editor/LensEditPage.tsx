import { Button, Tabs } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { Page } from '../../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../../ui/States.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { createLensQuery, useLensTitle } from '../../ask/api/lenses.ts';
import {
  createEditedLensQuery,
  type Draft,
  type EditedLens,
  lensSchemaQuery,
  publishDraft,
  saveDraft,
  validateDraft,
} from './api.ts';
import { CheckResult } from './CheckResult.tsx';
import type { JsonSchema } from './complete.ts';
import css from './editor.module.css';
import { applyChanges, type TextChange } from './form/edit-text.ts';
import { LensForm } from './form/LensForm.tsx';
import { PublishedNotice } from './PublishedNotice.tsx';
import { TryDraftForm } from './TryDraftForm.tsx';
import type { YamlFault } from './YamlEditor.tsx';

const YamlEditor = lazyPart(() => import('./YamlEditor.tsx'));

export function LensEditPage() {
  const { name } = useParams({ from: '/app/lenses/$name/edit' });
  const { draft, as } = useSearch({ from: '/app/lenses/$name/edit' });
  const { data, error, refetch } = useQuery(createEditedLensQuery(name, draft));
  const titleOf = useLensTitle();
  const title = `Edit ${titleOf(name)}`;
  if (error)
    return (
      <Page title={title}>
        <ErrorState fault={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data)
    return (
      <Page title={title}>
        <LoadingState lines={10} />
      </Page>
    );
  return <EditPageBody key={draft ?? ''} name={name} editedLens={data} first={as ?? 'form'} />;
}

function EditPageBody({ name, editedLens, first: initialView }: { name: string; editedLens: EditedLens; first: View }) {
  const titleOf = useLensTitle();
  const navigate = useNavigate();
  const schema = useQuery(lensSchemaQuery);
  const lens = useQuery({ ...createLensQuery(name), retry: false });
  const [text, setText] = useState(editedLens.text);
  const [draft, setDraft] = useState<Draft | null>(editedLens.draft);
  const [savedText, setSavedText] = useState(editedLens.text);
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const [view, setView] = useState<View>(initialView);
  const [undo, setUndo] = useState<string[]>([]);
  const hasUnsavedText = text !== savedText;
  const change = (changes: TextChange[]) => {
    const changedText = applyChanges(text, changes);
    if (changedText === text) return;
    setUndo((texts) => [...texts.slice(-MAX_UNDO_STEPS), text]);
    setText(changedText);
  };
  const goToLine = (line: number) => {
    setView('yaml');
    setGoTo({ line });
  };
  useBlocker({
    shouldBlockFn: () => hasUnsavedText && !window.confirm('Changes since the last check are not saved. Leave anyway?'),
    enableBeforeUnload: hasUnsavedText,
  });
  const check = useMutation({
    mutationFn: async (draftText: string) => {
      const savedDraft = await saveDraft(name, draft, draftText);
      setDraft(savedDraft);
      setSavedText(draftText);
      return { text: draftText, ...(await validateDraft(name, savedDraft)) };
    },
  });
  const publishMutation = useMutation({
    mutationFn: () => publishDraft(name, draft!),
    onSuccess: () => {
      for (const resource of ['lenses', 'versions', 'drafts', 'version', 'editing'])
        void queryClient.invalidateQueries({ queryKey: [resource], refetchType: 'none' });
    },
  });
  // At each pause in typing, the page saves and checks the draft.
  const [debouncedText] = useDebouncedValue(text, DEBOUNCE_MS);
  const checkedText = useRef(editedLens.text);
  const { mutate, isPending } = check;
  useEffect(() => {
    if (debouncedText !== text || text === savedText || text === checkedText.current || isPending) return;
    checkedText.current = text; // prevents the page from repeating a failed check automatically
    mutate(text);
  }, [debouncedText, text, savedText, isPending, mutate]);
  const checkResult = check.data && !check.isPending ? check.data : null;
  const isCurrent = checkResult !== null && checkResult.text === text;
  const names =
    lens.data?.schema.datasets.flatMap(({ name: dataset, fields }) =>
      fields.map((field) => `${dataset}.${field.name}`),
    ) ?? [];
  if (publishMutation.data)
    return <PublishedNotice name={name} origin={editedLens.origin} version={publishMutation.data.version} />;
  return (
    <Page
      wide
      title={`Edit ${titleOf(name)}`}
      description="Answers use your changes only after you publish them."
      actions={
        <>
          <Button variant="default" onClick={() => saveFile('lens.yaml', text, 'application/yaml')}>
            Download
          </Button>
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate(text)}>
            Check
          </Button>
          <Button
            disabled={!isCurrent || !checkResult.valid}
            loading={publishMutation.isPending}
            onClick={() => publishMutation.mutate()}
          >
            Publish
          </Button>
          <Button
            variant="subtle"
            onClick={() => void navigate({ to: '/lenses/$name', params: { name }, search: { tab: 'drafts' } })}
          >
            Close
          </Button>
        </>
      }
    >
      <div className={css.two}>
        <div>
          <LensTabs
            {...{ name, text, view, lineTarget: goTo, undoTexts: undo, schema, names }}
            faults={isCurrent ? checkResult.problems : EMPTY_LIST}
            onView={(newView) => {
              setGoTo(null);
              setUndo([]);
              setView(newView);
            }}
            onUndo={() => {
              setText(undo.at(-1)!);
              setUndo(undo.slice(0, -1));
            }}
            onText={setText}
            onChange={change}
            onCheck={check.mutate}
            onGoToLine={goToLine}
          />
        </div>
        <div className={css.side} aria-live="polite">
          <h2>Checks</h2>
          {(check.error ?? publishMutation.error) && <ErrorState fault={check.error ?? publishMutation.error} />}
          {checkResult ? (
            <CheckResult
              name={name}
              editedLens={editedLens}
              validation={checkResult}
              isStale={!isCurrent}
              onGoToLine={goToLine}
            />
          ) : (
            <p>Problems and changes appear here shortly after each edit.</p>
          )}
          {draft && checkResult?.valid && (
            <TryDraftForm name={name} draft={draft} samples={lens.data?.sample_questions ?? []} />
          )}
        </div>
      </div>
    </Page>
  );
}
/** Shows the form and the text editor, which change the same text. */
function LensTabs(props: {
  name: string;
  text: string;
  view: View;
  lineTarget: { line: number } | null;
  undoTexts: string[];
  schema: UseQueryResult<JsonSchema>;
  names: string[];
  faults: YamlFault[];
  onView: (view: View) => void;
  onUndo: () => void;
  onText: (text: string) => void;
  onChange: (changes: TextChange[]) => void;
  onCheck: (text: string) => void;
  onGoToLine: (line: number) => void;
}) {
  const { name, text, view, schema } = props;
  return (
    <Tabs value={view} onChange={(newView) => props.onView(newView as View)} keepMounted={false}>
      <div className={css.views}>
        <Tabs.List>
          <Tabs.Tab value="form">Form</Tabs.Tab>
          <Tabs.Tab value="yaml">YAML</Tabs.Tab>
        </Tabs.List>
        {view === 'form' && (
          <Button size="xs" variant="default" disabled={props.undoTexts.length === 0} onClick={props.onUndo}>
            Undo
          </Button>
        )}
      </div>
      <Tabs.Panel value="form">
        <LensForm name={name} text={text} names={props.names} onChange={props.onChange} onGoToLine={props.onGoToLine} />
      </Tabs.Panel>
      <Tabs.Panel value="yaml">
        {schema.error ? (
          <ErrorState fault={schema.error} onRetry={() => void schema.refetch()} />
        ) : schema.data ? (
          <Suspense fallback={<LoadingState lines={10} />}>
            <YamlEditor
              label={`lens.yaml of ${name}`}
              text={text}
              onText={props.onText}
              onCheck={props.onCheck}
              schema={schema.data}
              names={props.names}
              faults={props.faults}
              lineTarget={props.lineTarget}
            />
          </Suspense>
        ) : (
          <LoadingState lines={10} />
        )}
        <p className={css.hint}>
          Ctrl+Space shows suggestions. Ctrl+S checks and saves a draft. To leave the editor, press Escape, then Tab.
        </p>
      </Tabs.Panel>
    </Tabs>
  );
}
const EMPTY_LIST: never[] = [];
const DEBOUNCE_MS = 1000;
const MAX_UNDO_STEPS = 50;
type View = 'form' | 'yaml';
