// The facts of a draft that can change a number, with their origin. The drafted lens contains these facts under
// `facts`.
import type { FactFile } from '../../../contract/files/lens-file.ts';
import { codesText, columnList, readingText } from '../../../lens/model/facts.ts';
import type { CatalogTable } from '../../ports.ts';
import type { ColumnAdditivity } from '../columns/column-additivity.ts';
import type { EventDate } from '../columns/event-date.ts';
import type { FoundKey } from '../joins/find-keys.ts';
import type { DraftJoin } from '../joins/prove-joins.ts';

const MAX_EVIDENCE_LENGTH = 500; // characters
const createFact = (
  kind: FactFile['kind'],
  subject: string,
  claim: string,
  isDeclared: boolean,
  evidence: string,
): FactFile => ({
  ...{ kind, of: subject, says: claim, origin: isDeclared ? 'declared' : 'inferred' },
  evidence: evidence.replace(/\s+/g, ' ').slice(0, MAX_EVIDENCE_LENGTH),
});

export function keyFacts(dataset: string, { primaryKey }: CatalogTable, foundKey: FoundKey | undefined): FactFile[] {
  if (primaryKey.length === 0) return [];
  const evidence = foundKey ? `unique and never empty in ${foundKey.rows} rows` : 'declared as a key';
  return [createFact('key', dataset, columnList(primaryKey.join()), !foundKey, evidence)];
}

export const joinFact = (
  ends: { from: string | string[]; to: string | string[] },
  { declared }: DraftJoin,
  evidence: string,
): FactFile =>
  createFact('join', columnList([ends.from].flat().join()), columnList([ends.to].flat().join()), declared, evidence);

export const dateFacts = (dataset: string, { column, reason }: EventDate): FactFile[] =>
  column ? [createFact('time_field', dataset, column, false, reason)] : [];

export const aggregationFacts = (subject: string, additivity: ColumnAdditivity | null): FactFile[] =>
  additivity?.fact
    ? [
        createFact(
          'aggregation',
          subject,
          additivity.fact.aggregation,
          additivity.fact.declared,
          additivity.fact.evidence,
        ),
      ]
    : [];

export const unitFacts = (subject: string, unit: string | null, commentUnit: string | null): FactFile[] =>
  unit
    ? [createFact('unit', subject, unit, unit === commentUnit, unit === commentUnit ? 'column comment' : 'its name')]
    : [];

/** Creates facts only for codes with a meaning. `evidence` is null if the meaning comes from the column's comment. */
export const codesFacts = (subject: string, values: readonly unknown[], evidence: string | null): FactFile[] =>
  codesText(values.flatMap((value) => (hasSynonyms(value) ? [value] : []))).map((claim) =>
    createFact('codes', subject, claim, evidence === null, evidence ?? 'column comment'),
  );
const hasSynonyms = (item: unknown): item is { value: unknown; synonyms: string[] } =>
  typeof item === 'object' && item !== null && 'synonyms' in item;

export const readingFact = (subject: string, expression: string, evidence: string): FactFile =>
  createFact('reading', subject, readingText(expression), false, evidence);
