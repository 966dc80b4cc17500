// The differences between two compiled lenses, by meaning instead of by line.

import type { z } from 'zod';
import type { lensChangeSchema } from '../../contract/mgmt/lenses.ts';
import { createFactId } from '../../lens/model/facts.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { toCanonicalJson } from '../receipts/canonical-json.ts';

export type LensChange = z.infer<typeof lensChangeSchema>;

const LENS_TOP_LEVEL_MEMBERS = [
  'title',
  'description',
  'connection',
  'model',
  'maxRowsToCompose',
  'maxRowsToReturn',
  'timezone',
  'dataAsOf',
  'freshFor',
  'sampleQuestions',
] as const;
/** Members that are derived from other members or come from the warehouse. */
const DERIVED_MEMBERS = new Set(['fields', 'references', 'home', 'dictionaryFromWarehouse', 'comparesAsText']);

export function diffLenses(before: Lens, after: Lens): LensChange[] {
  const lensChanges = findChangedMembers(selectTopLevelMembers(before), selectTopLevelMembers(after));
  return [
    ...(lensChanges.length > 0
      ? [{ kind: 'lens' as const, name: after.name, action: 'changed' as const, changes: lensChanges }]
      : []),
    ...diffLists('dataset', before.datasets, after.datasets, ({ name }) => name),
    ...diffLists('field', listFields(before.datasets), listFields(after.datasets), ({ path }) => path),
    ...diffLists(
      'relationship',
      before.relationships,
      after.relationships,
      ({ role, from }) => `${from.dataset} to ${role}`,
    ),
    ...diffLists('metric', before.metrics, after.metrics, ({ name }) => name),
    ...diffLists('definition', before.definitions, after.definitions, ({ term }) => term),
    ...diffLists('row_policy', before.rowPolicies, after.rowPolicies, ({ name }) => name),
    ...diffLists('fact', listFactsWithIds(before), listFactsWithIds(after), ({ id }) => id),
  ];
}

/** Returns one line for each change, such as `metric revenue: unit "EUR" -> "USD"`. */
export const describeLensChanges = (before: Lens, after: Lens): string[] =>
  diffLenses(before, after).map(({ kind, name, action, changes }) => {
    const subject = kind === 'lens' ? '' : `${kind.replace('_', ' ')} ${name}`;
    if (action !== 'changed') return `${subject} ${action}`;
    const details = changes
      .map(
        ({ member, before: valueBefore, after: valueAfter }) =>
          `${addSpacesToMemberName(member)} ${toShortText(valueBefore)} -> ${toShortText(valueAfter)}`,
      )
      .join(', ');
    return subject ? `${subject}: ${details}` : details;
  });

const listFactsWithIds = (lens: Lens) => (lens.facts ?? []).map((fact) => ({ id: createFactId(lens, fact), ...fact }));
const selectTopLevelMembers = (lens: Lens): Record<string, unknown> =>
  Object.fromEntries(LENS_TOP_LEVEL_MEMBERS.map((member) => [member, lens[member]]));
const listFields = (datasets: LensDataset[]) =>
  datasets.flatMap((dataset) =>
    dataset.fields.map(({ name, ...field }) => ({ path: `${dataset.name}.${name}`, ...field })),
  );

function diffLists<T extends object>(
  kind: LensChange['kind'],
  before: T[],
  after: T[],
  nameOf: (item: T) => string,
): LensChange[] {
  const oldByName = new Map(before.map((item) => [nameOf(item), item]));
  const newByName = new Map(after.map((item) => [nameOf(item), item]));
  const addedChanges = [...newByName].flatMap(([name, item]): LensChange[] => {
    const oldItem = oldByName.get(name);
    if (!oldItem) return [{ kind, name, action: 'added', changes: [] }];
    const changes = findChangedMembers(oldItem, item);
    return changes.length > 0 ? [{ kind, name, action: 'changed', changes }] : [];
  });
  const removedNames = [...oldByName.keys()].filter((name) => !newByName.has(name));
  return [...addedChanges, ...removedNames.map((name): LensChange => ({ kind, name, action: 'removed', changes: [] }))];
}

function findChangedMembers(before: object, after: object): LensChange['changes'] {
  const [previous, current] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(previous), ...Object.keys(current)])]
    .filter(
      (member) =>
        !DERIVED_MEMBERS.has(member) &&
        toCanonicalJson(previous[member] ?? null) !== toCanonicalJson(current[member] ?? null),
    )
    .map((member) => ({ member, before: previous[member] ?? null, after: current[member] ?? null }));
}

const addSpacesToMemberName = (member: string): string =>
  member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const toShortText = (value: unknown): string => {
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};
