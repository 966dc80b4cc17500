import type { CompletedWord, Completion } from '../lib/use-completion.ts';
import css from './reading.module.css';

const WORD_KINDS: Record<string, { label: string; className: string | undefined }> = {
  metric: { label: 'metric', className: css.metric },
  dimension: { label: 'field', className: css.dimension },
  value: { label: 'value', className: css.value },
  time: { label: 'period', className: css.time },
  rank: { label: 'ranking', className: css.rank },
  unresolved: { label: 'unknown', className: css.unresolved },
};

/** A text box can't mark words. Therefore, this copy of its text lies behind the text box and marks them. */
export function MarkedText({ text, words }: { text: string; words: CompletedWord[] }) {
  const markedWords = words.filter(({ kind }) => kind in WORD_KINDS);
  return (
    <div className={css.marked} aria-hidden="true">
      {markedWords.map((word, index) => (
        <span key={word.start}>
          {text.slice(markedWords[index - 1]?.end ?? 0, word.start)}
          <mark className={WORD_KINDS[word.kind]!.className}>{text.slice(word.start, word.end)}</mark>
        </span>
      ))}
      {text.slice(markedWords.at(-1)?.end ?? 0)}
    </div>
  );
}

export function QuestionReading(props: {
  completion: Completion;
  lensTitle: string;
  onReplace: (word: CompletedWord, text: string) => void;
}) {
  const { sentence, words } = props.completion;
  const knownWords = words.filter(({ kind }) => kind in WORD_KINDS && kind !== 'unresolved');
  const unresolved = words.filter(({ kind }) => kind === 'unresolved');
  if (knownWords.length + unresolved.length === 0 && !sentence) return null;
  return (
    <div className={css.reading} role="status" aria-label="How svc interprets the question">
      {sentence && unresolved.length === 0 ? (
        <p className={css.sentence}>
          <span className={css.quiet}>Interpreted as </span>
          {sentence}
        </p>
      ) : (
        <ul className={css.words} aria-label="Words that svc understands">
          {knownWords.map(({ text, start, kind }) => (
            <li key={start} className={`${css.word} ${WORD_KINDS[kind]!.className}`}>
              {text} <span className={css.quiet}>{WORD_KINDS[kind]!.label}</span>
            </li>
          ))}
        </ul>
      )}
      {unresolved.map((word) => (
        <p key={word.start} className={css.unknown}>
          <span>
            <span className={css.unresolved}>{word.text}</span> isn’t in {props.lensTitle}.
            {(word.candidates ?? []).length > 0 && ' Did you mean:'}
          </span>
          {(word.candidates ?? []).map(({ text, kind }) => (
            <button
              type="button"
              key={kind + text}
              className={css.candidate}
              onClick={() => props.onReplace(word, text)}
            >
              {text}
            </button>
          ))}
        </p>
      ))}
    </div>
  );
}
