import { ActionIcon, CloseButton, Combobox, Select, Textarea, useCombobox } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { LensSummary } from '../api/lenses.ts';
import { type CompletionSuggestion, type EarlierQuestions, useCompletion } from '../lib/use-completion.ts';
import css from './ask.module.css';
import { MarkedText, QuestionReading } from './QuestionReading.tsx';
import reading from './reading.module.css';

const ANY_LENS_OPTION = '';

export function AskBox(props: {
  text: string;
  onText: (text: string) => void;
  lens: string | null;
  onLens: (lens: string | null) => void;
  lenses: LensSummary[];
  followedQuestion: string | null;
  /** If true, the question can be a follow-up. */
  isConversation: boolean;
  earlierContext: EarlierQuestions | null;
  onCancelFollowUp: () => void;
  running: boolean;
  onAsk: (text: string) => void;
  onStop: () => void;
  textAreaRef: RefObject<HTMLTextAreaElement | null>;
}) {
  const { text, onText, lens, lenses, running } = props;
  const [cursor, setCursor] = useState(text.length);
  const { completion, suggestions } = useCompletion(
    { text, cursor: Math.min(cursor, text.length) },
    lens,
    lenses,
    props.earlierContext,
  );
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const submit = () => {
    combobox.closeDropdown();
    if (text.trim() && !running) props.onAsk(text.trim());
  };
  const write = (next: string, position: number) => {
    onText(next);
    setCursor(position);
    props.textAreaRef.current?.focus();
    requestAnimationFrame(() => props.textAreaRef.current?.setSelectionRange(position, position));
  };
  const takeSuggestion = (chosen: CompletionSuggestion) => {
    write(chosen.text, chosen.cursor);
    combobox.resetSelectedOption();
  };
  /** Tab completes the current word. Enter asks, or takes the completion that the arrow keys selected. */
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = combobox.dropdownOpened ? combobox.getSelectedOptionIndex() : -1;
    const offered = combobox.dropdownOpened ? suggestions[Math.max(chosen, 0)] : undefined;
    if (event.key === 'Tab' && !event.shiftKey && offered && (chosen >= 0 || offered.completesWord)) {
      event.preventDefault();
      takeSuggestion(offered);
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || chosen >= 0) return;
    event.preventDefault();
    submit();
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        const chosen = suggestions.find((suggestion) => suggestion.key === key);
        if (chosen) takeSuggestion(chosen);
      }}
      withinPortal={false}
      position="bottom-start"
      offset={8}
      shadow="md"
    >
      <Combobox.DropdownTarget>
        <form
          className={css.box}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {props.followedQuestion && (
            <p className={css.follows}>
              <span>
                Follow-up to <q>{props.followedQuestion}</q>
              </span>
              <CloseButton size="sm" aria-label="Ask a new question instead" onClick={props.onCancelFollowUp} />
            </p>
          )}
          <div className={reading.typed}>
            {completion && <MarkedText text={text} words={completion.words} />}
            <Combobox.EventsTarget>
              <Textarea
                ref={props.textAreaRef}
                variant="unstyled"
                autosize
                minRows={1}
                maxRows={6}
                aria-label="Your question"
                placeholder={
                  props.isConversation ? 'Ask a follow-up or a new question' : 'Ask a question about your data'
                }
                value={text}
                maxLength={10_000}
                classNames={{ input: css.input }}
                onChange={({ currentTarget }) => {
                  onText(currentTarget.value);
                  setCursor(currentTarget.selectionStart);
                  combobox.openDropdown();
                  combobox.resetSelectedOption();
                }}
                onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
                onBlur={() => combobox.closeDropdown()}
                onKeyDown={onKeyDown}
              />
            </Combobox.EventsTarget>
          </div>
          {completion && (
            <QuestionReading
              completion={completion}
              lensTitle={lenses.find(({ name }) => name === completion.lens)?.title ?? completion.lens}
              onReplace={({ start, end }, word) =>
                write(text.slice(0, start) + word + text.slice(end), start + word.length)
              }
            />
          )}
          <div className={css.boxFoot}>
            {lenses.length === 1 ? (
              <span className={css.hint}>{lenses[0]!.title}</span>
            ) : (
              <Select
                aria-label="Lens"
                size="xs"
                variant="filled"
                className={css.lens}
                allowDeselect={false}
                withCheckIcon={false}
                data={[
                  { value: ANY_LENS_OPTION, label: 'Any lens' },
                  ...lenses.map(({ name, title }) => ({ value: name, label: title })),
                ]}
                value={lens ?? ANY_LENS_OPTION}
                onChange={(value) => props.onLens(value || null)}
              />
            )}
            {running ? (
              <ActionIcon size="lg" radius="xl" variant="default" aria-label="Stop" onClick={props.onStop}>
                <IconPlayerStopFilled size={16} />
              </ActionIcon>
            ) : (
              <ActionIcon size="lg" radius="xl" type="submit" aria-label="Ask" disabled={!text.trim()}>
                <IconArrowUp size={18} stroke={2.25} />
              </ActionIcon>
            )}
          </div>
        </form>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={suggestions.length === 0}>
        <Combobox.Options mah={300} className={css.options} aria-label="Suggestions">
          {suggestions.map(({ key, label, hint }) => (
            <Combobox.Option value={key} key={key}>
              <span className={css.option}>
                <span>{label}</span>
                {hint && <span className={css.hint}>{hint}</span>}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
