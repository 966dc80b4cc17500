// The decision and the readings for each recorded question, with their grammar entries. A change of the grammar must
// change only the intended lines.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { interpretQuestion } from '../../src/reader/decide/interpret.ts';
import { compileGrammar } from '../../src/reader/decide/parse-question.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import { entriesOf } from '../support/entries-of.ts';
import { planBrief } from '../support/plan-brief.ts';
import { turnsOf } from '../support/turns.ts';
import { type Recorded, recordedQuestions } from './recorded-questions.ts';

const KEPT = join(import.meta.dirname, 'set-of-readings.txt');
/** The decision on each question that the file omits: svc refuses the question, which has no reading. */
const UNREAD = '\trefused\t\t';
const ACCEPT = 'ACCEPT_READINGS=1 npx vitest run test/planner-grammar/set-of-readings.test.ts';
const now = new Date('2024-06-30T12:00:00Z');
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6);
const readingInput = ({ question, lens }: Recorded) => ({ ...turnsOf(question), lens, choices: {}, now });

/** Writes the hashes of the plans of all readings, and the ids of the grammar entries that the readings use. */
const readingsText = (one: Recorded, as?: ReturnType<typeof compileGrammar>): string => {
  const complete = interpretQuestion(readingInput(one), as)?.interpretations ?? [];
  const plans = new Set(complete.map(({ plan }) => shortHash(planBrief(plan))));
  const entries = new Set(complete.flatMap(({ edge }) => [...entriesOf(edge)]));
  return `${[...plans].sort().join(',')}	${[...entries].sort().join(',')}`;
};
/** The messages that svc returns for questions without a reading. */
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
if (process.env['ACCEPT_READINGS']) {
  const keptLines = lines.filter((line) => !line.endsWith(UNREAD));
  writeFileSync(KEPT, `${keptLines.join('\n')}\n`);
}

test('keeps the recorded readings until a change is accepted', () => {
  const keptLines = readFileSync(KEPT, 'utf8').replace(/\n$/, '').split('\n');
  const keyOf = (line: string): string => line.split('\t').slice(0, 2).join(': ');
  const before = new Map(keptLines.map((line) => [keyOf(line), line]));
  const changedLines = lines.flatMap((line) => {
    const old = before.get(keyOf(line)) ?? UNREAD;
    const partsOf = (of: string) => of.split('\t').slice(-3).join(' | ');
    return line.endsWith(old) ? [] : [`${keyOf(line)}\n  was ${partsOf(old)}\n  is  ${partsOf(line)}`];
  });
  const missingKeys = [...before.keys()].filter((key) => !lines.some((line) => keyOf(line) === key));
  expect(
    changedLines.length + missingKeys.length,
    [`To accept: ${ACCEPT}`, ...changedLines, ...missingKeys.map((key) => `${key}\n  is gone`)].join('\n'),
  ).toBe(0);
});

test('reads questions identically with the grammar entries in another order', () => {
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

test('suggests a next step for a question without a reading, in words without terms of plans', () => {
  const WAY = /\b(?:say|ask|name|leave|write|compare|spell|choose|show)\b/i;
  const OF_PLANS = /\bvia\b|[{}]|\bdimensions?\b|\bnull\b|\bshare_of\w+/;
  const dead = [...nos].filter(([, message]) => !WAY.test(message) || OF_PLANS.test(message));
  expect(nos.size).toBeGreaterThan(0);
  expect(dead).toEqual([]);
});
