import { MultiSelect } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { lensesQuery } from '../ask/api/lenses.ts';

export function CallerLensSelect({ value, onChange }: { value: string[]; onChange: (lenses: string[]) => void }) {
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  return (
    <MultiSelect
      label="Lenses that the caller can use"
      searchable
      data={lenses.map(({ name, title }) => ({ value: name, label: title }))}
      value={value}
      onChange={onChange}
    />
  );
}
