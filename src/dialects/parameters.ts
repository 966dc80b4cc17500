// Replaces the parameters of certified SQL. `:name` outside strings, identifiers and comments becomes $n, or ? for
// engines without numbered parameters. svc binds values and never writes them into the SQL.
import { type FaultCollector, suggestNames } from './fault-collector.ts';

export interface ParameterizedSql {
  sql: string;
  /** The name for each of $1, $2, …, or for each `?`, in order. */
  names: string[];
}

export function bindParameters(
  form: 'numbered' | 'marks',
  sql: string,
  tokens: readonly { kind: string; start: number; end: number }[],
  declaredNames: readonly string[],
  faults: FaultCollector,
): ParameterizedSql {
  const names: string[] = [];
  let text = '';
  let copiedEnd = 0;
  for (const { kind, start, end } of tokens) {
    const tokenText = sql.slice(start, end);
    if (kind === 'positional') {
      const message = `${tokenText} is not a parameter of this statement; write values as literals.`;
      faults.add('parameter', message, { offset: start });
    }
    if (kind !== 'parameter') continue;
    const name = tokenText.slice(1);
    if (!declaredNames.includes(name)) {
      // Forms such as `{a:b}` and `x[1:n]` also contain a colon, but aren't parameters. The engine's parser decides
      // what their colon means.
      const startsParameter =
        declaredNames.length > 0 && /^$|[\s(=<>,+*/-]/.test(sql.slice(Math.max(0, start - 1), start));
      if (form === 'marks' || startsParameter)
        faults.add('parameter', `The parameter :${name} is not declared.${suggestNames(name, declaredNames)}`, {
          offset: start,
        });
      continue;
    }
    if (form === 'marks' || !names.includes(name)) names.push(name);
    text += `${sql.slice(copiedEnd, start)}${form === 'marks' ? '?' : `$${names.indexOf(name) + 1}`}`;
    copiedEnd = end;
  }
  return { sql: text + sql.slice(copiedEnd), names };
}
