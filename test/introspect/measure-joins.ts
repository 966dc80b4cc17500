// npm run drafts:measure: measures how many undeclared joins a draft finds. It needs no network, and writes
// docs/measurements/drafted-joins.md. With the name of a schema, it prints only that one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { declaredSchemas } from './declared-schema.ts';
import { type Keys, type Measured, measureJoins, totals } from './measured-joins.ts';

const PAGE = new URL('../../docs/measurements/drafted-joins.md', import.meta.url);
const INTRODUCTION = `# Joins in drafts, compared with declared joins

\`npm run drafts:measure\` writes this page. The schemas in \`test/introspect/declared\` have the tables and columns of
thirty well-known systems, and generated rows. To mislead the draft, some number columns that aren't references contain
keys of other tables. Before svc drafts a lens, the measurement removes all foreign keys.

| term | meaning |
|---|---|
| found | a declared join that is also in the draft |
| wrong | a join in the draft that is not declared and doesn't follow from a chain of declared joins |
| recall | found joins, divided by declared joins |
| precision | joins in the draft that aren't wrong, divided by all joins in the draft |
`;
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

const only = process.argv[2];
const schemas = declaredSchemas().filter(({ name }) => !only || name === only);

async function measureAll(keys: Keys): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const schema of schemas) {
    const measurement = await measureJoins(schema, keys);
    all.push(measurement);
    console.log(
      `${measurement.schema.padEnd(18)} declared ${measurement.declared}, drafted ${measurement.drafted}, found ${measurement.found}`,
    );
    for (const missedJoin of measurement.missed) console.log(`  missed ${missedJoin}`);
    for (const wrong of measurement.wrong) console.log(`  wrong  ${wrong}`);
  }
  const { recall, precision } = totals(all);
  console.log(`Primary keys ${keys}: recall ${percent(recall)}, precision ${percent(precision)}\n`);
  return all;
}

const [declared, stripped] = [await measureAll('declared'), await measureAll('stripped')];

const shares = (all: Measured[]): string => {
  const { recall, precision } = totals(all);
  return `${percent(recall)} | ${percent(precision)}`;
};
const row = (schema: string, tables: number, first: Counts, second: Counts): string =>
  `| ${[schema, tables, first.declared, first.drafted, first.found, second.drafted, second.found].join(' | ')} |`;
type Counts = Pick<Measured, 'declared' | 'drafted' | 'found'>;

const joins = (found: { schema: string; joins: string[] }[]): string =>
  found
    .filter((item) => item.joins.length > 0)
    .map((item) => `${item.schema}: ${item.joins.map((join) => `\`${join}\``).join(', ')}`)
    .join('; ') || 'none';
const missed = declared.map(({ schema, missed: joins }) => ({ schema, joins }));
const missedWithoutKeys = stripped.map(({ schema, missed: joins }, n) => ({
  schema,
  joins: joins.filter((join) => !missed[n]!.joins.includes(join)),
}));
const wrong = declared.map(({ schema, wrong: joins }, n) => ({
  schema,
  joins: [...new Set([...joins, ...stripped[n]!.wrong])],
}));

if (!only) {
  mkdirSync(new URL('.', PAGE), { recursive: true });
  writeFileSync(
    PAGE,
    `${INTRODUCTION}
| primary keys | run | recall | precision |
|---|---|---:|---:|
| declared | first | 79.4% | 97.3% |
| declared | latest | ${shares(declared)} |
| removed | first | 72.0% | 97.0% |
| removed | latest | ${shares(stripped)} |

| schema | tables | declared | drafted | found | drafted, no primary keys | found, no primary keys |
|---|---:|---:|---:|---:|---:|---:|
${declared.map((item, n) => row(item.schema, item.tables, item, stripped[n]!)).join('\n')}
${row(
  'all',
  declared.reduce((sum, { tables }) => sum + tables, 0),
  totals(declared),
  totals(stripped),
)}

- Wrong joins: ${joins(wrong)}.
- Missed joins: ${joins(missed)}.
- Also missed without primary keys: ${joins(missedWithoutKeys)}.
`,
  );
}
