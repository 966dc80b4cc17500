import { MultiSelect, Select, Switch } from '@mantine/core';
import {
  createFactRemoval,
  type EditableDataset,
  type EditableLens,
  type TextChange,
  toUndefinedIfEmpty,
  type YamlPath,
} from './edit-text.ts';
import css from './form.module.css';
import { DebouncedTagsInput, DebouncedTextInput } from './Inputs.tsx';
import { SampleRows } from './SampleRows.tsx';

export interface PanelProps {
  lens: EditableLens;
  onChange: (changes: TextChange[]) => void;
}
const NUMERIC_DATATYPES = new Set(['integer', 'number', 'decimal', 'float', 'double']);
const AGGREGATION_OPTIONS = [
  { value: 'sum', label: 'Sum: an amount, a quantity' },
  { value: 'average', label: 'Average: a rate, a price' },
  { value: 'latest', label: 'Latest: a balance, a stock level' },
  { value: 'none', label: 'None: a code, a year' },
];
const MAX_SAMPLE_FIELDS = 8;

const createMemberSetter =
  (onChange: PanelProps['onChange'], path: YamlPath) =>
  (member: string, otherChanges: TextChange[] = []) =>
  (value: string | string[] | null) =>
    onChange([
      { path: [...path, member], value: value === null ? undefined : toUndefinedIfEmpty(value) },
      ...otherChanges,
    ]);

export function GeneralPanel({ lens, onChange }: PanelProps) {
  const set = createMemberSetter(onChange, []);
  return (
    <>
      <DebouncedTextInput label="Title" value={lens.title} onSet={set('title')} />
      <DebouncedTextInput
        label="Description"
        description="Describe the subject of the data. svc uses the description to choose the lens for a question."
        multiline
        value={lens.description}
        onSet={set('description')}
      />
    </>
  );
}

export function MetricPanel({ lens, onChange, name }: PanelProps & { name: string }) {
  const metric = lens.metrics?.[name] ?? {};
  const set = createMemberSetter(onChange, ['metrics', name]);
  return (
    <>
      <DebouncedTextInput label="Description" multiline value={metric.description} onSet={set('description')} />
      <DebouncedTagsInput label="Synonyms" value={metric.synonyms} onSet={set('synonyms')} />
      <DebouncedTextInput
        label="Expression"
        description="An aggregate, such as sum(orders.sales)"
        code
        multiline
        value={metric.expression}
        onSet={set('expression')}
      />
      <DebouncedTextInput
        label="Only rows where"
        description="A condition, such as orders.status = 'paid'"
        code
        value={metric.filter}
        onSet={set('filter')}
      />
      <DebouncedTextInput label="Unit" placeholder="USD, percent, days" value={metric.unit} onSet={set('unit')} />
      <Select
        label="Date"
        description="The date that periods such as “last month” apply to"
        clearable
        clearButtonProps={{ 'aria-label': 'No date' }}
        data={Object.entries(lens.datasets ?? {}).flatMap(([dataset, datasetText]) =>
          listDateFields(datasetText).map((field) => `${dataset}.${field}`),
        )}
        value={metric.time_field ?? null}
        onChange={set('time_field')}
      />
    </>
  );
}

