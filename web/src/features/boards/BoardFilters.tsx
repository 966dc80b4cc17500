import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { matchesTypedText, SearchMenu, useSearchMenu } from '../../ui/SearchList.tsx';
import { createLensQuery, useValues } from '../ask/api/lenses.ts';
import askCss from '../ask/components/ask.module.css';
import { formatFieldName, listFilterableFields } from '../ask/lib/refine-plan.ts';
import type { BoardFilter } from './board-filter.ts';
import css from './boards.module.css';

export function useBoardFilters(lenses: string[], filter: BoardFilter) {
  const navigate = useNavigate({ from: '/boards/$id' });
  const details = useQueries({ queries: lenses.map((lens) => createLensQuery(lens)) });
  const lensOf = new Map<string, string>();
  for (const { data } of details)
    for (const field of data ? listFilterableFields(data) : []) if (!lensOf.has(field)) lensOf.set(field, data!.name);
  const openWithFilter = (newFilter: BoardFilter) =>
    void navigate({
      search: Object.keys(newFilter).length > 0 ? { filter: newFilter } : {},
      replace: true,
      resetScroll: false,
    });
  const filterWithout = (field: string, value: string): BoardFilter => {
    const remainingValues = (filter[field] ?? []).filter((item) => item !== value);
    const { [field]: _, ...others } = filter;
    return remainingValues.length > 0 ? { ...others, [field]: remainingValues } : others;
  };
  const add = lensOf.size > 0 && (
    <AddFilterMenu
      lensByField={lensOf}
      onTake={(field, value) =>
        openWithFilter({ ...filterWithout(field, value), [field]: [...(filter[field] ?? []), value] })
      }
    />
  );
  const chips = lensOf.size > 0 && Object.keys(filter).length > 0 && (
    <div className={css.filters}>
      {Object.entries(filter).flatMap(([field, values]) =>
        values.map((value) => (
          <span key={`${field} ${value}`} className={askCss.chip}>
            {formatFieldName(field)} is {showHiddenCharacters(value)}
            <button
              type="button"
              aria-label={`Remove the filter ${formatFieldName(field)} is ${value}`}
              onClick={() => openWithFilter(filterWithout(field, value))}
            >
              <IconX size={13} stroke={2.25} aria-hidden="true" />
            </button>
          </span>
        )),
      )}
    </div>
  );
  return { add, chips };
}

function AddFilterMenu(props: { lensByField: Map<string, string>; onTake: (field: string, value: string) => void }) {
  const [field, setField] = useState<string | null>(null);
  const menu = useSearchMenu(() => setField(null));
  const { values, error } = useValues(
    props.lensByField.get(field ?? '') ?? '',
    field ?? '',
    menu.typed,
    field !== null,
  );
  const fields = [...props.lensByField.keys()].filter((key) => matchesTypedText(formatFieldName(key), menu.typed));
  return (
    <SearchMenu
      menu={menu}
      button={<Button variant="default">Add filter</Button>}
      label={field ? `Value of ${formatFieldName(field)}` : 'Field to filter by'}
      placeholder={field ? `Search ${formatFieldName(field)}` : 'Search fields'}
      options={
        field
          ? (values ?? []).map((value) => ({
              key: value,
              label: showHiddenCharacters(value),
              take: () => props.onTake(field, value),
            }))
          : fields.map((key) => ({
              key,
              label: formatFieldName(key),
              hint: key.split('.')[0]!,
              staysOpen: true,
              take: () => {
                setField(key);
                menu.setTyped('');
              },
            }))
      }
      note={field ? (error?.message ?? (values && 'No matching values.')) : 'No matching fields.'}
    />
  );
}
