// The facts of a draft that can change a number, each with its origin.
import type { FactFile } from '../../../contract/files/lens-file.ts';
import { formatCodedValues, formatColumnList, formatExpression } from '../../../lens/model/facts.ts';
import type { ColumnCodes } from '../columns/codes.ts';
import type { NamedTable } from '../columns/schema-words.ts';
import type { DraftedRelationship } from './draft-relationships.ts';

const MAX_EVIDENCE_LENGTH = 500;
export const createFact = (
  kind: FactFile['kind'],
  subject: string,
  claim: string,
  evidence: string,
  isDeclared = false,
): FactFile => ({
  ...{ kind, of: subject, says: claim, origin: isDeclared ? 'declared' : 'inferred' },
  evidence: evidence.replace(/\s+/g, ' ').slice(0, MAX_EVIDENCE_LENGTH),
});

export function createKeyFacts(dataset: string, { primaryKey, foundKeyRows }: NamedTable): FactFile[] {
  if (primaryKey.length === 0) return [];
  const isDeclared = foundKeyRows === undefined;
  const evidence = isDeclared ? 'declared as a key' : `unique and never empty in ${foundKeyRows} rows`;
  return [createFact('key', dataset, formatColumnList(primaryKey.join()), evidence, isDeclared)];
}

export const createJoinFact = ({ join, body: { from, to }, evidence }: DraftedRelationship): FactFile =>
  createFact(
    'join',
    formatColumnList([from].flat().join()),
    formatColumnList([to].flat().join()),
    evidence,
    join.declared,
  );

export const createUnitFact = (subject: string, unit: string, commentUnit: string | null): FactFile =>
  createFact('unit', subject, unit, unit === commentUnit ? 'column comment' : 'its name', unit === commentUnit);

/** Creates facts only for codes with a meaning, which comes from the column's comment. */
export const createCodeFacts = (subject: string, values: ColumnCodes['values']): FactFile[] =>
  formatCodedValues(values.flatMap((value) => (typeof value === 'object' ? [value] : []))).map((claim) =>
    createFact('codes', subject, claim, 'column comment', true),
  );

export const createConversionFact = (subject: string, expression: unknown, evidence: string): FactFile =>
  createFact('reading', subject, formatExpression(String(expression)), evidence);
