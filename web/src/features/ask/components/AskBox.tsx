// The box: one question, a lens picked or left to the service, completions while typing. Enter asks, Shift+Enter breaks.
import { ActionIcon, CloseButton, Combobox, Select, Textarea, useCombobox } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { LensSummary } from '../api/lenses.ts';
import { type Completion, completed } from '../lib/completions.ts';
import { useCompletions } from '../lib/use-completions.ts';
import css from './ask.module.css';

const ANY = '';

export function AskBox(given: {
  text: string;
  onText: (text: string) => void;
  lens: string | null;
  onLens: (lens: string | null) => void;
  lenses: LensSummary[];
  follows: string | null;
  onFollowNothing: () => void;
  running: boolean;
  onAsk: (text: string) => void;
  onStop: () => void;
  box: RefObject<HTMLTextAreaElement | null>;
}) {
  const { text, onText, lens, lenses, running } = given;
  const completions = useCompletions(text, lens, lenses);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const submit = () => {
    combobox.closeDropdown();
    if (text.trim() && !running) given.onAsk(text.trim());
  };
  const take = (chosen: Completion) => {
    onText(completed(text, chosen));
    combobox.closeDropdown();
    given.box.current?.focus();
  };
  const groups = [...new Set(completions.map(({ group }) => group))];
  return (
    <form
      className={css.box}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {given.follows && (
        <p className={css.follows}>
          <span>
            Following on from <q>{given.follows}</q>
          </span>
          <CloseButton size="sm" aria-label="Ask anew instead" onClick={given.onFollowNothing} />
        </p>
      )}
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          const chosen = completions[Number(value)];
          if (chosen) take(chosen);
        }}
        withinPortal={false}
        position="bottom-start"
        offset={52}
      >
        <Combobox.Target>
          <Textarea
            ref={given.box}
            variant="unstyled"
            autosize
            minRows={1}
            maxRows={6}
            aria-label="Your question"
            placeholder="Ask a question about your data"
            value={text}
            maxLength={10_000}
            classNames={{ input: css.input }}
            onChange={(event) => {
              onText(event.currentTarget.value);
              combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={(event) => {
              const choosing = combobox.dropdownOpened && combobox.getSelectedOptionIndex() >= 0;
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || choosing) return;
              event.preventDefault();
              submit();
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={completions.length === 0}>
          <Combobox.Options mah={300} className={css.options} aria-label="Suggestions">
            {groups.map((group) => (
              <Combobox.Group label={group} key={group}>
                {completions.map((one, index) =>
                  one.group === group ? (
                    <Combobox.Option value={String(index)} key={`${group} ${one.text} ${one.hint}`}>
                      <span className={css.option}>
                        <span>{one.text}</span>
                        {one.hint && <span className={css.hint}>{one.hint}</span>}
                      </span>
                    </Combobox.Option>
                  ) : null,
                )}
              </Combobox.Group>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div className={css.boxFoot}>
        <Select
          aria-label="Lens"
          size="xs"
          variant="filled"
          className={css.lens}
          allowDeselect={false}
          withCheckIcon={false}
          data={[
            { value: ANY, label: lenses.length === 1 ? lenses[0]!.title : 'Any lens' },
            ...(lenses.length > 1 ? lenses.map(({ name, title }) => ({ value: name, label: title })) : []),
          ]}
          value={lens ?? ANY}
          onChange={(value) => given.onLens(value || null)}
        />
        {running ? (
          <ActionIcon size="lg" radius="xl" variant="default" aria-label="Stop" onClick={given.onStop}>
            <IconPlayerStopFilled size={16} />
          </ActionIcon>
        ) : (
          <ActionIcon size="lg" radius="xl" type="submit" aria-label="Ask" disabled={!text.trim()}>
            <IconArrowUp size={18} stroke={2.25} />
          </ActionIcon>
        )}
      </div>
    </form>
  );
}
