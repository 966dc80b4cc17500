import { useQuery } from '@tanstack/react-query';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { matchesTypedText, SearchMenu, useSearchMenu } from '../../../ui/SearchList.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { createLensQuery, useValues } from '../api/lenses.ts';
import { createInquiryWithChoice, type ScopeChip } from '../lib/plan-chips.ts';
import {
  createBreakdownRefinements,
  getPlanWithoutQuestion,
  listAdjacentPeriods,
  PERIOD_HINT,
  suggestPeriods,
} from '../lib/refine-plan.ts';
import css from './ask.module.css';
import { DateRange } from './DateRange.tsx';

export function ChangeChip(props: { chip: ScopeChip; envelope: Envelope; onAsk: (asked: Inquiry) => void }) {
  const { chip, envelope } = props;
  return chip.change ? <ChangeMenu {...props} change={chip.change} lens={envelope.lens!} /> : chip.label;
}

function ChangeMenu(props: {
  chip: ScopeChip;
  change: NonNullable<ScopeChip['change']>;
  envelope: Envelope;
  lens: string;
  onAsk: (inquiry: Inquiry) => void;
}) {
  const { chip, change, envelope, lens } = props;
  const { kind, field } = change;
  const menu = useSearchMenu();
  const { values, error } = useValues(lens, field, menu.typed, menu.opened && kind === 'value');
  const detail = useQuery({ ...createLensQuery(lens), enabled: menu.opened && kind === 'group' });
  const plan = getPlanWithoutQuestion(envelope);
  const choices = {
    value: () => (values ?? []).map((value) => ({ label: value, value })),
    group: () =>
      (plan && detail.data ? createBreakdownRefinements(plan, detail.data) : [])
        .filter(({ label }) => matchesTypedText(label, menu.typed))
        .map(({ label, body }) => ({ label, value: String(body.dimensions?.at(-1)) })),
    period: () => suggestPeriods(menu.typed, listAdjacentPeriods(envelope.scope!.time!)),
  };
  return (
    <SearchMenu
      menu={menu}
      button={
        <button type="button" className={css.chipText} aria-label={`Change ${chip.label}`}>
          {chip.label}
        </button>
      }
      label={`Instead of ${chip.label}`}
      placeholder={kind === 'period' ? PERIOD_HINT : 'Search'}
      options={choices[kind]().map((choice) => ({
        key: choice.value,
        label: showHiddenCharacters(choice.label),
        take: () => props.onAsk(createInquiryWithChoice(lens, chip, choice)),
      }))}
      {...(kind === 'period' && {
        footer: (close) => (
          <DateRange
            initial={envelope.scope!.time}
            onTake={(period) => {
              close();
              props.onAsk(createInquiryWithChoice(lens, chip, period));
            }}
          />
        ),
      })}
      note={kind === 'period' ? PERIOD_HINT : (error?.message ?? ((values || detail.data) && 'No matches.'))}
    />
  );
}
