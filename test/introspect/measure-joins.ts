// npm run drafts:measure: measures how many undeclared joins a draft finds. It needs no network, and writes
// docs/measurements/drafted-joins.md. With the name of a schema, it prints only that one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { declaredSchemas } from './declared-schema.ts';
import { type Keys, type Measured, measureJoins, totals } from './measured-joins.ts';

const PAGE = new URL('../../docs/measurements/drafted-joins.md', import.meta.url);
const INTRODUCTION = `# Joins in drafts, compared with declared joins

\`npm run drafts:measure\` writes this page. The page shows how many joins a draft finds if the database declares no foreign
keys. The schemas in \`test/introspect/declared\` have the tables and columns of thirty well-known systems. These schemas
were written before svc drafted lenses from them. A generator fills the tables with rows. To mislead the draft, the
generator also writes keys of other tables into number columns that aren't references. The measurement removes the
foreign keys first, and then the primary keys too. Then svc drafts a lens.

| term | meaning |
|---|---|
| found | a declared join that is also in the draft |
| wrong | a join in the draft that is not declared and doesn't follow from a chain of declared joins |
| recall | found joins, divided by declared joins |
| precision | joins in the draft that aren't wrong, divided by all joins in the draft |

The first run had a recall of 79.4 % and a precision of 97.3 % with declared primary keys, and 72.0 % and 97.0 % without.
`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const only = process.argv[2];
const schemas = declaredSchemas().filter(({ name }) => !only || name === only);
const sections: string[] = [];
for (const [keys, title] of [
  ['declared', 'Primary keys declared, foreign keys removed'],
  ['stripped', 'Nothing declared'],
] as [Keys, string][]) {
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
  const { declared, drafted, found, wrong, recall, precision } = totals(all);
  console.log(`${title}: recall ${percent(recall)}, precision ${percent(precision)}\n`);
  sections.push(`## ${title}
Recall ${percent(recall)}, precision ${percent(precision)}.

| schema | tables | declared | drafted | found | wrong |
|---|---:|---:|---:|---:|---:|
${all.map((item) => `| ${item.schema} | ${item.tables} | ${item.declared} | ${item.drafted} | ${item.found} | ${item.wrong.length} |`).join('\n')}
| all | ${all.reduce((sum, { tables }) => sum + tables, 0)} | ${declared} | ${drafted} | ${found} | ${wrong} |

Wrong: ${all.flatMap(({ wrong }) => wrong.map((item) => `\`${item}\``)).join(', ') || 'none'}.

Missed: ${all.flatMap(({ schema, missed }) => (missed.length > 0 ? [`${schema}: ${missed.map((item) => `\`${item}\``).join(', ')}`] : [])).join('; ')}.
`);
}
if (!only) {
  mkdirSync(new URL('.', PAGE), { recursive: true });
  writeFileSync(PAGE, [INTRODUCTION, ...sections].join('\n'));
}
