// Compares the facts of a lens with the lens. A draft inferred a fact, the database declared it, or a person confirmed
// it. If a fact has no entry, an author of the lens wrote it.
import { createHash } from 'node:crypto';
import type { FactFile } from '../../contract/files/lens-file.ts';
import type { ProblemReporter } from '../files/yaml-file.ts';
import { inferAdditivity } from './aggregation.ts';
import {
  findDataset,
  findField,
  type LensDataset,
  type LensFact,
  type LensField,
  type LensModel,
  type LensRelationship,
} from './lens.ts';

/** Returns the entries that still match the lens. Adds a warning for each other entry. */
export function compileFacts(entries: readonly FactFile[], lens: LensModel, add: ProblemReporter): LensFact[] {
  const seenFacts = new Set<string>();
  return entries.flatMap(({ by: _by, at: _at, ...entry }, index): LensFact[] => {
    const fact = normalizeFact(entry);
    const warn = (message: string) => add(['facts', index], 'stale_fact', message, { severity: 'warning' });
    const claims = listClaims(fact, lens);
    const subject = `${fact.kind} of ${fact.of}`;
    if (!claims.some((claim) => claim === fact.says)) {
      warn(
        claims.length > 0
          ? `The lens now says ${claims.map((item) => `"${item}"`).join(' or ')} for the ${subject}, but this entry has "${fact.says}". Remove the entry.`
          : `The lens no longer has the ${subject}, so this entry does not apply. Remove the entry.`,
      );
      return [];
    }
    const key = JSON.stringify([fact.kind, fact.of, fact.kind === 'join' && fact.says]);
    if (seenFacts.has(key)) {
      add(['facts', index], 'duplicate', `The ${subject} has two entries. Keep one.`);
      return [];
    }
    seenFacts.add(key);
    return [fact];
  });
}

/** Normalizes an entry for comparisons. Removes the quotes around column names. */
export const normalizeFact = <F extends Pick<LensFact, 'kind' | 'of' | 'says'>>(fact: F): F => ({
  ...fact,
  of: formatColumnList(fact.of),
  says: fact.kind === 'join' || fact.kind === 'key' ? formatColumnList(fact.says) : fact.says,
});

/**
 * Returns what the lens states about the subject of a fact. For a join, the result can have several claims, because
 * several joins can start at the same columns.
 */
export function listClaims({ kind, of, says }: Pick<LensFact, 'kind' | 'of' | 'says'>, lens: LensModel): string[] {
  if (kind === 'join') return findJoinsFrom(lens, of).map((join) => createJoinFact(join).says);
  const [name = '', fieldName = ''] = of.split('.');
  const dataset = findDataset(lens, name);
  if (!dataset) return [];
  if (kind === 'key') return dataset.primaryKey.length > 0 ? [formatColumnList(dataset.primaryKey.join())] : [];
  if (kind === 'time_field') return dataset.timeField ? [dataset.timeField] : [];
  const field = findField(dataset, fieldName);
  if (!field) return [];
  if (kind === 'aggregation') return [describeAggregation(field, dataset, says)];
  if (kind === 'unit') return field.unit ? [field.unit] : [];
  if (kind === 'codes') return formatCodedValues(field.dictionary?.values ?? []);
  return [field.expression ? formatExpression(field.expression) : field.datatype];
}

/**
 * Returns the declared aggregation. If the lens declares none, returns "sum" for the claim "sum", and otherwise the
 * aggregation that the field's name suggests.
 */
const describeAggregation = (field: LensField, dataset: LensDataset, claim: string): string =>
  field.aggregation ?? (claim === 'sum' ? claim : inferAdditivity(field, dataset).how);

