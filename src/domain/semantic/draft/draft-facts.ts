// The facts of a draft that can change a number, with their origin: `facts` in the drafted lens.
import type { FactFile } from '../../../contract/files/lens-file.ts';
import { codesText, columnList, readingText } from '../../../lens/model/facts.ts';
import type { CatalogTable } from '../../ports.ts';
import type { ColumnAdds } from '../columns/column-adds.ts';
import type { EventDate } from '../columns/event-date.ts';
import type { FoundKey } from '../joins/find-keys.ts';
import type { DraftJoin } from '../joins/prove-joins.ts';

const MAX_EVIDENCE_LENGTH = 500; // characters
const fact = (
  kind: FactFile['kind'],
  subject: string,
  claim: string,
  declared: boolean,
  evidence: string,
): FactFile => ({
  ...{ kind, of: subject, says: claim, origin: declared ? 'declared' : 'inferred' },
  evidence: evidence.replace(/\s+/g, ' ').slice(0, MAX_EVIDENCE_LENGTH),
});

export function keyFact(dataset: string, { primaryKey }: CatalogTable, found: FoundKey | undefined): FactFile[] {
  if (primaryKey.length === 0) return [];
  const evidence = found ? `unique and never empty in ${found.rows} rows` : 'declared as a key';
  return [fact('key', dataset, columnList(primaryKey.join()), !found, evidence)];
}

export const joinFact = (
  ends: { from: string | string[]; to: string | string[] },
  { declared }: DraftJoin,
  evidence: string,
): FactFile =>
  fact('join', columnList([ends.from].flat().join()), columnList([ends.to].flat().join()), declared, evidence);

export const dateFact = (dataset: string, { column, why }: EventDate): FactFile[] =>
  column ? [fact('time_field', dataset, column, false, why)] : [];

export const aggregationFact = (subject: string, adds: ColumnAdds | null): FactFile[] =>
  adds?.fact ? [fact('aggregation', subject, adds.fact.says, adds.fact.declared, adds.fact.evidence)] : [];

export const unitFact = (subject: string, unit: string | null, commented: string | null): FactFile[] =>
  unit ? [fact('unit', subject, unit, unit === commented, unit === commented ? 'column comment' : 'its name')] : [];

/** Only a comment gives codes a meaning. */
export const codesFact = (subject: string, values: readonly unknown[]): FactFile[] =>
  codesText(values.flatMap((value) => (hasSynonyms(value) ? [value] : []))).map((claim) =>
    fact('codes', subject, claim, true, 'column comment'),
  );
const hasSynonyms = (one: unknown): one is { value: unknown; synonyms: string[] } =>
  typeof one === 'object' && one !== null && 'synonyms' in one;

export const readingFact = (subject: string, expression: string, evidence: string): FactFile =>
  fact('reading', subject, readingText(expression), false, evidence);
