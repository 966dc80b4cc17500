import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { canCurate, sessionQuery } from '../../../api/session.ts';
import { formatTimestamps } from '../../../api/user-messages.ts';
import { CertifiedBadge, GradeBadge, StatusBadge } from '../../../ui/Badges.tsx';
import type { ChartView } from '../../../ui/Chart.tsx';
import { formatDay } from '../../../ui/format.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { useLensTitle } from '../api/lenses.ts';
import { createInquiryWithoutChip, createScopeChips } from '../lib/plan-chips.ts';
import { createPeriodRefinement, createPlanInquiry, getPlanWithoutQuestion } from '../lib/refine-plan.ts';
import { AnswerActions } from './AnswerActions.tsx';
import css from './ask.module.css';
import { ChangeChip } from './ChangeChip.tsx';
import { Evidence } from './Evidence.tsx';
import { RefineButton } from './RefineButton.tsx';
import { Result } from './Result.tsx';
import { SetAggregationButton } from './SetAggregationButton.tsx';
import { UnconfirmedFacts } from './Unconfirmed.tsx';

/** People who may see the entry get a link to its SQL, approver and approval date. */
function CertifiedLink({ envelope: { lens, certified_id } }: { envelope: Envelope }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session || !canCurate(session) || !lens || !certified_id) return <CertifiedBadge />;
  return (
    <Link to="/certified" search={{ lens, entry: certified_id }}>
      <CertifiedBadge />
    </Link>
  );
}

export function Answer(props: {
  envelope: Envelope;
  inquiry: Inquiry;
  onAsk: (inquiry: Inquiry) => void;
  onAskAgain: () => void;
  onFollowUp: () => void;
}) {
  const { envelope, onAsk } = props;
  const chartRef = useRef<ChartView>(null);
  const titleOfLens = useLensTitle();
  const { confidence, certification, data_as_of, routing, warnings, truncated } = envelope;
  return (
    <div className={css.card}>
      <div className={css.grades}>
        <GradeBadge confidence={confidence} />
        {hasNoData(envelope) && <StatusBadge status="no_data" />}
        {certification === 'certified' && <CertifiedLink envelope={envelope} />}
        {envelope.lens && <span className={css.hint}>{titleOfLens(envelope.lens)}</span>}
        {data_as_of && <span className={css.hint}>Data as of {formatDay(data_as_of)}</span>}
      </div>
      <Result envelope={envelope} onAsk={onAsk} chartRef={chartRef} />
      <AnswerSentence envelope={envelope} />
      <LastYearSuggestion envelope={envelope} onAsk={onAsk} />
      <UnconfirmedFacts envelope={envelope} onAgain={props.onAskAgain} />
      {routing && <p className={css.hint}>{routing.why}</p>}
      {(warnings.length > 0 || truncated) && (
        <ul className={css.warnings}>
          {truncated && (
            <li>
              {truncated.total === null
                ? `This answer includes only the first ${truncated.returned} rows. There are more.`
                : `This answer includes only ${truncated.returned} of ${truncated.total} rows.`}
            </li>
          )}
          {warnings.map((warning) => (
            <li key={warning}>{formatTimestamps(warning)}</li>
          ))}
        </ul>
      )}
      <SetAggregationButton envelope={envelope} inquiry={props.inquiry} />
      <div className={css.tools}>
        <div className={css.actions}>
          <AnswerScope envelope={envelope} onAsk={onAsk} />
          <RefineButton envelope={envelope} onAsk={onAsk} />
        </div>
        <AnswerActions envelope={envelope} inquiry={props.inquiry} chartRef={chartRef} onFollowUp={props.onFollowUp} />
      </div>
      <Evidence envelope={envelope} />
    </div>
  );
}

const hasNoData = ({ data, empty }: Envelope): boolean =>
  empty !== null || (data ?? []).every((row) => Object.values(row).every((cell) => cell === null));

function LastYearSuggestion({ envelope, onAsk }: { envelope: Envelope; onAsk: (inquiry: Inquiry) => void }) {
  const { lens, data_as_of, scope } = envelope;
  const plan = getPlanWithoutQuestion(envelope);
  const year = data_as_of?.slice(0, 4);
  if (!hasNoData(envelope) || !lens || !plan?.time || !year || scope?.time?.from.startsWith(year)) return null;
  return (
    <Button
      className={css.all}
      size="xs"
      variant="default"
      onClick={() => onAsk(createPlanInquiry(lens, createPeriodRefinement(plan, year)))}
    >
      Ask for {year}, the last year with data
    </Button>
  );
}

/** The sentence leaves out the rows, because the table or chart shows them. */
function AnswerSentence({ envelope: { answer, scope, data, columns, certification } }: { envelope: Envelope }) {
  if (!answer) return null;
  const reading = scope?.sentence.replace(/[.\s]+$/, '');
  const [row] = data ?? [];
  const firstValueText = row && columns?.[0] ? `: ${row[columns[0].name]}` : null;
  const hasRowsInText = (data?.length ?? 0) > 1 && reading && firstValueText && answer.includes(firstValueText);
  if (hasRowsInText && certification === 'certified') return null; // without its rows, the sentence of a certified answer only repeats the question
  return <p className={css.sentence}>{showHiddenCharacters(hasRowsInText ? `${reading}.` : answer)}</p>;
}

function AnswerScope({ envelope, onAsk }: { envelope: Envelope; onAsk: (inquiry: Inquiry) => void }) {
  const chips = createScopeChips(envelope);
  const policies = envelope.scope?.row_policies ?? [];
  if (chips.length + policies.length === 0) return null;
  return (
    <ul className={css.chips} aria-label="Scope of the answer">
      {chips.map((chip) => {
        const inquiryWithoutPart = createInquiryWithoutChip(chip, envelope);
        return (
          <li key={chip.key} className={css.chip}>
            <ChangeChip chip={chip} envelope={envelope} onAsk={onAsk} />
            {inquiryWithoutPart && (
              <button
                type="button"
                aria-label={`Ask again without ${chip.label}`}
                onClick={() => onAsk(inquiryWithoutPart)}
              >
                <IconX size={13} stroke={2.25} aria-hidden="true" />
              </button>
            )}
          </li>
        );
      })}
      {policies.map((policy) => (
        <li key={policy} className={css.chip}>
          only rows that you can see ({policy})
        </li>
      ))}
    </ul>
  );
}
