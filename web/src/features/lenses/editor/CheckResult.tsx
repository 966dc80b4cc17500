import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { canManage, sessionQuery } from '../../../api/session.ts';
import { BeforeAfter } from '../../../ui/BeforeAfter.tsx';
import { Section } from '../../../ui/Page.tsx';
import { ErrorState, LoadingState } from '../../../ui/States.tsx';
import { computePlanWithText, type DraftValidation, type EditedLens } from './api.ts';
import css from './editor.module.css';

export function CheckResult(props: {
  name: string;
  editedLens: EditedLens;
  validation: DraftValidation & { text: string };
  isStale: boolean;
  onGoToLine: (line: number) => void;
}) {
  const { validation, editedLens } = props;
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!validation.valid)
    return (
      <section aria-label="Problems">
        <h2>{validation.problems.length === 1 ? 'One problem' : `${validation.problems.length} problems`}</h2>
        <ul className={css.problems}>
          {validation.problems.map(({ line, column, message, pointer }) => (
            <li key={`${line} ${column} ${pointer} ${message}`}>
              <button type="button" onClick={() => props.onGoToLine(line)}>
                <strong>Line {line}</strong> {message}
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <>
      <p role="status">
        {props.isStale
          ? 'The text has changed since the last check.'
          : 'The check passed: every column exists, and every metric runs.'}
      </p>
      {validation.warnings.length > 0 && (
        <ul className={css.problems} aria-label="Warnings">
          {validation.warnings.map((warning) => (
            <li key={warning}>
              <CheckWarning text={warning} onGoTo={props.onGoToLine} />
            </li>
          ))}
        </ul>
      )}
      <section aria-label="Changes">
        <h2>{validation.changes.length === 0 ? 'No changes in meaning' : 'Changes'}</h2>
        <ul className={css.changes}>
          {validation.changes.map(({ kind, name, action, changes }) => (
            <li key={kind + name} className={css.changed}>
              {`${kind.replaceAll('_', ' ')} ${name}: ${action}`}
              {action === 'changed' && (
                <BeforeAfter changes={changes.map(({ member, before, after }) => ({ label: member, before, after }))} />
              )}
            </li>
          ))}
        </ul>
      </section>
      {canManage(session) && editedLens.origin === 'file' && validation.changes.length > 0 && !props.isStale && (
        <AnswerChanges name={props.name} text={validation.text} />
      )}
    </>
  );
}

/** Shows a warning without the name of its file, because the file is open in the editor. */
function CheckWarning({ text, onGoTo }: { text: string; onGoTo: (line: number) => void }) {
  const [, line, message] = /^lenses\/[^/]+\/lens\.yaml:(\d+): ([\s\S]*)$/.exec(text) ?? [];
  if (!line) return <p className={css.warning}>{text}</p>;
  return (
    <button type="button" className={css.warning} onClick={() => onGoTo(Number(line))}>
      <strong>Line {line}</strong> {message}
    </button>
  );
}

function AnswerChanges({ name, text }: { name: string; text: string }) {
  const { data, error } = useQuery({
    queryKey: ['plan', name, text],
    queryFn: () => computePlanWithText(name, text),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Section
      title="Answers before and after"
      description="svc ran the certified entries and evals of this lens on both versions."
    >
      {error ? (
        <ErrorState fault={error} />
      ) : !data ? (
        <LoadingState />
      ) : data.answer_changes.length === 0 ? (
        <p role="status">No answers change.</p>
      ) : (
        <ul className={css.changes}>
          {data.answer_changes.map(({ kind, id, before, after }) => (
            <li key={kind + id} className={css.changed}>
              <strong>{id}</strong> ({kind})
              <BeforeAfter changes={[{ label: 'answer', before, after }]} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