export function TermPanel({ lens, onChange, index }: PanelProps & { index: number }) {
  const term = lens.definitions?.[index] ?? {};
  const set = createMemberSetter(onChange, ['definitions', index]);
  return (
    <>
      <DebouncedTagsInput label="Synonyms" value={term.synonyms} onSet={set('synonyms')} />
      {term.senses ? (
        <>
          <p className={css.quiet}>This term has several meanings. To change them, edit the YAML.</p>
          <ul>
            {term.senses.map(({ label, meaning }) => (
              <li key={label}>{`${label}: ${meaning}`}</li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <DebouncedTextInput label="Meaning" multiline value={term.meaning} onSet={set('meaning')} />
          <Select
            label="Metric"
            clearable
            clearButtonProps={{ 'aria-label': 'No metric' }}
            data={Object.keys(lens.metrics ?? {})}
            value={term.metric ?? null}
            onChange={set('metric')}
          />
          <DebouncedTextInput
            label="Only rows where"
            description="A condition, such as orders.sales > 1000"
            code
            value={term.filter}
            onSet={set('filter')}
          />
        </>
      )}
    </>
  );
}

export function DatasetPanel({ lens, onChange, name, lensName }: PanelProps & { name: string; lensName: string }) {
  const dataset = lens.datasets?.[name] ?? {};
  const fields = Object.keys(dataset.fields ?? {});
  const set = createMemberSetter(onChange, ['datasets', name]);
  return (
    <>
      {dataset.entity && (
        <p className={css.quiet}>
          {`This dataset comes from the shared entity “${dataset.entity}”. To change it for all lenses, edit semantic/entities.yaml.`}
        </p>
      )}
      {!dataset.entity && (
        <>
          <DebouncedTextInput label="Description" multiline value={dataset.description} onSet={set('description')} />
          <DebouncedTagsInput label="Synonyms" value={dataset.synonyms} onSet={set('synonyms')} />
          <Select
            label="Date"
            description="The date of the event that each row describes"
            clearable
            clearButtonProps={{ 'aria-label': 'No date' }}
            data={listDateFields(dataset)}
            value={dataset.time_field ?? null}
            onChange={set('time_field', createFactRemoval(lens, 'time_field', name))}
          />
          <MultiSelect
            label="Key"
            description="The fields that identify a row"
            data={[...new Set([...fields, ...(dataset.primary_key ?? [])])]}
            value={dataset.primary_key ?? []}
            onChange={set('primary_key', createFactRemoval(lens, 'key', name))}
          />
        </>
      )}
      <SampleRows lens={lensName} dataset={name} fields={selectSampleFields(dataset).slice(0, MAX_SAMPLE_FIELDS)} />
    </>
  );
}

export function FieldPanel(props: PanelProps & { dataset: string; name: string; lensName: string }) {
  const { lens, onChange, dataset, name } = props;
  const datasetFile = lens.datasets?.[dataset] ?? {};
  const field = datasetFile.fields?.[name] ?? {};
  const fieldPath = ['datasets', dataset, 'fields', name];
  const set = createMemberSetter(onChange, fieldPath);
  const path = `${dataset}.${name}`;
  const otherFields = selectSampleFields(datasetFile).filter((shownField) => shownField !== name);
  return (
    <>
      <DebouncedTextInput label="Description" multiline value={field.description} onSet={set('description')} />
      <DebouncedTagsInput label="Synonyms" value={field.synonyms} onSet={set('synonyms')} />
      {NUMERIC_DATATYPES.has(field.datatype ?? '') && (
        <>
          <DebouncedTextInput
            label="Unit"
            placeholder="USD, percent, days"
            value={field.unit}
            onSet={set('unit', createFactRemoval(lens, 'unit', path))}
          />
          <Select
            label="Aggregation"
            description="How svc combines the values of several rows"
            placeholder="Inferred by svc"
            clearable
            clearButtonProps={{ 'aria-label': 'Let svc infer the aggregation' }}
            data={AGGREGATION_OPTIONS}
            value={field.aggregation ?? null}
            onChange={set('aggregation', createFactRemoval(lens, 'aggregation', path))}
          />
        </>
      )}
      <Switch
        label="Mask values"
        description="Answers never show the values of a masked field. Callers can still count distinct values."
        checked={field.mask ?? false}
        onChange={({ currentTarget: { checked } }) =>
          onChange([{ path: [...fieldPath, 'mask'], value: checked ? true : undefined }])
        }
      />
      {!field.mask && (
        <SampleRows
          lens={props.lensName}
          dataset={dataset}
          fields={[name, ...otherFields].slice(0, MAX_SAMPLE_FIELDS / 2)}
        />
      )}
    </>
  );
}

const listDateFields = ({ fields }: EditableDataset): string[] =>
  Object.entries(fields ?? {}).flatMap(([name, { datatype }]) => (datatype?.startsWith('date') ? name : []));
const selectSampleFields = ({ fields }: EditableDataset): string[] =>
  Object.entries(fields ?? {}).flatMap(([name, { mask }]) => (mask ? [] : name));
