// Proof that each value the compiler wrote is one constant of that value, where it stands in the parsed statement (G22).

import { dialectOf } from '../dialects/dialects.ts';
import type { Faults } from '../dialects/faults.ts';
import type { GuardScope } from './guarded-sql.ts';
import type { Constant } from './laws/analysis.ts';

// One token on its own, so that it can't run into its neighbours.
const QUOTED = /^(?:(?:DATE|TIME|TIMESTAMP|TIMESTAMPTZ) )?'((?:[^']|'')*)'$/;
// MySQL's spelling of text with a backslash.
const BYTES = /^_utf8mb4 x'((?:[0-9A-F]{2})*)'$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEAN = /^(?:TRUE|FALSE)$/i;

export function proveLiterals(sql: string, scope: GuardScope, constants: readonly Constant[], faults: Faults): void {
  const literals = scope.literals ?? [];
  if (literals.length === 0) return;
  const byPlace = new Map<number, Constant[]>();
  for (const constant of constants)
    byPlace.set(constant.location, [...(byPlace.get(constant.location) ?? []), constant]);
  const bytes = Buffer.from(sql);
  const doubled = dialectOf(scope.dialect).quotes.backslash === 'doubled';
  for (const { text, value } of literals) {
    const quoted = QUOTED.exec(text);
    const bytesOnly = BYTES.exec(text);
    const meant = quoted
      ? quoted[1]!.replaceAll("''", "'").replaceAll(doubled ? '\\\\' : '\\', '\\')
      : bytesOnly
        ? Buffer.from(bytesOnly[1]!, 'hex').toString('utf8')
        : text;
    const one = quoted !== null || bytesOnly !== null || NUMBER.test(text) || BOOLEAN.test(text);
    if (!one || !sameValue(meant, value, text)) {
      faults.add('literal', `A value of the statement is not written as one literal.`);
      continue;
    }
    const needle = Buffer.from(text);
    // The constant of a typed literal begins at its quote, or at its word where both are one node.
    const shift = quoted ? Buffer.byteLength(text.slice(0, text.indexOf("'"))) : 0;
    let found = false;
    for (let at = bytes.indexOf(needle); at >= 0 && !found; at = bytes.indexOf(needle, at + 1)) {
      const there = [...(byPlace.get(at) ?? []), ...(byPlace.get(at + shift) ?? [])];
      found = there.some((constant) => isConstant(constant.value, meant));
    }
    if (!found) faults.add('literal', 'A value of the statement does not stand there as one literal.');
  }
}

const sameValue = (meant: string, value: string | number | boolean, text: string): boolean =>
  meant === String(value) ||
  (NUMBER.test(text) && Number(meant) === Number(value)) ||
  meant.toLowerCase() === String(value).toLowerCase() ||
  meant === String(value).trim().replace(/[Tt]/, ' ') ||
  (/^TIMESTAMP '/.test(text) && instantOf(meant) === instantOf(String(value).trim()));

/** MySQL's instants are written in UTC, whatever their offset was. */
const instantOf = (text: string): number => {
  const [, moment, zone = 'Z'] = /^(.*?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i.exec(text.slice(10)) ?? [];
  return Date.parse(
    `${text.slice(0, 10)}${(moment ?? '').replace(' ', 'T')}${/^.\d{2}$/.test(zone) ? `${zone}:00` : zone}`,
  );
};

const isConstant = (parsed: Constant['value'], meant: string): boolean =>
  // DuckDB reads TRUE as a cast of 't'.
  BOOLEAN.test(meant)
    ? parsed === meant.toLowerCase().startsWith('t') || parsed === meant[0]!.toLowerCase()
    : typeof parsed === 'string'
      ? parsed === meant || (NUMBER.test(meant) && Number(parsed) === Number(meant))
      : String(parsed).toLowerCase() === meant.toLowerCase() ||
        (typeof parsed === 'number' && parsed === Number(meant));
