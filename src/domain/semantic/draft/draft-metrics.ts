// Metrics of a drafted lens: the number of rows, and sums and averages of measures, with natural names. If two tables
// have the same measure, its name includes the table's, so that no metric is ambiguous.
import type { Dialect } from '../../../contract/warehouse.ts';
import { spelledOut, toSnakeCase, words } from '../../../lens/model/name-words.ts';
import { plural } from '../../../lens/model/singular.ts';
import { writtenName } from '../../../lens/model/sql-name.ts';

export interface Measured {
  dataset: string;
  timeField: string | null;
  /** The name for one row. */
  thing: string;
  measures: { field: string; additive: boolean; unit: string | null; called?: string }[];
}
type Words = Record<string, unknown>;
interface Candidate {
  name: string;
  /** Used if another table has a metric with the same name. */
  longName: string;
  synonyms: string[];
  body: Words;
}
const TOTAL_NAME = /^(grand_?)?total(_(amount|price|value))?$/;

export function draftMetrics(tables: readonly Measured[], dialect: Dialect): Record<string, Words> {
  const candidates = tables.flatMap((table) => candidatesOf(table, dialect));
  const claims = new Map<string, number>();
  for (const { name, synonyms } of candidates)
    for (const claimed of new Set([words(name), ...synonyms])) claims.set(claimed, (claims.get(claimed) ?? 0) + 1);
  const metrics: Record<string, Words> = {};
  for (const { name, longName, synonyms, body } of candidates) {
    const preferredName = (claims.get(words(name)) === 1 ? name : longName).slice(0, 60);
    let chosen = preferredName;
    for (let n = 2; chosen in metrics; n++) chosen = `${preferredName.slice(0, 57)}_${n}`;
    const uniqueSynonyms = synonyms.filter((synonym) => claims.get(synonym) === 1 && synonym !== words(chosen));
    const { expression, dataset, description, ...rest } = body;
    metrics[chosen] = {
      expression,
      ...(dataset ? { dataset } : {}),
      description,
      ...(uniqueSynonyms.length > 0 ? { synonyms: uniqueSynonyms } : {}),
      ...rest,
    };
  }
  return metrics;
}

function candidatesOf({ dataset, timeField, thing, measures }: Measured, dialect: Dialect): Candidate[] {
  const rowNouns = plural(thing);
  const time = timeField ? { time_field: `${dataset}.${timeField}` } : {};
  const candidates: Candidate[] = [
    {
      name: `${toSnakeCase(thing)}_count`,
      longName: `${dataset}_count`,
      synonyms: [`number of ${rowNouns}`],
      body: { expression: 'count(*)', dataset, description: `Number of ${rowNouns}.`, ...time },
    },
  ];
  for (const { field, additive, unit, called } of measures) {
    const measured = `${dataset}.${writtenName(dialect, field)}`;
    // "cost_of_treatment" becomes "treatment cost".
    const label = (called ?? spelledOut(field)).replace(/^(?!number |count )(\S+) of (.+)$/, '$2 $1');
    const rest = { ...(unit ? { unit } : {}), ...time };
    const isTotal = TOTAL_NAME.test(toSnakeCase(field));
    const stem = isTotal ? `${toSnakeCase(thing)}_amount` : toSnakeCase(label).replace(/^(total|sum)_/, '');
    const long = isTotal || stem.startsWith(toSnakeCase(thing)) ? stem : `${toSnakeCase(thing)}_${stem}`;
    if (additive)
      candidates.push({
        name: `total_${stem}`,
        longName: `total_${long}`,
        synonyms: isTotal
          ? [`total amount of ${rowNouns}`, 'total amount', `total ${thing} value`, `total ${thing} size`]
          : [`total ${words(long)}`, `${words(stem)} of all ${rowNouns}`],
        body: {
          expression: `sum(${measured})`,
          description: label.startsWith(`${thing} `) ? `Sum of ${label}.` : `Sum of ${label} over ${rowNouns}.`,
          ...rest,
        },
      });
    candidates.push({
      name: `average_${stem}`,
      longName: `average_${long}`,
      synonyms: isTotal
        ? [`average ${thing} ${label}`, `average ${thing} value`, `average ${thing} size`]
        : [`average ${words(long)}`],
      body: {
        expression: `avg(${measured})`,
        description: label.startsWith(`${thing} `)
          ? `Average ${label}.`
          : `Average ${label} of ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}.`,
        ...rest,
      },
    });
  }
  return candidates;
}
