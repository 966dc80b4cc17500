// Checks what the guard needs from a dialect: the dialect reads SQL into a tree and writes it again without loss, and
// it refuses constructs that the tree can't express.
import type { Dialect } from '../../src/dialects/dialect.ts';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import { areTreesEqual } from '../../src/dialects/nodes.ts';
import type { Query } from '../../src/dialects/tree.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import type { GuardScope } from '../../src/guard/guarded-sql.ts';
import { formatLiteral, quoteIdentifier } from '../../src/guard/literals.ts';
import { assertRefused, assertSame, assertTrue, type Check } from './check.ts';

const MIN_CASES = 20;
const NON_QUERIES = [
  'delete from t',
  'update t set a = 1',
  'insert into t select a from t',
  'create table u as select a from t',
  'drop table t',
  'select a from t; drop table t',
  'select a from t; select a from t',
  'select a into u from t',
  'select a from t for update',
  'explain select a from t',
  'set x = 1',
  '',
  'select',
  'select a from t where (a = 1',
];
const SAMPLE_TEXTS = [
  '',
  'West',
  "it's",
  "''",
  'back\\slash',
  "\\'",
  '100%',
  '-- no',
  '/* no',
  '"',
  '`',
  ';',
  'ünï 漢 😀',
  '$1',
  ':a',
  '?',
];
const NAMES = ['a', 'two words', 'select', 'Order', 'x"y', 'x`y', 'ünï', "it's", 'a.b', '1st'];

async function treeOf(dialect: Dialect, sql: string): Promise<Query> {
  const faults = new FaultCollector();
  const query = await dialect.read(sql, faults);
  const [fault] = faults.list;
  assertTrue(query !== null && fault === undefined, `${sql} is refused: ${fault?.message}`);
  return query;
}

async function outputOf(dialect: Dialect, expression: string) {
  const query = await treeOf(dialect, `select ${expression}`);
  return query.kind === 'select' && query.items.length === 1 ? query.items[0]! : null;
}

export function dialectChecks(dialect: Dialect): Check[] {
  const check = (family: string, name: string, run: () => Promise<void>): Check => ({ family, name, run });
  const quote = (name: string): string => quoteIdentifier(dialect.name, name);
  const hiddenReadSql = `select ${quote('a')} from ${quote('t')} where ${quote('b')} = ${formatLiteral(dialect.name, 'own', 'string')}`;
  const scope: GuardScope = {
    dialect: dialect.name,
    mode: 'govern',
    maxRows: 10,
    relations: [
      {
        source: { catalog: null, schema: null, table: 't' },
        dataset: 't',
        columns: ['a'],
        masked: [],
        policies: ['own'],
        body: hiddenReadSql,
      },
    ],
  };
  return [
    check(
      'reading',
      `has at least ${MIN_CASES} cases, and reads each of them as the same tree after writing it`,
      async () => {
        assertTrue(dialect.cases.length >= MIN_CASES, `there are only ${dialect.cases.length} cases`);
        for (const sql of dialect.cases) {
          const tree = await treeOf(dialect, sql);
          const text = dialect.write(tree);
          assertTrue(
            areTreesEqual(tree, await treeOf(dialect, text)),
            `${sql} comes back as another statement: ${text}`,
          );
        }
      },
    ),
    check('refusing', 'refuses everything that is not a single query', async () => {
      for (const sql of NON_QUERIES) {
        const faults = new FaultCollector();
        const query = await dialect.read(sql, faults);
        assertTrue(query === null || faults.list.length > 0, `${sql} is not refused`);
      }
    }),
    check('constants', 'reads a quoted text as one constant, and writes the same constant again', async () => {
      for (const text of SAMPLE_TEXTS) {
        const value = (await outputOf(dialect, formatLiteral(dialect.name, text, 'string')))?.value;
        assertTrue(value?.kind === 'literal' && value.type === 'string', `${text} is not read as a text constant`);
        assertSame(value.value, text, 'the constant');
        const writtenValue = (await outputOf(dialect, dialect.writeExpression(value)))?.value;
        assertTrue(
          writtenValue?.kind === 'literal' && writtenValue.value === text,
          `${text} is written as another constant`,
        );
      }
    }),
    check('names', 'reads each name that svc quotes as that name', async () => {
      for (const name of NAMES) {
        const item = await outputOf(dialect, `${quote('t')}.${quote(name)} as ${quote(name)}`);
        assertSame(item?.value.kind === 'column' ? item.value.path : null, ['t', name], 'the column');
        assertSame(item?.alias, name, 'the alias');
      }
    }),
    check('governing', 'puts the row policy in place of the table, and reads the SQL that it writes', async () => {
      const { runs } = await guardSql(`select ${quote('a')} from ${quote('t')}`, scope);
      const outerQuery = await treeOf(dialect, runs);
      const [from] = outerQuery.kind === 'select' ? outerQuery.from : [];
      const inside = from?.kind === 'derived' ? from.query : null;
      assertTrue(
        inside !== null && areTreesEqual(inside, await treeOf(dialect, hiddenReadSql)),
        `the policy is not in ${runs}`,
      );
      assertTrue(outerQuery.limit !== null, `there is no limit in ${runs}`);
    }),
    check('governing', 'refuses columns, tables and functions that are not listed', async () => {
      for (const sql of [
        'select b from t',
        'select a from u',
        'select no_such_function(a) from t',
        'select t.b from t',
      ]) {
        const { code } = await assertRefused(guardSql(sql, scope), sql);
        assertSame(code, 'guard_refused', sql);
      }
    }),
  ];
}
