// Binds parameters. svc sends their values separately as strings, and casts them to their types.

import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import {
  type BoundParameters,
  countFractionDigits,
  findParameterText,
  replaceParameterMarks,
} from '../../../adapters/warehouse/parameters.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import { FaultCollector } from '../../../dialects/fault-collector.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { toWordSet } from '../../../dialects/foreign/rules.ts';
import { isSymbol, isWord, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import { SQLSERVER_FUNCTIONS } from '../dialect/functions.ts';
import { SQLSERVER_GRAMMAR, SQLSERVER_TYPES } from '../dialect/grammar.ts';

export interface BoundStatement {
  sql: string;
  values: string[];
}

/** The only words that a statement can contain without quotes, because svc quotes every name. */
const ALLOWED_WORDS = toWordSet(
  `select distinct top from where and or not in exists as on join inner left right full outer cross union all except intersect
   order by group having offset row rows range fetch next first only when then else case end over with between like escape is null
   cast try_cast partition within rollup unbounded preceding following current at time zone collate desc asc max count_big`,
);
const isAllowedToken = ({ text }: ForeignToken): boolean => {
  const word = text.toLowerCase();
  return (
    ALLOWED_WORDS.has(word) ||
    SQLSERVER_TYPES.has(word) ||
    SQLSERVER_FUNCTIONS.has(word) ||
    SQLSERVER_GRAMMAR.units.has(text) ||
    SQLSERVER_GRAMMAR.collations.test(text)
  );
};

/** Checks every statement before it runs, including statements that svc wrote. */
function requireReadOnlyTokens(sql: string): ForeignToken[] {
  const createRefusal = (reason: string): Error => createEngineRefusalProblem(reason, reason, 'not_permitted');
  const faults = new FaultCollector();
  const tokens = tokenizeForeign(SQLSERVER_GRAMMAR, sql, faults);
  const [fault] = faults.list;
  if (fault) throw createRefusal('not plainly one SELECT');
  const firstToken = tokens.find(({ kind }) => kind !== 'open');
  if (!isWord(firstToken, 'select') && !isWord(firstToken, 'with')) throw createRefusal('not a SELECT');
  if (tokens.some((token) => isSymbol(token, ';'))) throw createRefusal('several statements');
  const unknownWord = tokens.find(
    (token) => token.kind === 'word' && token.start < token.end && !isAllowedToken(token),
  );
  if (unknownWord) throw createRefusal(`the word ${unknownWord.text.slice(0, 40)} outside of quotes`);
  return tokens;
}

export function bindSqlserver(sql: string, names: readonly string[], parameters: BoundParameters = []): BoundStatement {
  const values: string[] = [];
  const text = replaceParameterMarks(sql, requireReadOnlyTokens(sql), (index) => {
    const parameter = findParameterText(parameters, names[index]);
    if (!parameter) return 'NULL';
    const { datatype, text } = parameter;
    const type = datatype === 'decimal' ? `decimal(38, ${countFractionDigits(text)})` : PARAMETER_TYPES[datatype];
    return `CAST(@p${values.push(text)} AS ${type})`;
  });
  return { sql: text, values };
}

const PARAMETER_TYPES: Readonly<Record<Exclude<Datatype, 'decimal'>, string>> = {
  string: 'nvarchar(max)',
  integer: 'bigint',
  float: 'float',
  boolean: 'bit',
  date: 'date',
  time: 'time',
  datetime: 'datetime2',
  datetimetz: 'datetimeoffset',
};
