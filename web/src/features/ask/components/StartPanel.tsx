import { Link } from '@tanstack/react-router';
import { useFileDropToDataPage } from '../../data/files/use-file-drop.ts';
import type { LensSummary } from '../api/lenses.ts';
import css from './ask.module.css';
import { Conversations } from './Conversations.tsx';

const MAX_SAMPLE_QUESTIONS = 8;

export function StartPanel(props: {
  lenses: LensSummary[];
  lens: string | null;
  mayAddData: boolean;
  onAsk: (q: string, lens: string) => void;
}) {
  const { lens } = props;
  const all = props.lenses
    .filter(({ name }) => !lens || name === lens)
    .flatMap(({ name, title, sample_questions }) =>
      sample_questions
        .slice(0, lens ? MAX_SAMPLE_QUESTIONS : MAX_SAMPLE_QUESTIONS / 2)
        .map((q) => ({ name, title, q })),
    )
    .slice(0, MAX_SAMPLE_QUESTIONS);
  const questions = all.slice(0, Math.max(1, all.length - (all.length % 2))); // an even number of questions, because each row shows two
  return (
    <div className={css.starts}>
      <section aria-label="Sample questions">
        <h2>Sample questions</h2>
        <div className={css.samples}>
          {questions.map(({ name, title, q }) => (
            <button type="button" key={name + q} className={css.sample} onClick={() => props.onAsk(q, name)}>
              <span>{q}</span>
              <span className={css.hint}>{title}</span>
            </button>
          ))}
        </div>
      </section>
      {props.mayAddData && <AddDataCard />}
      <Conversations />
    </div>
  );
}

function AddDataCard() {
  const isDragging = useFileDropToDataPage();
  return (
    <p className={css.ownData} data-over={isDragging || undefined}>
      <Link to="/data">Ask about your own data</Link>
      <span>Drop a CSV, JSON or Parquet file, or connect a database.</span>
    </p>
  );
}
