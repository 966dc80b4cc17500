// Changes a part of the ask in place: a value, a group, a period.
import { Menu, ScrollArea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import type { Asked, Envelope } from '../api/ask.ts';
import { lensQuery, valuesQuery } from '../api/lenses.ts';
import { askedWith, type Chip } from '../lib/plan-chips.ts';
import { adjacentPeriods, breakdowns, PERIODS, planOf } from '../lib/refine-plan.ts';
import css from './ask.module.css';

interface Choice {
  label: string;
  value: string;
}
const MAX_VALUES = 50;

export function ChangeChip(props: { chip: Chip; envelope: Envelope; onAsk: (asked: Asked) => void }) {
  const { chip, envelope } = props;
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  if (!chip.change) return chip.label;
  const { of } = chip.change;
  return (
    <Menu position="bottom-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <button type="button" className={css.chipText} aria-label={`Change ${chip.label}`}>
          {chip.label}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {of !== 'period' && (
          <Menu.Search
            size="xs"
            aria-label={`Instead of ${chip.label}`}
            placeholder="Search"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        )}
        <ScrollArea.Autosize mah={280}>
          {opened && (
            <Choices
              chip={chip}
              envelope={envelope}
              typed={typed.trim()}
              onTake={(choice) => props.onAsk(askedWith(envelope.lens!, chip, choice))}
            />
          )}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

function Choices(props: { chip: Chip; envelope: Envelope; typed: string; onTake: (choice: Choice) => void }) {
  const { chip, envelope, typed } = props;
  const { of, field } = chip.change!;
  const [q] = useDebouncedValue(typed, 200);
  const values = useQuery({ ...valuesQuery(envelope.lens!, field, q, MAX_VALUES), enabled: of === 'value' });
  const lens = useQuery({ ...lensQuery(envelope.lens!), enabled: of === 'group' });
  const plan = planOf(envelope);
  const choices: Record<typeof of, () => Choice[]> = {
    value: () => (values.data ?? []).map((value) => ({ label: value, value })),
    group: () =>
      plan && lens.data
        ? breakdowns(plan, lens.data).map(({ label, body }) => ({ label, value: String(body.dimensions?.at(-1)) }))
        : [],
    period: () => [
      ...adjacentPeriods(envelope.scope!.time!).map((period) => ({ label: period, value: period })),
      ...PERIODS.map(([label, value]) => ({ label, value })),
    ],
  };
  const found = choices[of]().filter(({ label }) => of === 'value' || label.includes(typed.toLowerCase()));
  if (values.error) return <p className={css.hint}>{values.error.message}</p>;
  return found.map((choice) => (
    <Menu.Item key={choice.value} onClick={() => props.onTake(choice)}>
      {showHiddenCharacters(choice.label)}
    </Menu.Item>
  ));
}
