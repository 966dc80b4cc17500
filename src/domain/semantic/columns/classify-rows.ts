// Decides whether each row is a separate entity, or one of several observations of an entity. A stock level, for
// example, can be summed over entities, but not over time.
import { findPeriodFields } from '../../../lens/model/aggregation.ts';
import type { ColumnProfile } from '../../ports.ts';
import type { NamedTable } from './schema-words.ts';

export interface RowClassification {
  /** `things`: one row for each entity. `repeated`: several rows for each entity. `series`: one row for each time. */
  kind: 'things' | 'repeated' | 'series' | 'unknown';
  period: string | null;
  evidence: string;
}
/** The rows of these tables are events, regardless of the names of their date columns. */
const LOG_TABLE_PATTERN =
  /(?:^|_)(?:logs?|ledger|history|journal|transactions?|trans|movements?|events?|changes|audit)(?:_|$)/i;
/** Repeated observations cover at least this share of the possible pairs of an entity and a time. */
const MIN_COVERAGE = 0.5;
const MIN_ROWS = 5;
/** The largest share of observations that can lack a time. A date that most rows lack belongs to a rare event. */
const MAX_NULL_SHARE = 0.05;

export function classifyRows(table: NamedTable, rowNoun: string): RowClassification {
  const { primaryKey: key, columns } = table;
  const periods = findPeriodFields({ name: table.table, primaryKey: key, fields: columns });
  if (periods.length === 0)
    return LOG_TABLE_PATTERN.test(table.table)
      ? { kind: 'unknown', period: null, evidence: '' }
      : {
          kind: 'things',
          period: null,
          evidence: `each row is ${/^[aeiou]/.test(rowNoun) ? 'an' : 'a'} separate ${rowNoun}`,
        };
  const profileOf = (period: string) => columns.find(({ name }) => name === period)?.profile;
  const [keyPeriod, ...otherPeriods] = periods.filter((name) => key.includes(name));
  if (keyPeriod && otherPeriods.length === 0) {
    const subjectColumns = key.filter((name) => name !== keyPeriod);
    return subjectColumns.length > 0
      ? {
          kind: 'repeated',
          period: keyPeriod,
          evidence: `the same ${subjectColumns.join(', ')} repeats${describePeriod(profileOf(keyPeriod))}`,
        }
      : { kind: 'series', period: keyPeriod, evidence: `one row for each ${keyPeriod}` };
  }
  for (const period of periods) {
    const periodProfile = profileOf(period);
    const subject = columns.find(
      ({ name, datatype, profile }) =>
        (datatype === 'integer' || datatype === 'string') &&
        name !== period &&
        !key.includes(name) &&
        isRepeated(periodProfile, profile),
    );
    if (subject)
      return { kind: 'repeated', period, evidence: `the same ${subject.name} repeats${describePeriod(periodProfile)}` };
  }
  return { kind: 'unknown', period: null, evidence: '' };
}

const describePeriod = (period: ColumnProfile | undefined): string =>
  period?.distinct ? ` on ${period.distinct} values of ${period.column}` : '';

function isRepeated(period: ColumnProfile | undefined, subject: ColumnProfile | undefined): boolean {
  if (!period?.distinct || !subject?.distinct || subject.nulls > 0 || period.rows < MIN_ROWS) return false;
  const { rows, distinct, nulls } = period;
  if (nulls > rows * MAX_NULL_SHARE) return false;
  const pairs = distinct * subject.distinct;
  return rows <= pairs && rows >= pairs * MIN_COVERAGE && rows >= distinct * 2 && rows >= subject.distinct * 2;
}
