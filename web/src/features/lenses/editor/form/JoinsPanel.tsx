// Each join goes from the many side to the one side. If two datasets have several joins, each join has a role name.
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { createFactRemoval, type EditableLens, type YamlPath } from './edit-text.ts';
import css from './form.module.css';
import { DebouncedTextInput } from './Inputs.tsx';
import type { PanelProps } from './Panels.tsx';

/** `names` are the fields of the published lens. The edited text doesn't contain the fields of shared entities. */
export function JoinsPanel({ lens, onChange, names }: PanelProps & { names: string[] }) {
  const [adding, setAdding] = useState<{ from: string | null; to: string | null } | null>(null);
  const joins = lens.relationships ?? [];
  const fields = [...new Set([...listFields(lens), ...names])];
  const joinColumns = (columns: string | string[] | undefined): string => [columns ?? ''].flat().join(', ');
  return (
    <>
      {joins.length === 0 && !adding && (
        <p className={css.quiet}>
          {Object.keys(lens.datasets ?? {}).length > 1
            ? 'No joins yet. Add a join so that a question can use two datasets.'
            : 'This lens has only one dataset, so you can’t add a join.'}
        </p>
      )}
      <ul className={css.joins}>
        {joins.map(({ name, from, to }, index) => {
          const path: YamlPath = ['relationships', index];
          const facts = createFactRemoval(lens, 'join', joinColumns(from));
          const joinText = `${joinColumns(from)} → ${joinColumns(to)}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two joins may be equal, so only the position identifies a join
            <li key={index} className={css.join}>
              {typeof from === 'string' && typeof to === 'string' ? (
                <div className={css.pair}>
                  <JoinSideSelect
                    label="From (many)"
                    fields={fields}
                    value={from}
                    onSet={(value) => onChange([{ path: [...path, 'from'], value }, ...facts])}
                  />
                  <JoinSideSelect
                    label="To (one)"
                    fields={fields}
                    value={to}
                    onSet={(value) => onChange([{ path: [...path, 'to'], value }, ...facts])}
                  />
                </div>
              ) : (
                <p>{joinText}</p>
              )}
              <div className={css.pair}>
                <DebouncedTextInput
                  label="Name (optional)"
                  placeholder="origin, as in origin city"
                  value={name}
                  onSet={(value) => onChange([{ path: [...path, 'name'], value: value || undefined }])}
                />
                <Button
                  size="sm"
                  variant="default"
                  aria-label={`Remove the join ${joinText}`}
                  onClick={() => onChange([{ path: path, value: undefined }, ...facts])}
                >
                  Remove
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {adding ? (
        <div className={css.join}>
          <div className={css.pair}>
            <JoinSideSelect
              label="From (many)"
              fields={fields}
              value={adding.from}
              onSet={(from) => setAdding({ ...adding, from })}
            />
            <JoinSideSelect
              label="To (one)"
              fields={fields}
              value={adding.to}
              onSet={(to) => setAdding({ ...adding, to })}
            />
          </div>
          <div className={css.buttons}>
            <Button
              size="sm"
              disabled={!adding.from || !adding.to}
              onClick={() => {
                onChange([{ path: ['relationships'], value: [...joins, adding] }]);
                setAdding(null);
              }}
            >
              Add
            </Button>
            <Button size="sm" variant="subtle" onClick={() => setAdding(null)}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <div>
          <Button size="sm" variant="default" onClick={() => setAdding({ from: null, to: null })}>
            Add a join
          </Button>
        </div>
      )}
    </>
  );
}

const JoinSideSelect = (props: {
  label: string;
  fields: string[];
  value: string | null;
  onSet: (value: string) => void;
}) => (
  <Select
    label={props.label}
    searchable
    data={props.value && !props.fields.includes(props.value) ? [props.value, ...props.fields] : props.fields}
    value={props.value}
    allowDeselect={false}
    onChange={(value) => value && props.onSet(value)}
  />
);

const listFields = ({ datasets }: EditableLens): string[] =>
  Object.entries(datasets ?? {}).flatMap(([dataset, { fields }]) =>
    Object.keys(fields ?? {}).map((name) => `${dataset}.${name}`),
  );
