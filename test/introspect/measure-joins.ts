// How well joins are found where nothing declares them: npm run drafts:measure. Writes docs/measurements/drafted-joins.md.
import { declaredSchemas } from './declared-schema.ts';
import { type Keys, type Measured, measureJoins } from './measured-joins.ts';

const only = process.argv[2];
for (const keys of ['declared', 'stripped'] as Keys[]) {
  const all: Measured[] = [];
  for (const schema of declaredSchemas()) {
    if (only && schema.name !== only) continue;
    const one = await measureJoins(schema, keys);
    all.push(one);
    console.log(
      `${one.schema.padEnd(18)} ${String(one.declared).padStart(4)} ${String(one.drafted).padStart(4)} ${String(one.found).padStart(4)}`,
    );
    for (const missed of one.missed) console.log(`    missed ${missed}`);
    for (const wrong of one.wrong) console.log(`    WRONG  ${wrong}`);
  }
  const sum = (of: (one: Measured) => number): number => all.reduce((total, one) => total + of(one), 0);
  const [declared, drafted, found, wrong] = [
    sum((one) => one.declared),
    sum((one) => one.drafted),
    sum((one) => one.found),
    sum((one) => one.wrong.length),
  ];
  console.log(
    `keys ${keys}: declared ${declared}, drafted ${drafted}, found ${found}, wrong ${wrong}: recall ${((100 * found) / declared).toFixed(1)} %, precision ${((100 * (drafted - wrong)) / drafted).toFixed(1)} %`,
  );
}
