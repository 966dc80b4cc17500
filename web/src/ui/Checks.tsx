import { IconAlertTriangle, IconCheck, IconHelp, IconMinus } from '@tabler/icons-react';
import { toUserMessage } from '../api/user-messages.ts';
import css from './checks.module.css';

const CHECK_NAMES: Record<string, string> = {
  lens_scope: 'The SQL stays within the lens',
  question_covered: 'svc understands every word',
  words_mean: 'The plan accounts for words such as “only” and “every”',
  terms_resolved: 'Terms have one meaning',
  values_known: 'Filter values exist',
  governed_metrics: 'Measures are metrics or plain aggregates',
  facts_confirmed: 'Facts are confirmed',
  joins_declared: 'Joins are declared',
  no_fan_out: 'No row is counted twice',
  measures_additive: 'Sums and averages are valid',
  counted_once: 'No rows of the counted items are left out',
  nulls_stated: 'Missing values don’t change the result',
  groups_complete: 'Averages include every group',
  names_distinct: 'Each name belongs to only one item',
  whole_question: 'The plan covers the whole question',
  reading_proven: 'svc’s own interpretation means the same',
  definitions_known: 'Acronyms and quoted terms are defined',
  rows_complete: 'No rows are missing',
  data_fresh: 'The data is up to date',
};
export const formatCheckName = (name: string): string => CHECK_NAMES[name] ?? name.replaceAll('_', ' ');
const CHECK_OUTCOMES = {
  pass: { word: 'passed', icon: IconCheck, look: css.pass },
  fail: { word: 'failed', icon: IconAlertTriangle, look: css.fail },
  unknown: { word: 'unknown', icon: IconHelp, look: css.unknown },
  not_applicable: { word: 'not applicable', icon: IconMinus, look: css.none },
} as const;

interface AnswerCheck {
  name: string;
  outcome: keyof typeof CHECK_OUTCOMES;
  detail: string;
}

/** A reason that several checks share, such as the approval of a certified entry, appears once, above the checks. */
export function Checks({ checks }: { checks: AnswerCheck[] }) {
  const shared = checks.find(({ detail }) => checks.filter((other) => other.detail === detail).length > 1)?.detail;
  return (
    <>
      {shared && <p className={css.shared}>{toUserMessage(shared)}</p>}
      <ul className={css.checks}>
        {checks.map(({ name, outcome, detail }) => {
          const { word, icon: Icon, look } = CHECK_OUTCOMES[outcome];
          return (
            <li key={name} className={look}>
              <Icon size={16} stroke={2} aria-hidden="true" />
              <div>
                <strong>{formatCheckName(name)}</strong> <span>{word}</span>
                {detail !== shared && <p>{toUserMessage(detail)}</p>}
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
