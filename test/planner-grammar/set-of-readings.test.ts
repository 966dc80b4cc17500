// Compares the decision and the interpretations of each recorded question, and their grammar entries, with the accepted
// ones. A change of the grammar must change only the intended interpretations.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interpretQuestion } from '../../src/reader/decide/interpret.ts';
import { compileGrammar } from '../../src/reader/decide/parse-question.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import { entriesOf } from '../support/entries-of.ts';
import { ROOT } from '../support/own-process.ts';
import { planBrief } from '../support/plan-brief.ts';
import { turnsOf } from '../support/turns.ts';
import { type Recorded, recordedQuestions } from './recorded-questions.ts';

/** For each lens: the number of each decision, and a hash of the decisions and interpretations. */
const KEPT = join(import.meta.dirname, 'set-of-readings.tsv');
/**
 * The interpretations for each hash that a run on this machine has accepted, so that a failure can list the changes.
 */
const SEEN = join(ROOT, 'node_modules/.cache/svc-readings');
const ACCEPT = 'ACCEPT_READINGS=1 npx vitest run test/planner-grammar/set-of-readings.test.ts';
const now = new Date('2024-06-30T12:00:00Z');
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6);
const readingInput = ({ question, lens }: Recorded) => ({ ...turnsOf(question), lens, choices: {}, now });

/** Writes the hashes of the plans of all interpretations, and the ids of the grammar entries that they use. */
const readingsText = (one: Recorded, as?: ReturnType<typeof compileGrammar>): string => {
  const complete = interpretQuestion(readingInput(one), as)?.interpretations ?? [];
  const plans = new Set(complete.map(({ plan }) => shortHash(planBrief(plan))));
  const entries = new Set(complete.flatMap(({ edge }) => [...entriesOf(edge)]));
  return `${[...plans].sort().join(',')}	${[...entries].sort().join(',')}`;
};
/** The messages that svc returns for questions without an interpretation. */
const nos = new Map<string, string>();
const lineOf = (one: Recorded): string => {
  const read = readQuestion(readingInput(one));
  if (read.kind === 'refused' && read.isExplained) nos.set(`${one.called}: ${one.question}`, read.message);
  const decision =
    read.kind === 'plan'
      ? `${read.doubt === null ? 'answered' : 'doubted'} ${shortHash(planBrief(read.plan))}`
      : read.kind === 'clarification'
        ? 'asked back'
        : 'refused';
  return `${one.called}\t${one.question}\t${decision}\t${readingsText(one)}`;
};
/** The entries in another order. */
const shuffle = <T>(all: readonly T[]): T[] =>
  all
    .map((item, at) => ({ one: item, at: (at * 7919 + 31) % 10_007 }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
const recorded: Recorded[] = await recordedQuestions();
const lines: string[] = recorded.map(lineOf);
const linesOf = (lens: string): string[] => lines.filter((line) => line.startsWith(`${lens}\t`));
const summaryOf = (lens: string): string => {
  const decisions = linesOf(lens).map((line) => line.split('\t')[2]!.replace(/(?<=^answered|^doubted) .*/, ''));
  const counts = ['answered', 'doubted', 'asked back', 'refused'].map(
    (name) => `${decisions.filter((decision) => decision === name).length} ${name}`,
  );
  return `${lens}\t${counts.join(', ')}\t${shortHash(linesOf(lens).join('\n'))}`;
};
const lenses = [...new Set(recorded.map(({ called }) => called))];
if (process.env['ACCEPT_READINGS']) writeFileSync(KEPT, `${lenses.map(summaryOf).join('\n')}\n`);

test.each(lenses)('keeps the interpretations of %s until a person accepts a change', (lens) => {
  const kept = readFileSync(KEPT, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${lens}\t`))!;
  const seen = join(SEEN, `${kept.split('\t')[2]}.tsv`);
  if (kept === summaryOf(lens)) {
    mkdirSync(SEEN, { recursive: true });
    writeFileSync(seen, linesOf(lens).join('\n'));
    return;
  }
  const before = existsSync(seen) ? readFileSync(seen, 'utf8').split('\n') : null;
  const changes = before
    ? [
        ...before.filter((line) => !linesOf(lens).includes(line)).map((line) => `- ${line}`),
        ...linesOf(lens)
          .filter((line) => !before.includes(line))
          .map((line) => `+ ${line}`),
      ]
    : ['To list the changes, run this test before the change, too.'];
  expect(summaryOf(lens), [`To accept: ${ACCEPT}`, ...changes].join('\n')).toBe(kept);
});

test('interprets questions identically with the grammar entries in another order', () => {
  const reordered = compileGrammar(shuffle(CONSTRUCTIONS));
  const some = recorded.filter((_, at) => at % 5 === 0);
  expect(
    some.filter((item) => readingsText(item, reordered) !== readingsText(item)).map(({ question }) => question),
  ).toEqual([]);
});

test('uses every grammar entry in at least one recorded question', () => {
  const used = new Set(lines.flatMap((line) => line.split('\t').at(-1)!.split(',')));
  const dead = CONSTRUCTIONS.map(({ id }) => id).filter((id) => !used.has(id));
  expect(dead).toEqual([]);
});

test('suggests a next step for a question without an interpretation, and uses no terms of plans', () => {
  const WAY = /\b(?:say|ask|name|leave|write|compare|spell|choose|show)\b/i;
  const OF_PLANS = /\bvia\b|[{}]|\bdimensions?\b|\bnull\b|\bshare_of\w+/;
  const dead = [...nos].filter(([, message]) => !WAY.test(message) || OF_PLANS.test(message));
  expect(nos.size).toBeGreaterThan(0);
  expect(dead).toEqual([]);
});
