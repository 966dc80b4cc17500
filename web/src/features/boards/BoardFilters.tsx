// The board's filters as chips, and a menu that adds one: a field of one of its lenses, then a value.
import { Button, Menu, ScrollArea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { lensQuery, valuesQuery } from '../ask/api/lenses.ts';
import askCss from '../ask/components/ask.module.css';
import { type BoardFilter, fieldLabel, filterableFields } from './board-filter.ts';
import css from './boards.module.css';

const MAX_VALUES = 50;

export function BoardFilters({ lenses, filter }: { lenses: string[]; filter: BoardFilter }) {
  const navigate = useNavigate({ from: '/boards/$id' });
  const details = useQueries({ queries: lenses.map((lens) => lensQuery(lens)) });
  const lensOf = new Map<string, string>();
  for (const { data } of details)
    for (const field of data ? filterableFields(data) : []) if (!lensOf.has(field)) lensOf.set(field, data!.name);
  const go = (to: BoardFilter) =>
    void navigate({ search: Object.keys(to).length > 0 ? { filter: to } : {}, replace: true, resetScroll: false });
  const without = (field: string, value: string): BoardFilter => {
    const left = (filter[field] ?? []).filter((item) => item !== value);
    const { [field]: _, ...others } = filter;
    return left.length > 0 ? { ...others, [field]: left } : others;
  };
  if (lensOf.size === 0) return null;
  return (
    <div className={css.filters}>
      <AddFilter
        lensOf={lensOf}
        onTake={(field, value) => go({ ...without(field, value), [field]: [...(filter[field] ?? []), value] })}
      />
      {Object.entries(filter).flatMap(([field, values]) =>
        values.map((value) => (
          <span key={`${field} ${value}`} className={askCss.chip}>
            {fieldLabel(field)} is {showHiddenCharacters(value)}
            <button
              type="button"
              aria-label={`Remove the filter ${fieldLabel(field)} is ${value}`}
              onClick={() => go(without(field, value))}
            >
              <IconX size={13} stroke={2.25} aria-hidden="true" />
            </button>
          </span>
        )),
      )}
    </div>
  );
}

function AddFilter(props: { lensOf: Map<string, string>; onTake: (field: string, value: string) => void }) {
  const [opened, setOpened] = useState(false);
  const [field, setField] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const change = (open: boolean) => {
    setOpened(open);
    setField(null);
    setTyped('');
  };
  const fields = [...props.lensOf.keys()].filter((key) => fieldLabel(key).includes(typed.trim().toLowerCase()));
  return (
    <Menu position="bottom-start" opened={opened} onChange={change} closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Search
          key={field}
          size="xs"
          aria-label={field ? `A value of ${fieldLabel(field)}` : 'A field to filter by'}
          placeholder={field ? `Search ${fieldLabel(field)}` : 'Search fields'}
          autoFocus={field !== null}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <ScrollArea.Autosize mah={280}>
          {field ? (
            <Values
              lens={props.lensOf.get(field)!}
              field={field}
              typed={typed}
              onTake={(value) => {
                props.onTake(field, value);
                change(false);
              }}
            />
          ) : (
            fields.map((field) => (
              <Menu.Item
                key={field}
                onClick={() => {
                  setField(field);
                  setTyped('');
                }}
              >
                {fieldLabel(field)} <span className={askCss.hint}>{field.split('.')[0]}</span>
              </Menu.Item>
            ))
          )}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

function Values(props: { lens: string; field: string; typed: string; onTake: (value: string) => void }) {
  const [q] = useDebouncedValue(props.typed.trim(), 200);
  const { data, error } = useQuery(valuesQuery(props.lens, props.field, q, MAX_VALUES));
  if (error) return <p className={askCss.hint}>{error.message}</p>;
  if (data?.length === 0) return <p className={askCss.hint}>No matching values.</p>;
  return data?.map((value) => (
    <Menu.Item key={value} onClick={() => props.onTake(value)}>
      {showHiddenCharacters(value)}
    </Menu.Item>
  ));
}
