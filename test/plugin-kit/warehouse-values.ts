// Checks that values arrive as stored, and that the dialect matches what svc's compiler expects.
import type { Datatype, DialectName } from '../../src/contract/warehouse.ts';
import { createNullSafeDivision, createSortKeys, createTypedNull } from '../../src/dialects/compiling.ts';
import { findDialect } from '../../src/dialects/dialects.ts';
import { caseOf, columnOf, derivedOf, EMPTY_TAIL, itemOf, numberOf, selectOf } from '../../src/dialects/make-nodes.ts';
import type { Expression, Query } from '../../src/dialects/tree.ts';
import type { Cell } from '../../src/domain/ports.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { createConstant, formatLiteral } from '../../src/guard/literals.ts';
import type { Grain } from '../../src/lens/model/lens.ts';
import { assertSame } from './check.ts';
import { castTo, manyRows, nullOf } from './statements.ts';
import type { FamilyChecks, WarehouseSession } from './warehouse-under-test.ts';

const HOSTILE_TEXTS = `it's "quoted" \\ back %_ ; -- /* ? :a $1 漢字 😀`;

/** A date before the Gregorian calendar. If an engine's dates start later, it must refuse this date. */
const PRE_GREGORIAN_DATE = '1582-10-04';

const VALUES: [Datatype, string, Cell][] = [
  ['string', HOSTILE_TEXTS, HOSTILE_TEXTS],
  ['string', '', ''],
  ['string', 'trailing  ', 'trailing  '],
  ['integer', '9007199254740993', '9007199254740993'],
  ['integer', '-1', '-1'],
  ['decimal', '1234567890123456.0001', '1234567890123456.0001'],
  ['decimal', '-0.05', '-0.05'],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', PRE_GREGORIAN_DATE, PRE_GREGORIAN_DATE],
  ['time', '10:11:12', '10:11:12'],
  ['datetime', '1969-12-31T23:59:59.5', '1969-12-31T23:59:59.5'],
  ['datetimetz', '2024-01-01T01:02:03+02:00', '2023-12-31T23:02:03Z'],
];
const typeFor = (dialect: DialectName, datatype: Datatype): string => findDialect(dialect).compiling.types[datatype];
/**
 * True if the engine has a separate type for the datatype. Engines without booleans use integers, engines without times
 * use text, and some engines have only one timestamp type.
 */
const supportsDatatype = (dialect: DialectName, datatype: Datatype): boolean =>
  (['string', 'integer'] as const).every(
    (otherDatatype) => otherDatatype === datatype || typeFor(dialect, otherDatatype) !== typeFor(dialect, datatype),
  );
const indistinctDatatypes = (dialect: DialectName, datatype: Datatype): Datatype[] =>
  (['datetime', 'datetimetz'] as const).filter(
    (otherDatatype) => typeFor(dialect, otherDatatype) === typeFor(dialect, datatype),
  );

/**
 * Removes trailing zeros, because 1.10 and 1.1 are the same decimal, and 12:00:00.500 and 12:00:00.5 are the same time.
 */
const normalizeCell = (datatype: Datatype, cell: Cell): Cell =>
  typeof cell === 'string' && datatype !== 'string'
    ? cell.replace(/(\.\d*?)0+(?=Z?$)/, '$1').replace(/\.(?=Z?$)/, '')
    : cell;

async function assertReads(
  { warehouse, fetch }: WarehouseSession,
  datatype: Datatype,
  input: string,
  expected: Cell,
): Promise<void> {
  const { dialect } = warehouse;
  const label = `the ${datatype} ${input}`;
  const sent = await textToSend(
    dialect,
    () => `select ${formatLiteral(dialect, input, datatype)} as v`,
    expected === PRE_GREGORIAN_DATE,
  );
  if (sent === null) return;
  const { columns, rows } = await fetch(sent);
  const acceptedDatatypes = [datatype, ...indistinctDatatypes(dialect, datatype)];
  const actualDatatype = columns[0]!.datatype;
  assertSame(
    columns,
    [{ name: 'v', datatype: acceptedDatatypes.includes(actualDatatype) ? actualDatatype : datatype }],
    `columns of ${label}`,
  );
  const withoutZone = (cell: Cell): Cell => (acceptedDatatypes.length > 1 ? String(cell).replace(/Z$/, '') : cell);
  assertSame(withoutZone(normalizeCell(datatype, rows[0]![0]!)), withoutZone(expected), label);
}

