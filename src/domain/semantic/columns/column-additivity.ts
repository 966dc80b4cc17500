// Decides how a draft aggregates the numbers of a column. For a semi-additive column, such as a stock level, the
// decision also depends on the rows. Each inference becomes a fact, so that answers show which facts they depend on.
import type { Aggregation } from '../../../contract/files/lens-file.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import { type Additivity, inferAdditivity, inferAdditivityFromName } from '../../../lens/model/aggregation.ts';
import { statesAggregation } from '../../../lens/model/measure-words.ts';
import type { CatalogColumn, CatalogTable } from '../../ports.ts';
import type { RowClassification } from './classify-rows.ts';
import { findUnitInComment } from './comment-words.ts';

export interface ColumnAdditivity {
  how: Additivity['how'];
  /** True if the lens would otherwise infer another aggregation from the column's name. */
  mustBeWritten: boolean;
  /** Null if svc asks for clarification before it sums or averages the column. */
  fact: { aggregation: Aggregation; declared: boolean; evidence: string } | null;
}

/** This name suggests no aggregation, so only the comment and its unit decide. */
const NEUTRAL_COLUMN_NAME = 'thing';

export function findColumnAdditivity(
  column: Pick<CatalogColumn, 'name' | 'comment'> & { datatype: Datatype | null; synonyms: readonly string[] },
  table: CatalogTable,
  rows: RowClassification,
): ColumnAdditivity {
  const field = { ...column, description: column.comment, unit: findUnitInComment(column.comment) };
  const tableShape = { name: table.table, primaryKey: table.primaryKey, fields: table.columns };
  const inferredAggregation = inferAdditivity(field, tableShape).how;
  const byName = inferAdditivityFromName(field, tableShape);
  const { how, evidence } = decideAggregation(byName, inferredAggregation, rows);
  const byComment = inferAdditivityFromName({ ...field, name: NEUTRAL_COLUMN_NAME, synonyms: [] }, tableShape);
  const declaredAggregation =
    byName !== null && byName === how && byComment === how && statesAggregation(column.comment ?? '');
  const aggregation = how === 'unknown' ? inferredAggregation : how;
  return {
    how,
    mustBeWritten: how !== 'unknown' && (how !== 'sum' || inferredAggregation !== 'sum'),
    fact:
      aggregation === 'unknown'
        ? null
        : {
            aggregation,
            declared: declaredAggregation,
            evidence: declaredAggregation ? 'column comment' : how === 'unknown' ? 'its name' : evidence,
          },
  };
}

function decideAggregation(
  byName: Aggregation | null,
  inferredAggregation: Additivity['how'],
  rows: RowClassification,
) {
  if (byName === 'latest') {
    const additivity = rows.kind === 'things' ? 'sum' : rows.kind === 'unknown' ? 'unknown' : 'latest';
    return { how: additivity, evidence: `its name suggests a level, and ${rows.evidence}` } as const;
  }
  if (byName)
    return {
      how: byName,
      evidence: `inferred from its name${byName === 'sum' ? ': each row has its own amount' : ''}`,
    };
  const isCount = inferredAggregation === 'sum' && rows.kind !== 'series' && rows.kind !== 'repeated';
  return isCount
    ? ({ how: 'sum', evidence: 'its name suggests a count' } as const)
    : ({ how: 'unknown', evidence: '' } as const);
}
