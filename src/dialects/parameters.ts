// Replaces `:name` in certified SQL with $n, except in strings, identifiers and comments. svc binds the values and
// never writes them into the SQL.
import { type Faults, suggestNames } from './faults.ts';
import type { Token } from './lexer.ts';

export interface Parameterised {
  sql: string;
  names: string[];
}

export function numberParameters(
  sql: string,
  tokens: readonly Token[],
  declared: readonly string[],
  faults: Faults,
): Parameterised {
  const names: string[] = [];
  let text = '';
  let from = 0;
  for (const token of tokens) {
    const written = sql.slice(token.start, token.end);
    if (token.kind === 'positional') {
      faults.add('parameter', `${written} is not a parameter of this statement; write values as literals.`);
    }
    if (token.kind !== 'parameter') continue;
    const name = written.slice(1);
    if (!declared.includes(name)) {
      // `{a:b}`, `x[1:n]` and similar forms contain a colon too, so the engine's parser checks them.
      if (declared.length > 0 && /^$|[\s(=<>,+*/-]/.test(sql.slice(Math.max(0, token.start - 1), token.start))) {
        faults.add('parameter', `The parameter :${name} is not declared.${suggestNames(name, declared)}`);
      }
      continue;
    }
    if (!names.includes(name)) names.push(name);
    text += `${sql.slice(from, token.start)}$${names.indexOf(name) + 1}`;
    from = token.end;
  }
  return { sql: text + sql.slice(from), names };
}
