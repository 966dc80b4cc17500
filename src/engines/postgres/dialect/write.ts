import { UnwritableError } from '../../../dialects/dialect.ts';
import type {
  Call,
  DerivedTable,
  Expression,
  Frame,
  FrameBound,
  FromItem,
  Grouping,
  GroupKey,
  Join,
  JsonCall,
  Literal,
  Query,
  SortKey,
  Star,
  Table,
  TableCall,
  TypeName,
  Window,
  WithClause,
} from '../../../dialects/tree.ts';
import { quoteName } from './names.ts';

const writeList = <T>(list: readonly T[], write: (item: T) => string): string =>
  list.map((item) => write(item)).join(', ');

export function writeQuery(query: Query): string {
  const parts = [query.with ? writeWithClause(query.with) : '', writeBody(query)];
  if (query.orderBy.length > 0) parts.push(`ORDER BY ${writeSortKeys(query.orderBy)}`);
  if (query.limit) parts.push(`LIMIT ${writeOperand(query.limit)}`);
  if (query.offset) parts.push(`OFFSET ${writeOperand(query.offset)}`);
  return parts.filter((part) => part !== '').join(' ');
}

function writeBody(query: Query): string {
  if (query.kind === 'values') {
    return `VALUES ${writeList(query.rows, (row) => `(${writeExpressions(row)})`)}`;
  }
  if (query.kind === 'set') {
    if (query.byName) throw new UnwritableError('UNION BY NAME');
    const operator = `${query.operator.toUpperCase()}${query.all ? ' ALL' : ''}`;
    return `(${writeQuery(query.left)}) ${operator} (${writeQuery(query.right)})`;
  }
  if (query.qualify) throw new UnwritableError('QUALIFY');
  const onText = query.distinct && query.distinct.on.length > 0 ? ` ON (${writeExpressions(query.distinct.on)})` : '';
  const parts = [
    `SELECT${query.distinct ? ` DISTINCT${onText}` : ''}`,
    writeList(query.items, ({ value, alias }) => {
      return `${writeExpression(value)}${alias === null ? '' : ` AS ${quoteName(alias)}`}`;
    }),
  ];
  if (query.from.length > 0) parts.push(`FROM ${writeList(query.from, writeFromItem)}`);
  if (query.where) parts.push(`WHERE ${writeExpression(query.where)}`);
  if (query.groupBy) parts.push(`GROUP BY ${writeGrouping(query.groupBy)}`);
  if (query.having) parts.push(`HAVING ${writeExpression(query.having)}`);
  if (query.windows.length > 0) {
    parts.push(
      `WINDOW ${writeList(query.windows, ({ name, window }) => `${quoteName(name)} AS ${writeWindow(window)}`)}`,
    );
  }
  return parts.join(' ');
}

function writeWithClause({ recursive, entries }: WithClause): string {
  const entriesText = writeList(entries, ({ name, columns, materialized, query }) => {
    const materializedText = materialized === null ? '' : materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
    return `${quoteName(name)}${writeColumns(columns)} AS ${materializedText}(${writeQuery(query)})`;
  });
  return `WITH ${recursive ? 'RECURSIVE ' : ''}${entriesText}`;
}

const writeColumns = (columns: string[]): string => (columns.length > 0 ? `(${writeList(columns, quoteName)})` : '');

function writeGrouping({ all, distinct, keys }: Grouping): string {
  if (all) throw new UnwritableError('GROUP BY ALL');
  return `${distinct ? 'DISTINCT ' : ''}${writeList(keys, writeGroupKey)}`;
}

function writeGroupKey(key: GroupKey): string {
  if (key.kind !== 'grouping_set') return writeExpression(key);
  const words = { empty: '', sets: 'GROUPING SETS ', rollup: 'ROLLUP ', cube: 'CUBE ' };
  return `${words[key.how]}(${writeList(key.keys, writeGroupKey)})`;
}

