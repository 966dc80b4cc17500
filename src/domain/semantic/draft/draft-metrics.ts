// If two tables have the same measure, the names of both metrics include the name of the table, to avoid ambiguity.
import type { DialectName } from '../../../contract/warehouse.ts';
import { splitNameIntoWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toPlural } from '../../../lens/model/singular.ts';
import { toReadableSqlName } from '../../../lens/model/sql-name.ts';

export interface MeasuredTable {
  dataset: string;
  timeField: string | null;
  /** The name for one row. */
  rowNoun: string;
  measures: { field: string; isAdditive: boolean; unit: string | undefined; nameInWords: string }[];
}
type MetricBody = Record<string, unknown>;
interface MetricCandidate {
  name: string;
  /** Used if another table has a metric with the same short name. */
  longName: string;
  synonyms: string[];
  head: { expression: string; dataset?: string; description: string };
  tail: { unit?: string; time_field?: string };
}
const TOTAL_NAME_PATTERN = /^(grand_?)?total(_(amount|price|value))?$/;

export function draftMetrics(tables: readonly MeasuredTable[], dialect: DialectName): Record<string, MetricBody> {
  const candidates = tables.flatMap((table) => listMetricCandidates(table, dialect));
  const nameCounts = new Map<string, number>();
  for (const { name, synonyms } of candidates)
    for (const claimedName of new Set([splitNameIntoWords(name), ...synonyms]))
      nameCounts.set(claimedName, (nameCounts.get(claimedName) ?? 0) + 1);
  const metrics: Record<string, MetricBody> = {};
  for (const { name, longName, synonyms, head, tail } of candidates) {
    const chosenName = toUniqueName(
      nameCounts.get(splitNameIntoWords(name)) === 1 ? name : longName,
      Object.keys(metrics),
    );
    const uniqueSynonyms = synonyms.filter(
      (synonym) => nameCounts.get(synonym) === 1 && synonym !== splitNameIntoWords(chosenName),
    );
    metrics[chosenName] = { ...head, ...(uniqueSynonyms.length > 0 ? { synonyms: uniqueSynonyms } : {}), ...tail };
  }
  return metrics;
}

export const toUniqueName = (preferredName: string, existingNames: Iterable<string>): string => {
  const allNames = new Set(existingNames);
  let name = preferredName.slice(0, 60);
  for (let n = 2; allNames.has(name); n++) name = `${preferredName.slice(0, 57)}_${n}`;
  return name;
};

function listMetricCandidates(
  { dataset, timeField, rowNoun, measures }: MeasuredTable,
  dialect: DialectName,
): MetricCandidate[] {
  const rowNouns = toPlural(rowNoun);
  const timeMember = timeField ? { time_field: `${dataset}.${timeField}` } : {};
  const candidates: MetricCandidate[] = [
    {
      name: `${toSnakeCase(rowNoun)}_count`,
      longName: `${dataset}_count`,
      synonyms: [`number of ${rowNouns}`],
      head: { expression: 'count(*)', dataset, description: `Number of ${rowNouns}.` },
      tail: timeMember,
    },
  ];
  for (const { field, isAdditive, unit, nameInWords } of measures) {
    const columnSql = `${dataset}.${toReadableSqlName(dialect, field)}`;
    // Changes "cost_of_treatment" to "treatment cost".
    const label = nameInWords.replace(/^(?!number |count )(\S+) of (.+)$/, '$2 $1');
    const tail = { ...(unit ? { unit } : {}), ...timeMember };
    const isTotal = TOTAL_NAME_PATTERN.test(toSnakeCase(field));
    const shortStem = isTotal ? `${toSnakeCase(rowNoun)}_amount` : toSnakeCase(label).replace(/^(total|sum)_/, '');
    const longStem =
      isTotal || shortStem.startsWith(toSnakeCase(rowNoun)) ? shortStem : `${toSnakeCase(rowNoun)}_${shortStem}`;
    if (isAdditive)
      candidates.push({
        name: `total_${shortStem}`,
        longName: `total_${longStem}`,
        synonyms: isTotal
          ? [`total amount of ${rowNouns}`, 'total amount', `total ${rowNoun} value`, `total ${rowNoun} size`]
          : [`total ${splitNameIntoWords(longStem)}`, `${splitNameIntoWords(shortStem)} of all ${rowNouns}`],
        head: {
          expression: `sum(${columnSql})`,
          description: label.startsWith(`${rowNoun} `) ? `Sum of ${label}.` : `Sum of ${label} over ${rowNouns}.`,
        },
        tail,
      });
    candidates.push({
      name: `average_${shortStem}`,
      longName: `average_${longStem}`,
      synonyms: isTotal
        ? [`average ${rowNoun} ${label}`, `average ${rowNoun} value`, `average ${rowNoun} size`]
        : [`average ${splitNameIntoWords(longStem)}`],
      head: {
        expression: `avg(${columnSql})`,
        description: label.startsWith(`${rowNoun} `)
          ? `Average ${label}.`
          : `Average ${label} of ${/^[aeiou]/.test(rowNoun) ? 'an' : 'a'} ${rowNoun}.`,
      },
      tail,
    });
  }
  return candidates;
}
