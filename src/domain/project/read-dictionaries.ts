// Dictionaries never contain values of masked fields or of fields under a row policy, because clarification options
// must not show hidden values.
import type { DialectName } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { columnOf } from '../../dialects/make-nodes.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { createProgressReporter, type ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { ProblemFactory } from '../../lens/files/yaml-file.ts';
import { findDataset, findField, type Lens, type LensField, SVC_CALLER } from '../../lens/model/lens.ts';
import { toSqlName } from '../../lens/model/sql-name.ts';
import { createGovernedRelations } from '../../lens/policies/governed-relations.ts';
import { createDidYouMeanHint } from '../../platform/closest-names.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { Warehouse } from '../ports.ts';
import { findFilterConstants } from './find-filter-constants.ts';

// svc truncates a longer list, and a query then checks whether other values exist.
export const MAX_DICTIONARY_VALUES = 5_000;
const DICTIONARY_READ_LIMITS = { maxRows: MAX_DICTIONARY_VALUES, maxBytes: 4_000_000, timeoutMs: 15_000 };
const MAX_CONCURRENT_READS = 3; // a warehouse has few sessions, and one must stay free for asks
// The limit for each lens lets svc serve a lens with many fields on a slow warehouse.
const DICTIONARIES_BUDGET_MS = 60_000;
export interface ReadDictionary {
  dataset: string;
  field: string;
  values: string[];
  complete: boolean;
}
export const toDictionaryRows = (lensId: string, dictionaries: readonly ReadDictionary[]) =>
  dictionaries.map(({ dataset, field, values, complete }) => ({ lens_id: lensId, dataset, field, values, complete }));

/** The synonyms in the lens's file stay. */
export function withDictionaries(compiled: Lens, dictionaries: readonly ReadDictionary[]): Lens {
  const lens = structuredClone(compiled);
  for (const dictionary of dictionaries) {
    const field = lens.datasets
      .find(({ name }) => name === dictionary.dataset)
      ?.fields.find(({ name }) => name === dictionary.field);
    if (!field?.dictionaryFromWarehouse || field.masked) continue;
    const declaredSynonyms = new Map(field.dictionary?.values.map((entry) => [entry.value, entry.synonyms]));
    field.dictionary = {
      values: dictionary.values.map((value) => ({ value, synonyms: declaredSynonyms.get(value) ?? [] })),
      complete: dictionary.complete,
    };
  }
  return Object.freeze(lens);
}

/** An unreadable field only causes a warning, because each ask reads the values from the warehouse. */
export async function readDictionaries(
  lens: Lens,
  warehouse: Warehouse,
  {
    report,
    concurrency = MAX_CONCURRENT_READS,
    shouldRead = (field) => field.dictionaryFromWarehouse && !field.masked,
  }: { report?: ProgressReporter | undefined; concurrency?: number; shouldRead?: (field: LensField) => boolean } = {},
): Promise<{ dictionaries: ReadDictionary[]; warnings: string[] }> {
  const dictionaryFields = lens.datasets.flatMap((dataset) =>
    dataset.fields.filter(shouldRead).map((field) => ({ dataset, field })),
  );
  const relations = await createGovernedRelations(lens, SVC_CALLER);
  const warnings: string[] = [];
  const startedAt = performance.now();
  let skippedCount = 0;
  const dictionaries = await mapInParallel(
    dictionaryFields,
    concurrency,
    async ({ dataset, field }): Promise<ReadDictionary | null> => {
      if (performance.now() - startedAt > DICTIONARIES_BUDGET_MS) {
        skippedCount++;
        return null;
      }
      try {
        const statement = await guardSql(writeValuesQuery(lens.dialect, dataset.name, field), {
          dialect: lens.dialect,
          relations,
          mode: 'govern',
          maxRows: MAX_DICTIONARY_VALUES,
        });
        const { rows, more, bytesCut } = await warehouse.fetch(statement, DICTIONARY_READ_LIMITS);
        return {
          dataset: dataset.name,
          field: field.name,
          values: rows.map(([cell]) => String(cell)).sort(),
          complete: !more && !bytesCut,
        };
      } catch (error) {
        warnings.push(
          `svc could not read the values of ${dataset.name}.${field.name} in lens ${lens.name} (${(error as Error).message}). For questions about these values, svc queries the warehouse instead.`,
        );
        return null;
      }
    },
    createProgressReporter(report, 'values'),
  );
  if (skippedCount > 0)
    warnings.push(
      `svc could not read the values of ${skippedCount} of ${dictionaryFields.length} fields of ${lens.name} within the time limit. For questions about these values, svc queries the warehouse instead.`,
    );
  return { dictionaries: dictionaries.filter((dictionary) => dictionary !== null), warnings };
}