const writeSortKeys = (keys: SortKey[]): string =>
  writeList(keys, ({ value, direction, nulls }) => {
    const orderText = direction === null ? '' : ` ${direction.toUpperCase()}`;
    return `${writeOperand(value)}${orderText}${nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });

function writeFromItem(item: FromItem): string {
  if (item.kind === 'join') return writeJoin(item);
  return writeSource(item) + writeAlias(item);
}

const writeAlias = ({ alias, columns }: FromItem): string => {
  if (alias === null && columns.length > 0) throw new UnwritableError('column names without an alias');
  return alias === null ? '' : ` AS ${quoteName(alias)}${writeColumns(columns)}`;
};

function writeSource(item: Table | DerivedTable | TableCall): string {
  if (item.kind === 'table') {
    return [item.catalog, item.schema, item.name]
      .filter((part) => part !== null)
      .map(quoteName)
      .join('.');
  }
  const lateral = item.lateral ? 'LATERAL ' : '';
  if (item.kind === 'derived') return `${lateral}(${writeQuery(item.query)})`;
  const calls = writeList(item.calls, writeExpression);
  const ordinality = item.ordinality ? ' WITH ORDINALITY' : '';
  return `${lateral}${item.calls.length > 1 ? `ROWS FROM (${calls})` : calls}${ordinality}`;
}

const JOIN_WORDS: Readonly<Partial<Record<Join['how'], string>>> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
};

function writeJoin(join: Join): string {
  const word = JOIN_WORDS[join.how];
  if (!word) throw new UnwritableError(`${join.how} JOIN`);
  const rightText =
    join.right.kind === 'join' && join.right.alias === null
      ? `(${writeFromItem(join.right)})`
      : writeFromItem(join.right);
  const usingText = join.using.length > 0 ? ` USING (${writeList(join.using, quoteName)})` : '';
  const aliasText = join.usingAlias === null ? '' : ` AS ${quoteName(join.usingAlias)}`;
  const onText = join.on ? ` ON ${writeExpression(join.on)}` : '';
  const text = `${writeFromItem(join.left)} ${join.natural ? 'NATURAL ' : ''}${word} ${rightText}${usingText}${aliasText}${onText}`;
  return join.alias === null ? text : `(${text})${writeAlias(join)}`;
}

const writeExpressions = (expressions: Expression[]): string => writeList(expressions, writeExpression);

const NEEDS_NO_PARENTHESES: ReadonlySet<Expression['kind']> = new Set(
  'column star parameter call case cast exists scalar array_query row list json'.split(' ') as Expression['kind'][],
);
const needsNoParentheses = (expression: Expression): boolean =>
  expression.kind === 'literal'
    ? !expression.value.startsWith('-') || expression.type !== 'number'
    : NEEDS_NO_PARENTHESES.has(expression.kind) && !isJsonTest(expression);
const isJsonTest = (expression: Expression): boolean => expression.kind === 'json' && expression.what === 'is_json';

function writeOperand(expression: Expression): string {
  const text = writeExpression(expression);
  return needsNoParentheses(expression) ? text : `(${text})`;
}

const writeNegation = (negated: boolean): string => (negated ? 'NOT ' : '');

export function writeExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.path.map(quoteName).join('.');
    case 'star':
      return writeStar(expression);
    case 'literal':
      return writeLiteral(expression);
    case 'parameter':
      return `$${expression.index}`;
    case 'call':
      return writeCall(expression);
    case 'named_argument':
      return `${quoteName(expression.name)} => ${writeExpression(expression.value)}`;
    case 'case': {
      const whens = expression.whens.map(
        ({ when, result }) => ` WHEN ${writeExpression(when)} THEN ${writeExpression(result)}`,
      );
      const otherwise = expression.otherwise ? ` ELSE ${writeExpression(expression.otherwise)}` : '';
      return `CASE${expression.operand ? ` ${writeOperand(expression.operand)}` : ''}${whens.join('')}${otherwise} END`;
    }
    case 'cast':
      if (expression.safe) throw new UnwritableError('TRY_CAST');
      return `CAST(${writeExpression(expression.value)} AS ${writeType(expression.type)})`;
    case 'logic':
      if (expression.operator === 'xor') throw new UnwritableError('XOR');
      if (expression.operator === 'not') return `NOT ${writeOperand(expression.args[0]!)}`;
      return expression.args.map(writeOperand).join(` ${expression.operator.toUpperCase()} `);
    case 'compare':
      return `${writeOperand(expression.left)} ${expression.operator.toUpperCase()} ${writeOperand(expression.right)}`;
    case 'arithmetic':
      if (expression.operator === '//') throw new UnwritableError('//');
      return writeOperation(expression.left, expression.operator, expression.right);
    case 'operation':
      return writeOperation(expression.left, expression.operator, expression.right);
    case 'between': {
      const symmetric = expression.symmetric ? 'SYMMETRIC ' : '';
      const bounds = `${writeOperand(expression.low)} AND ${writeOperand(expression.high)}`;
      return `${writeOperand(expression.value)} ${writeNegation(expression.negated)}BETWEEN ${symmetric}${bounds}`;
    }
    case 'in': {
      const candidatesText =
        'kind' in expression.among ? writeQuery(expression.among) : writeExpressions(expression.among);
      return `${writeOperand(expression.value)} ${writeNegation(expression.negated)}IN (${candidatesText})`;
    }
    case 'like': {
      const word = { like: 'LIKE', ilike: 'ILIKE', similar: 'SIMILAR TO', glob: '', regexp: '' }[expression.how];
      if (word === '') throw new UnwritableError(expression.how);
      const escapeText = expression.escape ? ` ESCAPE ${writeOperand(expression.escape)}` : '';
      return `${writeOperand(expression.value)} ${writeNegation(expression.negated)}${word} ${writeOperand(expression.pattern)}${escapeText}`;
    }
    case 'is_null':
      return `${writeOperand(expression.value)} IS ${writeNegation(expression.negated)}NULL`;
    case 'is_truth':
      return `${writeOperand(expression.value)} IS ${writeNegation(expression.negated)}${expression.is.toUpperCase()}`;
    case 'quantified': {
      const isQuery = ['select', 'set', 'values'].includes(expression.among.kind);
      const among = isQuery ? writeQuery(expression.among as Query) : writeExpression(expression.among as Expression);
      return `${writeOperand(expression.left)} ${expression.operator} ${expression.how.toUpperCase()} (${among})`;
    }
    case 'exists':
      return `${writeNegation(expression.negated)}EXISTS (${writeQuery(expression.query)})`;
    case 'scalar':
      return `(${writeQuery(expression.query)})`;
    case 'array_query':
      return `ARRAY(${writeQuery(expression.query)})`;
    case 'collate':
      return `${writeOperand(expression.value)} COLLATE ${quoteName(expression.collation)}`;
    case 'row':
      return `${expression.keyword ? 'ROW' : ''}(${writeExpressions(expression.items)})`;
    case 'list':
      return `ARRAY[${writeExpressions(expression.items)}]`;
    case 'subscript': {
      const value = ['column', 'subscript'].includes(expression.value.kind)
        ? writeExpression(expression.value)
        : `(${writeExpression(expression.value)})`;
      const { slice } = expression;
      if (slice?.step) throw new UnwritableError('a slice with steps');
      const bounds = slice ? [slice.from, slice.to].map((bound) => (bound ? writeOperand(bound) : '')).join(':') : '';
      return `${value}[${expression.index ? writeExpression(expression.index) : bounds}]`;
    }
    case 'json':
      return writeJson(expression);
    case 'interval':
    case 'lambda':
      throw new UnwritableError(expression.kind);
  }
}

function writeStar(star: Star): string {
  if (star.exclude.length + star.replace.length + star.rename.length > 0 || star.columns)
    throw new UnwritableError('EXCLUDE');
  return [...star.qualifier.map(quoteName), '*'].join('.');
}

function writeLiteral({ type, value }: Literal): string {
  switch (type) {
    case 'string':
      return `'${value.replaceAll("'", "''")}'`;
    case 'number':
      return value;
    case 'boolean':
    case 'null':
      return type === 'null' ? 'NULL' : value.toUpperCase();
    case 'bits':
      return `${value.slice(0, 1)}'${value.slice(1)}'`;
    default:
      return `${type.toUpperCase()} '${value.replaceAll("'", "''")}'`;
  }
}

