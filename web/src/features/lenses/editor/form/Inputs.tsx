// Inputs that report a change only when the person pauses typing.
import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 500;

export function DebouncedTextInput(props: {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | undefined;
  multiline?: boolean;
  code?: boolean;
  onSet: (value: string) => void;
}) {
  const value = props.value ?? '';
  const [typed, setTyped] = useState(value);
  const lastValue = useRef(value);
  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value; // `value` changed through "Undo" or an edit of the YAML
    setTyped(value);
  }, [value]);
  const reportValue = useDebouncedCallback(
    (next: string) => {
      if (next.trim() === lastValue.current) return;
      lastValue.current = next.trim();
      props.onSet(next.trim());
    },
    { delay: DEBOUNCE_MS, flushOnUnmount: true },
  );
  const Box = props.multiline ? Textarea : TextInput;
  return (
    <Box
      label={props.label}
      description={props.description}
      placeholder={props.placeholder}
      value={typed}
      {...(props.multiline ? { autosize: true, minRows: 2 } : {})}
      {...(props.code ? { spellCheck: false } : {})}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        reportValue(currentTarget.value);
      }}
      onBlur={() => reportValue.flush()}
    />
  );
}

export const DebouncedTagsInput = (props: {
  label: string;
  description?: string;
  value: string[] | undefined;
  onSet: (values: string[]) => void;
}) => (
  <TagsInput
    label={props.label}
    description={props.description ?? 'Type a word, then press Enter'}
    value={props.value ?? []}
    onChange={props.onSet}
    acceptValueOnBlur
    splitChars={[',']}
  />
);
