// The barrier above a row policy: what an asker wrote runs on the rows that it leaves, and nothing that an engine
// remembers of the others reaches their text. Planners look further than one expects, so each engine has its own form.
import type { Dialect } from '../contract/warehouse.ts';
import { indent, sqlName } from './sql-name.ts';

/** MySQL takes 2^64 - 1; this one every reader of numbers keeps exact. */
const ALL_ROWS = '9007199254740991';

/** `body`: a SELECT of `outputs` with the policies as its WHERE. */
export function fenced(dialect: Dialect, body: string, outputs: string[], alias: string): string {
  switch (dialect) {
    case 'postgres': {
      // OFFSET keeps conditions and their statement apart. The statistics of a column are still looked up through it,
      // and its most frequent values, hidden ones too, compared with LIKE while planning; not through UNION ALL.
      const nothing = outputs.length > 0 ? outputs.map(() => 'null').join(', ') : 'null';
      return `${body}\nunion all\nselect ${nothing}\nwhere false\noffset 0`;
    }
    case 'duckdb': {
      // The same, with the least and greatest value of a column: a CASE has neither.
      const name = sqlName(dialect, alias);
      const shown = outputs.map((output) => {
        const column = `${name}.${sqlName(dialect, output)}`;
        return `case when ${column} is not null then ${column} end as ${sqlName(dialect, output)}`;
      });
      const items = shown.length > 0 ? shown.join(', ') : `${name}.one`;
      return `select ${items}\nfrom (\n${indent(body)}\n) as ${name}\noffset 0`;
    }
    case 'mysql':
      return `${body}\nlimit ${ALL_ROWS}`;
  }
}
