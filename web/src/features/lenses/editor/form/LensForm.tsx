import { Button, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../../../ui/States.tsx';
import { type EditableLens, type LensPart, parseLensText, type TextChange } from './edit-text.ts';
import css from './form.module.css';
import { JoinsPanel } from './JoinsPanel.tsx';
import { NewMetric, NewTerm } from './NewPart.tsx';
import { DatasetPanel, FieldPanel, GeneralPanel, MetricPanel, TermPanel } from './Panels.tsx';

export function LensForm(props: {
  name: string;
  text: string;
  names: string[];
  onChange: (changes: TextChange[]) => void;
  onGoToLine: (line: number) => void;
}) {
  const { part } = useSearch({ from: '/app/lenses/$name/edit' });
  const [chosen, setChosen] = useState((part ?? 'general') as LensPart);
  const [searchText, setSearchText] = useState('');
  const lens = parseLensText(props.text);
  if ('message' in lens)
    return (
      <EmptyState title="svc can’t read the YAML">
        {`Line ${lens.line}: ${lens.message} `}
        <Button size="xs" variant="default" onClick={() => props.onGoToLine(lens.line)}>
          Go to line
        </Button>
      </EmptyState>
    );
  const groups = listParts(lens, searchText.trim().toLowerCase());
  const isKnown = listParts(lens, '').some(({ parts }) => parts.some(({ id }) => id === chosen));
  const selectedPart = isKnown || chosen in ADD_LABELS ? chosen : 'general';
  return (
    <div className={css.form}>
      <nav className={css.things} aria-label="Parts of the lens">
        <TextInput
          aria-label="Search fields and metrics"
          placeholder="Search fields and metrics"
          size="xs"
          value={searchText}
          onChange={({ currentTarget: { value } }) => setSearchText(value)}
        />
        {groups.map(({ title, add, parts }) => (
          <div key={title}>
            <div className={css.group}>
              <p>{title}</p>
              {add && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-current={add === selectedPart || undefined}
                  onClick={() => setChosen(add)}
                >
                  {ADD_LABELS[add]}
                </Button>
              )}
            </div>
            {parts.map(({ id, label, note }) => (
              <button
                key={id}
                type="button"
                className={css.thing}
                aria-current={id === selectedPart || undefined}
                onClick={() => setChosen(id)}
              >
                <span>{label}</span>
                {note && <span className={css.note}>{note}</span>}
              </button>
            ))}
          </div>
        ))}
        {groups.length === 0 && <p className={css.quiet}>No matches.</p>}
      </nav>
      <section className={css.panel} aria-label="Form" key={selectedPart}>
        <PartPanel
          part={selectedPart}
          lens={lens}
          lensName={props.name}
          names={props.names}
          onChange={props.onChange}
          onAdded={setChosen}
        />
      </section>
    </div>
  );
}

function PartPanel(props: {
  part: LensPart;
  lens: EditableLens;
  lensName: string;
  names: string[];
  onChange: (changes: TextChange[]) => void;
  onAdded: (part: LensPart) => void;
}) {
  const { lens, lensName, onChange } = props;
  const [kind = '', first = '', second = ''] = props.part.split(' ');
  if (kind === 'new') {
    const NewPart = first === 'metric' ? NewMetric : NewTerm;
    return (
      <>
        <h2>{`New ${first}`}</h2>
        <NewPart lens={lens} onChange={onChange} onAdded={props.onAdded} />
      </>
    );
  }
  if (kind === 'term' && lens.definitions?.[Number(first)])
    return (
      <>
        <h2>{lens.definitions[Number(first)]!.term}</h2>
        <TermPanel lens={lens} onChange={onChange} index={Number(first)} />
      </>
    );
  if (kind === 'metric' && lens.metrics?.[first])
    return (
      <>
        <h2>{first}</h2>
        <MetricPanel lens={lens} onChange={onChange} name={first} />
      </>
    );
  if (kind === 'dataset' && lens.datasets?.[first])
    return (
      <>
        <h2>{first}</h2>
        <DatasetPanel lens={lens} onChange={onChange} name={first} lensName={lensName} />
      </>
    );
  if (kind === 'field' && lens.datasets?.[first]?.fields?.[second])
    return (
      <>
        <h2>
          {`${first}.${second}`}
          <span className={css.type}>{lens.datasets[first].fields[second].datatype}</span>
        </h2>
        <FieldPanel lens={lens} onChange={onChange} dataset={first} name={second} lensName={lensName} />
      </>
    );
  if (kind === 'joins')
    return (
      <>
        <h2>Joins</h2>
        <JoinsPanel lens={lens} onChange={onChange} names={props.names} />
      </>
    );
  return (
    <>
      <h2>Title and description</h2>
      <GeneralPanel lens={lens} onChange={onChange} />
    </>
  );
}

const ADD_LABELS = { 'new metric': 'Add metric', 'new term': 'Add term' };
interface PartGroup {
  title: string;
  add?: keyof typeof ADD_LABELS;
  parts: { id: LensPart; label: string; note?: string | undefined }[];
}

function listParts(lens: EditableLens, searchText: string): PartGroup[] {
  const joins = lens.relationships?.length ?? 0;
  const groups: PartGroup[] = [
    {
      title: 'Lens',
      parts: [
        { id: 'general', label: 'Title and description' },
        { id: 'joins', label: 'Joins', note: String(joins) },
      ],
    },
    {
      title: 'Metrics',
      add: 'new metric',
      parts: Object.entries(lens.metrics ?? {}).map(([name, metric]) => ({
        id: `metric ${name}`,
        label: name,
        note: metric?.unit,
      })),
    },
    {
      title: 'Terms',
      add: 'new term',
      parts: (lens.definitions ?? []).map(({ term }, index) => ({ id: `term ${index}`, label: term ?? '' })),
    },
    ...Object.entries(lens.datasets ?? {}).map(([dataset, datasetText]) => ({
      title: dataset,
      parts: [
        { id: `dataset ${dataset}` as const, label: 'Dataset' },
        ...Object.entries(datasetText?.fields ?? {}).map(([name, field]) => ({
          ...{ id: `field ${dataset} ${name}` as const, label: name },
          note: field?.mask ? 'masked' : (field?.unit ?? field?.datatype),
        })),
      ],
    })),
  ];
  return groups
    .map(({ parts, ...group }) => ({
      ...group,
      parts: parts.filter(({ label }) =>
        label.toLowerCase().replaceAll('_', ' ').includes(searchText.replaceAll('_', ' ')),
      ),
    }))
    .filter(({ add, parts }) => parts.length > 0 || (add && !searchText));
}
