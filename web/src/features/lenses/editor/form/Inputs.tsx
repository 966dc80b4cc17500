// Inputs that report changes after a pause in typing, so that each pause is one change of the text.
import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 500;

export function TextBox(given: {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | undefined;
  lines?: boolean;
  code?: boolean;
  onSet: (value: string) => void;
}) {
  const value = given.value ?? '';
  const [typed, setTyped] = useState(value);
  const known = useRef(value);
  useEffect(() => {
    if (value === known.current) return;
    known.current = value; // from elsewhere: Undo, or the YAML
    setTyped(value);
  }, [value]);
  const set = useDebouncedCallback(
    (next: string) => {
      if (next.trim() === known.current) return;
      known.current = next.trim();
      given.onSet(next.trim());
    },
    { delay: PAUSE_MS, flushOnUnmount: true },
  );
  const Box = given.lines ? Textarea : TextInput;
  return (
    <Box
      label={given.label}
      description={given.description}
      placeholder={given.placeholder}
      value={typed}
      {...(given.lines ? { autosize: true, minRows: 2 } : {})}
      {...(given.code ? { spellCheck: false } : {})}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        set(currentTarget.value);
      }}
      onBlur={() => set.flush()}
    />
  );
}

export const Words = (given: {
  label: string;
  description?: string;
  value: string[] | undefined;
  onSet: (v: string[]) => void;
}) => (
  <TagsInput
    label={given.label}
    description={given.description ?? 'Type a word, then press Enter'}
    value={given.value ?? []}
    onChange={given.onSet}
    acceptValueOnBlur
    splitChars={[',']}
  />
);