const writeOperation = (left: Expression | null, operator: string, right: Expression | null): string =>
  [left ? writeOperand(left) : '', operator, right ? writeOperand(right) : ''].filter((part) => part !== '').join(' ');

function writeCall(call: Call): string {
  const { name, args } = call;
  if (call.nulls !== null || call.unit !== null || call.separator !== null) throw new UnwritableError(name);
  if (call.bare) return args.length === 0 ? name : `${name}(${writeExpressions(args)})`;
  const [firstArgument, secondArgument] = args;
  // Before version 14, PostgreSQL has extract only as syntax and not as a function.
  if (call.schema === 'pg_catalog' && name === 'extract' && args.length === 2 && firstArgument!.kind === 'literal') {
    return `EXTRACT(${writeLiteral(firstArgument!)} FROM ${writeExpression(secondArgument!)})`;
  }
  const isGrammarCall = ['coalesce', 'nullif', 'greatest', 'least', 'grouping'].includes(name) && call.schema === null;
  const functionText = [call.schema, name]
    .filter((part) => part !== null)
    .map(quoteName)
    .join('.');
  const argumentsText = args.map(
    (arg, index) => `${call.variadic && index === args.length - 1 ? 'VARIADIC ' : ''}${writeExpression(arg)}`,
  );
  const orderText = call.orderBy.length > 0 ? `ORDER BY ${writeSortKeys(call.orderBy)}` : '';
  const insideText = [call.star ? '*' : argumentsText.join(', '), call.within ? '' : orderText]
    .filter((part) => part !== '')
    .join(' ');
  const parts = [
    `${isGrammarCall ? name.toUpperCase() : functionText}(${call.distinct ? 'DISTINCT ' : ''}${insideText})`,
  ];
  if (call.within) parts.push(`WITHIN GROUP (${orderText})`);
  return parts.join(' ') + writeOver(call.filter, call.over);
}