/** Selects each spelling of a string once, even if the engine treats several spellings as equal. */
function writeValuesQuery(dialect: DialectName, dataset: string, { name, datatype }: LensField): string {
  const { compiling, writeExpression } = findDialect(dialect);
  const column = toSqlName(dialect, name);
  const rowsClause = `from ${toSqlName(dialect, dataset)} where ${column} is not null`;
  const { exactText, textKey } = datatype === 'string' ? compiling : { exactText: null, textKey: null };
  // With GROUP BY, the engine would read the whole table. With DISTINCT, it stops when it has enough values.
  if (textKey)
    return `select distinct ${column} as value, ${writeExpression(textKey(columnOf(name)))} as spelling ${rowsClause}`;
  return `select distinct ${exactText ? writeExpression(exactText(columnOf(name))) : column} as value ${rowsClause}`;
}

/**
 * Warns about listed values and constants of filters that the column doesn't have, and about synonyms that are other
 * stored values.
 */
export async function findAbsentValues(
  lens: Lens,
  warehouse: Warehouse,
  problemAt: ProblemFactory,
): Promise<ProjectProblem[]> {
  const constants = await findFilterConstants(lens);
  const comparedFields = new Set(constants.map(({ field }) => field));
  const { dictionaries } = await readDictionaries(lens, warehouse, {
    shouldRead: (field) =>
      comparedFields.has(field) || (field.dictionary !== null && ['string', 'integer'].includes(field.datatype)),
  });
  const toComparableText = (text: string): string =>
    // Engines whose dialect has `exactText` ignore case in comparisons.
    findDialect(lens.dialect).compiling.exactText ? text.toLowerCase() : text;
  return dictionaries.flatMap(({ dataset, field, values, complete }) => {
    const lensField = findField(findDataset(lens, dataset)!, field)!;
    const listedValues = lensField.dictionary?.values ?? [];
    const storedValues = new Set(values.map(toComparableText));
    const absentValues = listedValues.filter(({ value }) => !storedValues.has(toComparableText(value)));
    const storedSynonyms = listedValues.flatMap(({ value, synonyms }) =>
      synonyms
        .filter((synonym) => storedValues.has(synonym) && synonym.toLowerCase() !== value.toLowerCase())
        .map(
          (synonym) => `"${synonym}" is a stored value, but is listed as a synonym of "${value}". List it as a value.`,
        ),
    );
    const warn = (message: string) =>
      problemAt(['datasets', dataset, 'fields', field, 'values'], 'absent_value', message, { severity: 'warning' });
    const names = absentValues.slice(0, 5).map(({ value }) => `"${value}"`);
    if (absentValues.length > names.length) names.push(`${absentValues.length - names.length} more`);
    return [
      ...(complete && values.length > 0 && names.length > 0
        ? [warn(`No row of ${dataset}.${field} has the value ${names.join(' or ')}. Correct or remove it in values.`)]
        : []),
      ...storedSynonyms.map(warn),
      ...constants
        .filter((item) => item.field === lensField && !storedValues.has(toComparableText(item.value)))
        .flatMap(({ value, at }) =>
          complete && values.length > 0
            ? [
                problemAt(
                  at,
                  'absent_value',
                  `No row of ${dataset}.${field} has the value "${value}".${createDidYouMeanHint(value, values)}`,
                  { severity: 'warning' },
                ),
              ]
            : [],
        ),
    ];
  });
}