/** Returns the SQL that svc writes for a value. Null for a date that the dialect refuses to write. */
async function textToSend(dialect: DialectName, text: () => string, mayRefuse: boolean): Promise<string | null> {
  try {
    return (await guardSql(text(), { dialect, relations: [], mode: 'govern', maxRows: null })).runs;
  } catch (error) {
    if (mayRefuse) return null;
    throw error;
  }
}

const placeholderOf = (dialect: DialectName, index: number): string =>
  findDialect(dialect).parameters.form === 'marks' ? '?' : `$${index}`;

const TRUNCATED: [Grain, string][] = [
  ['day', '2024-05-30'],
  ['week', '2024-05-27'],
  ['month', '2024-05-01'],
  ['quarter', '2024-04-01'],
  ['year', '2024-01-01'],
];

export const valueChecks: Record<string, FamilyChecks> = {
  values: {
    ...Object.fromEntries(
      VALUES.map(([datatype]) => [
        `returns every ${datatype} exactly, with its datatype`,
        async (session: WarehouseSession) => {
          if (!supportsDatatype(session.warehouse.dialect, datatype)) return;
          for (const [, input, expected] of VALUES.filter(([type]) => type === datatype))
            await assertReads(session, datatype, input, expected);
        },
      ]),
    ),
    'returns floats as numbers, and NaN by name': async ({ warehouse: { dialect }, row }) => {
      assertSame(
        await row(`${castTo(dialect, 'float', '0.1')}, ${castTo(dialect, 'float', '-1e300')}`),
        [0.1, -1e300],
        'floats',
      );
      if (dialect !== 'mysql') assertSame(await row(castTo(dialect, 'float', "'NaN'")), ['NaN'], 'not a number');
    },
    'returns null for every datatype': async ({ warehouse: { dialect }, row }) => {
      for (const datatype of ['string', 'integer', 'decimal', 'float', 'date', 'datetime'] as const)
        assertSame(await row(nullOf(dialect, datatype)), [null], `a null ${datatype}`);
    },
    'returns the columns with the names and in the order of the statement': async ({ fetch }) => {
      const { columns, rows } = await fetch('select 1 as b, 2 as a, 3 as long_name_of_a_column');
      assertSame(
        columns.map(({ name }) => name),
        ['b', 'a', 'long_name_of_a_column'],
        'column names',
      );
      assertSame(rows, [['1', '2', '3']], 'cells, in the order of the columns');
    },
  },
  parameters: {
    'binds parameters by name, in the order of the statement, as values and never as text': async ({
      warehouse: { dialect },
      fetch,
    }) => {
      const placeholders = [1, 2, 3].map((index) => placeholderOf(dialect, index));
      const sql = `select ${castTo(dialect, 'string', placeholders[0]!)} as s, ${castTo(dialect, 'integer', placeholders[1]!)} + 1 as i, ${castTo(dialect, 'date', placeholders[2]!)} as d`;
      const parameters = [
        { name: 'when', datatype: 'date' as const, value: '2024-02-29' },
        { name: 'text', datatype: 'string' as const, value: HOSTILE_TEXTS },
        { name: 'count', datatype: 'integer' as const, value: '9007199254740992' },
      ];
      const { rows } = await fetch(sql, { parameters }, ['text', 'count', 'when']);
      assertSame(rows, [[HOSTILE_TEXTS, '9007199254740993', '2024-02-29']], 'bound values');
    },
    'binds null': async ({ warehouse: { dialect }, fetch }) => {
      const sql = `select ${castTo(dialect, 'integer', placeholderOf(dialect, 1))} as v`;
      const parameters = [{ name: 'v', datatype: 'integer' as const, value: null }];
      assertSame((await fetch(sql, { parameters }, ['v'])).rows, [[null]], 'a bound null');
    },
  },
  dialect: {
    'truncates dates to the day, or to the first day of the ISO week, month, quarter or year': async ({
      warehouse: { dialect },
      row,
    }) => {
      const { compiling, writeExpression } = findDialect(dialect);
      const day = createConstant(dialect, '2024-05-30', 'date');
      for (const [grain, expected] of TRUNCATED)
        assertSame(
          await row(writeExpression(compiling.truncate(grain, day, 'date', null))),
          [expected],
          `the ${grain} of 2024-05-30`,
        );
    },
    'divides without losing the fraction, and returns null for division by zero': async ({
      warehouse: { dialect },
      row,
    }) => {
      const engine = findDialect(dialect);
      const quotientBy = (divisor: number): string =>
        engine.writeExpression(createNullSafeDivision(engine, numberOf(1), numberOf(divisor)));
      const [quarter, undefinedQuotient] = await row(`${quotientBy(4)}, ${quotientBy(0)}`);
      assertSame([Number(quarter), undefinedQuotient], [0.25, null], '1/4 and 1/0');
    },
    'sums, counts and compares exactly': async ({ row }) => {
      const valueRow = await row(
        'sum(n), count(*), count(distinct n), min(n), max(n)'.concat(` from (${manyRows(3)}) t`),
      );
      assertSame(valueRow.map(Number), [499_500, 1000, 1000, 0, 999], 'sum, count, distinct, min and max of 0 to 999');
      const big = '9007199254740993';
      assertSame(
        await row(`case when ${big} = ${big} - 1 then 'equal' else 'different' end`),
        ['different'],
        'two large integers',
      );
    },
    'compares texts with LIKE as svc writes it, with and without case': async ({ warehouse: { dialect }, row }) => {
      const { compiling, writeExpression } = findDialect(dialect);
      const text = createConstant(dialect, 'West 50% Wing', 'string');
      const matches = (pattern: string, anyCase: boolean, isEscaped = false) => {
        const like = compiling.like(text, createConstant(dialect, pattern, 'string'), anyCase, isEscaped);
        return writeExpression(caseOf(like, numberOf(1), numberOf(0)));
      };
      const cases = [
        matches('west%', true),
        matches('west%', false),
        matches('%50\\%%', true, true),
        matches('%50\\% x%', true, true),
      ];
      assertSame(
        (await row(cases.join(', '))).map(Number),
        [1, 0, 1, 0],
        'LIKE with a capital letter, case-sensitively, with an escaped character, without a match',
      );
    },
    'sorts nulls last where svc asks for it': async ({ warehouse: { dialect }, fetch }) => {
      const engine = findDialect(dialect);
      const selectValue = (value: Expression): Query => selectOf([itemOf(value, 'n')], []);
      const unionBase = { kind: 'set', operator: 'union', all: true, byName: false, ...EMPTY_TAIL } as const;
      const branches = [numberOf(1), createTypedNull(engine, 'integer'), numberOf(2)].map(selectValue);
      const rowsOfIt = branches.reduce((left, right) => ({ ...unionBase, left, right }));
      for (const direction of ['asc', 'desc'] as const) {
        const orderBy = createSortKeys(engine, columnOf('n'), direction);
        const query = selectOf([itemOf(columnOf('n'))], [derivedOf(rowsOfIt, 't')], { orderBy });
        const { rows } = await fetch(engine.write(query));
        assertSame(rows.flat(), direction === 'asc' ? ['1', '2', null] : ['2', '1', null], `order ${direction}`);
      }
    },
    'returns timestamps with a time zone in UTC': async ({ warehouse: { dialect }, row }) => {
      const lateInstant = formatLiteral(dialect, '2024-01-01T23:30:00Z', 'datetimetz');
      assertSame(await row(`cast(${lateInstant} as date)`), ['2024-01-01'], 'the day of 23:30 UTC');
      const midnight = formatLiteral(dialect, '2024-01-01T00:30:00Z', 'datetimetz');
      assertSame(await row(`cast(${midnight} as date)`), ['2024-01-01'], 'the day of 00:30 UTC');
    },
  },
};