const writeOver = (filter: Expression | null, window: Window | null): string =>
  (filter ? ` FILTER (WHERE ${writeExpression(filter)})` : '') + (window ? ` OVER ${writeWindow(window)}` : '');

function writeWindow(window: Window): string {
  if (window.named) return quoteName(window.base!);
  const parts = window.base === null ? [] : [quoteName(window.base)];
  if (window.partitionBy.length > 0) parts.push(`PARTITION BY ${writeExpressions(window.partitionBy)}`);
  if (window.orderBy.length > 0) parts.push(`ORDER BY ${writeSortKeys(window.orderBy)}`);
  if (window.frame) parts.push(writeFrame(window.frame));
  return `(${parts.join(' ')})`;
}

function writeFrame({ unit, start, end, exclude }: Frame): string {
  const bounds = end ? `BETWEEN ${writeBound(start)} AND ${writeBound(end)}` : writeBound(start);
  return `${unit.toUpperCase()} ${bounds}${exclude === null ? '' : ` EXCLUDE ${exclude.toUpperCase()}`}`;
}

const writeBound = ({ how, by }: FrameBound): string => `${by ? `${writeOperand(by)} ` : ''}${how.toUpperCase()}`;

/** The words for built-in types, which no user-defined type can replace. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  float8: 'double precision',
  timetz: 'time() with time zone',
  timestamptz: 'timestamp() with time zone',
  bit: 'pg_catalog.bit()',
  bpchar: 'pg_catalog.bpchar()',
};

/**
 * Writes a type. An interval with modifiers needs its qualified name, because the grammar encodes modifiers after the
 * plain word.
 */
export function writeType({ name, modifiers, dimensions, fields }: TypeName): string {
  if (fields.length > 0) throw new UnwritableError('a nested type');
  const modifiersText = modifiers.length > 0 ? `(${modifiers.join(', ')})` : '';
  const plainName = modifiersText !== '' && name === 'interval' ? 'pg_catalog.interval' : name;
  const word = Object.hasOwn(TYPE_WORDS, name)
    ? TYPE_WORDS[name]!
    : /^[a-z_.0-9]+$/.test(plainName)
      ? plainName
      : quoteName(name);
  const bounds = dimensions.map((size) => `[${size ?? ''}]`).join('');
  return `${word.includes('()') ? word.replace('()', modifiersText) : word + modifiersText}${bounds}`;
}

function writeJson(json: JsonCall): string {
  const orderText = json.orderBy.length > 0 ? ` ORDER BY ${writeSortKeys(json.orderBy)}` : '';
  const unique = json.uniqueKeys ? ' WITH UNIQUE KEYS' : '';
  const entries = writeList(json.entries, ({ key, value }) =>
    key ? `${writeOperand(key)}: ${writeOperand(value)}` : writeOperand(value),
  );
  if (json.what === 'is_json') {
    const item = json.item === 'any' || json.item === null ? '' : ` ${json.item.toUpperCase()}`;
    return `${entries} IS ${writeNegation(json.negated)}JSON${item}${unique}`;
  }
  const words = {
    object: 'JSON_OBJECT',
    array: 'JSON_ARRAY',
    object_agg: 'JSON_OBJECTAGG',
    array_agg: 'JSON_ARRAYAGG',
  };
  if (json.what === 'array_query') throw new UnwritableError('JSON_ARRAY of a query');
  const nulls = json.entries.length === 0 || json.nulls === null ? '' : ` ${json.nulls.toUpperCase()} ON NULL`;
  const returning = json.returning ? ` RETURNING ${writeType(json.returning)}` : '';
  return `${words[json.what]}(${entries}${orderText}${nulls}${unique}${returning})${writeOver(json.filter, json.over)}`;
}