/** Returns the facts that have no entry, because the author of the lens wrote them. */
export function listAuthoredFacts(lens: LensModel & { facts?: readonly LensFact[] }): FactClaim[] {
  const factClaims = (fact: Omit<FactClaim, 'says'>): FactClaim[] =>
    listClaims({ ...fact, says: '' }, lens).map((claim) => ({ ...fact, says: claim }));
  const allClaims = [
    ...lens.relationships.map((relationship): FactClaim => ({ kind: 'join', ...createJoinFact(relationship) })),
    ...lens.datasets.flatMap(({ name, fields }) => [
      ...(['key', 'time_field'] as const).flatMap((kind) => factClaims({ kind, of: name })),
      ...fields.flatMap((field) => [
        ...(['unit', 'codes'] as const).flatMap((kind) => factClaims({ kind, of: `${name}.${field.name}` })),
        ...(field.aggregation ? factClaims({ kind: 'aggregation', of: `${name}.${field.name}` }) : []),
        ...(field.expression ? factClaims({ kind: 'reading', of: `${name}.${field.name}` }) : []),
      ]),
    ]),
  ];
  const markedKeys = new Set(lens.facts?.map(({ kind, of, says }) => JSON.stringify([kind, of, says])));
  return allClaims.filter(({ kind, of, says }) => !markedKeys.has(JSON.stringify([kind, of, says])));
}
export type FactClaim = Pick<LensFact, 'kind' | 'of' | 'says'>;

export const createJoinFact = ({ from, to }: Pick<LensRelationship, 'from' | 'to'>): { of: string; says: string } => ({
  of: formatColumnList(from.columns.map((column) => `${from.dataset}.${column}`).join()),
  says: formatColumnList(to.columns.map((column) => `${to.dataset}.${column}`).join()),
});

const joinsBySourceCache = new WeakMap<readonly LensRelationship[], Map<string, LensRelationship[]>>();
/** Returns the joins that start at these columns. Caches them, because a lens can have thousands of joins. */
function findJoinsFrom({ relationships }: Pick<LensModel, 'relationships'>, sourceColumns: string): LensRelationship[] {
  let cachedJoins = joinsBySourceCache.get(relationships);
  if (!cachedJoins) {
    cachedJoins = new Map();
    for (const relationship of relationships) {
      const source = createJoinFact(relationship).of;
      cachedJoins.set(source, [...(cachedJoins.get(source) ?? []), relationship]);
    }
    joinsBySourceCache.set(relationships, cachedJoins);
  }
  return cachedJoins.get(sourceColumns) ?? [];
}
export const findFactJoin = (
  lens: Pick<LensModel, 'relationships'>,
  { of, says }: Pick<LensFact, 'of' | 'says'>,
): LensRelationship | undefined => findJoinsFrom(lens, of).find((join) => createJoinFact(join).says === says);

/**
 * Creates an ID that remains the same while the fact is unchanged. If several joins start at the same columns, the ID
 * also contains the target.
 */
export function createFactId(
  lens: Pick<LensModel, 'relationships'>,
  { kind, of, says }: Pick<LensFact, 'kind' | 'of' | 'says'>,
): string {
  const slug = (text: string): string => text.replaceAll(', ', '+').replaceAll(' ', '_');
  const isAmbiguous = kind === 'join' && findJoinsFrom(lens, of).length > 1;
  return `${kind}:${slug(of)}${isAmbiguous ? `:${slug(says)}` : ''}`;
}

/** Writes `orders."Customer No",orders.line` as `orders.Customer No, orders.line`. */
export const formatColumnList = (text: string): string =>
  text
    .split(',')
    .map((part) => part.replaceAll('"', '').trim())
    .join(', ');

/**
 * Writes values with synonyms in the order of the file: `1=open, 2=closed|done`. Returns an empty list if no value has
 * synonyms.
 */
export function formatCodedValues(values: readonly { value: unknown; synonyms: readonly string[] }[]): string[] {
  const namedValues = values.filter(({ synonyms }) => synonyms.length > 0);
  return namedValues.length > 0
    ? [shortenFactText(namedValues.map(({ value, synonyms }) => `${value}=${synonyms.join('|')}`).join(', '))]
    : [];
}
export const formatExpression = (expression: string): string => shortenFactText(expression);

const MAX_FACT_LENGTH = 200;
/**
 * Puts the text on one line. Shortens long text and appends a digest, so that changes in the removed part remain
 * visible.
 */
function shortenFactText(text: string): string {
  const line = text.replace(/[\s\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return line.length <= MAX_FACT_LENGTH
    ? line
    : `${line.slice(0, MAX_FACT_LENGTH - 20)}… #${createHash('sha256').update(line).digest('hex').slice(0, 8)}`;
}
