// Replaces each `:name` with `?`. svc binds the values and never writes them into the SQL.

import { type Faults, suggestNames } from '../faults.ts';
import type { Parameterised } from '../parameters.ts';
import type { ForeignGrammar } from './grammar.ts';
import { foreignTokens } from './tokens.ts';

export function markParameters(
  grammar: ForeignGrammar,
  sql: string,
  declared: readonly string[],
  faults: Faults,
): Parameterised {
  const names: string[] = [];
  let text = '';
  let from = 0;
  for (const { kind, text: written, start, end } of foreignTokens(grammar, sql, faults)) {
    if (kind === 'positional') {
      faults.add('parameter', '? is not a parameter of this statement; write values as literals.', { offset: start });
    }
    if (kind !== 'parameter') continue;
    const name = written.slice(1);
    if (!declared.includes(name)) {
      faults.add('parameter', `The parameter :${name} is not declared.${suggestNames(name, declared)}`, {
        offset: start,
      });
      continue;
    }
    names.push(name);
    text += `${sql.slice(from, start)}?`;
    from = end;
  }
  return { sql: text + sql.slice(from), names };
}
