// Planning as a lens grows: from a question to SQL, over lenses of 3, 30 and 300 tables with ten fields each. The first
// question includes building the vocabulary. The other questions differ, so that no cache answers them. The benchmark
// also completes such a question after a few letters.
import { completeQuestion } from '../../src/ask/complete-question.ts';
import { compileLens } from '../../src/lens/compile/compile-lens.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import type { Caller } from '../../src/lens/model/lens.ts';
import { compilePlan } from '../../src/plan/sql/compile-plan.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import { median, quantile, roundTo } from './measure.ts';

const SIZES = [3, 30, 300];
const FIELDS = 10;
const CALLER: Caller = { name: 'bench', groups: [], attributes: {}, superuser: true };
const SYLLABLES = ['ba', 'do', 'fi', 'gu', 'ke', 'lo', 'mi', 'nu', 'pa', 'ro', 'su', 'ti', 've', 'wo', 'za'];

/** Words that occur in one table only and in no lexicon. */
const word = (n: number): string => {
  const digits = [n % 15, Math.floor(n / 15) % 15, Math.floor(n / 225) % 15];
  return digits.map((digit) => SYLLABLES[digit]).join('');
};

function lensFile(tables: number): string {
  const datasets = Array.from({ length: tables }, (_, n) => {
    const name = word(n);
    const text = Array.from({ length: FIELDS - 5 }, (_, f) => `      ${name}_${word(1_000 + f)}: {datatype: string}`);
    return `  ${name}:
    source: main.${name}
    description: One row per ${name}.
    primary_key: [id]
    time_field: happened_on
    fields:
      id: {datatype: integer}
      ${n === 0 ? 'note: {datatype: string}' : `${word(0)}_id: {datatype: integer}`}
      happened_on: {datatype: date}
      kind: {datatype: string, values: [red ${name}, green ${name}, blue ${name}]}
      ${name}_amount: {datatype: decimal}
${text.join('\n')}`;
  });
  const joins = Array.from({ length: tables - 1 }, (_, n) => {
    const from = word(n + 1);
    return `  - {from: ${from}.${word(0)}_id, to: ${word(0)}.id}`;
  });
  const metrics = Array.from(
    { length: tables },
    (_, n) =>
      `  ${word(n)}_total: {expression: sum(${word(n)}.${word(n)}_amount), description: Amounts., synonyms: [${word(n)} takings]}`,
  );
  return `name: grown
title: Grown
description: Generated.
connection: bench
datasets:
${datasets.join('\n')}
relationships:
${joins.join('\n')}
metrics:
${metrics.join('\n')}
`;
}

export async function measurePlanning(rounds: number) {
  const results = [];
  for (const tables of SIZES) {
    const { project, problems } = readProject({ 'lenses/grown/lens.yaml': lensFile(tables) });
    const source = project.lenses[0];
    if (!source) throw new Error(JSON.stringify(problems));
    const { lens, problems: faults } = await compileLens(source, { definitions: [], entities: {}, dialect: 'duckdb' });
    if (!lens) throw new Error(JSON.stringify(faults.slice(0, 5)));
    const questionOf = (turn: number): string => {
      const name = word(turn % tables);
      return [
        `${name} takings by kind in ${2_000 + (turn % 90)}`,
        `top ${2 + (turn % 90)} kinds by ${name} takings`,
        `${name} takings where kind is red ${name} per month of ${2_000 + (turn % 90)}`,
      ][turn % 3]!;
    };
    const complete = (turn: number): number => {
      const question = questionOf(turn);
      const q = question.slice(0, 1 + ((turn * 7) % question.length));
      const startedAt = performance.now();
      completeQuestion(lens, CALLER, { q, before: [], limit: 20 }, { now: new Date(), dataEnd: null });
      return performance.now() - startedAt;
    };
    const plan = async (turn: number) => {
      const question = questionOf(turn);
      const startedAt = performance.now();
      const reading = readQuestion({ question, lens, now: new Date(), choices: {} });
      if (reading.kind !== 'plan') throw new Error(`${question}: ${JSON.stringify(reading)}`);
      await compilePlan(lens, reading.plan, CALLER, { maxRows: 5_000 });
      return performance.now() - startedAt;
    };
    const first = await plan(0);
    const [times, completions]: [number[], number[]] = [[], []];
    for (let turn = 1; turn <= rounds + 20; turn++) {
      const ms = await plan(turn);
      if (turn > 20) times.push(ms);
    }
    for (let turn = 1; turn <= rounds + 20; turn++) {
      const ms = complete(turn);
      if (turn > 20) completions.push(ms);
    }
    results.push({
      tables,
      fields: tables * FIELDS,
      first: roundTo(first),
      p50: roundTo(median(times), 3),
      p95: roundTo(quantile(times, 0.95), 3),
      complete_p50: roundTo(median(completions), 3),
      complete_p95: roundTo(quantile(completions, 0.95), 3),
    });
  }
  return results;
}
