// Replies without rows: definitions for a question about a term, and suggestions of other words. A column with the name
// of a common word doesn't change the meaning of this word.
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';

const LENS = lensText(`name: school
title: School
description: Students and how they study.
connection: shop
grants: {callers: [quickstart]}
timezone: UTC
datasets:
  student_record: main.students (student_id integer key, how string auto {description: How the student attends.}, posted string auto, many integer, credits integer, fees decimal {aggregation: average}, term string auto) {description: Students.; synonyms: [students]}
metrics:
  student_count: {expression: count(*), dataset: student_record, description: Students., synonyms: [number of students]}
  average_credits: {expression: avg(student_record.credits), description: Mean credits., synonyms: [mean credits]}
definitions:
  - term: TAC
    senses:
      - {key: test, label: Test, meaning: Threshold of the admission committee.}
      - {key: total, label: Total, meaning: Total academic credits.}
  - {term: probation, meaning: A term with less than half of the credits.}
sample_questions: ["How many students are there by term?"]
`);
const GUESTS = lensText(`name: guests
title: Guests
connection: shop
grants: {callers: [quickstart]}
datasets:
  stays: main.stays (stay_id integer key, guest_id integer, nights integer) {synonyms: [check-in, walkin]}
  guests: main.guests (guest_id integer key, gname string mask, town string)
relationships:
  - {name: guest, from: stays.guest_id, to: guests.guest_id}
metrics:
  nights: {expression: sum(stays.nights), description: Nights.}
`);
const CONFIG = `connections:
  shop: {kind: duckdb, files: {students: {path: ./data/orders.csv, select: "select row_id as student_id, segment as how, region as posted, row_id as many, 3 as credits, 7.5 as fees, segment as term from source"}, stays: {path: ./data/orders.csv, select: "select row_id as stay_id, row_id as guest_id, 2 as nights from source"}, guests: {path: ./data/orders.csv, select: "select row_id as guest_id, 'N' as gname, region as town from source"}}}
`;
const app = await startTestApp({
  files: { 'svc.config.yaml': CONFIG, 'lenses/school/lens.yaml': LENS, 'lenses/guests/lens.yaml': GUESTS },
});

const ask = async (q: string, choices = {}): Promise<Envelope> =>
  (await app.post<Envelope>('/v1/lenses/school/query', { q, choices, plan: true })).body;

it('answers a term that has several definitions and no metric with its definitions', async () => {
  for (const q of ['What is the TAC?', 'what does TAC mean', 'definition of TAC']) {
    const { status, answer, citations, confidence, data } = await ask(q);
    expect([q, status, confidence, data]).toEqual([q, 'answered', 'partial', null]);
    expect(answer).toContain('Threshold of the admission committee.');
    expect(answer).toContain('Total academic credits.');
    expect(citations.map(({ kind, text }) => [kind, text])).toContainEqual(['definition', 'Total academic credits.']);
  }
  expect((await ask('What is probation?')).answer).toContain('A term with less than half of the credits.');
  const mcp = await app.callTool('query', { lens: 'school', q: 'What is the TAC?' });
  expect(mcp.structuredContent).toMatchObject({ ok: true, status: 'answered' });
  expect(mcp.content[0]!.text).toContain('Total academic credits.');
  const messages = [{ role: 'user', content: 'What is the TAC?' }];
  const chat = await app.post('/v1/chat/completions', { model: 'svc/school', messages });
  expect(chat.body.choices[0].message.content).toContain('Total academic credits.');
  // If the question asks for numbers about the term, svc doesn't answer with definitions.
  for (const q of ['TAC by term', 'share of TAC', 'number of TAC'])
    expect([q, (await ask(q)).status]).toEqual([q, 'refused']);
});

it('shows the key instead of a masked name, and grades the answer partial', async () => {
  const askGuests = async (q: string) => (await app.post<Envelope>('/v1/lenses/guests/query', { q })).body;
  expect(await askGuests('nights by guest')).toMatchObject({ confidence: 'verified' });
  for (const q of ['nights by guest name', 'average nights by guest name', 'nights per guest names'])
    expect([q, await askGuests(q)]).toMatchObject([
      q,
      { confidence: 'partial', warnings: expect.arrayContaining([expect.stringContaining('show the name of')]) },
    ]);
});

it('reads hyphenated words and their plurals as the name with or without a hyphen', async () => {
  for (const q of ['how many check-ins', 'number of check-ins per guest', 'how many walk-ins', 'number of walkins']) {
    const { body } = await app.post<Envelope>('/v1/lenses/guests/query', { q, plan: true });
    expect([q, body.status, JSON.stringify(body.plan)]).toEqual([q, 'answered', expect.stringContaining('stays')]);
  }
});

it('doesn’t read words such as how and many as the columns with those names', async () => {
  for (const q of ['How many students are there?', 'how many students', 'How many students are there by term?']) {
    const { status, plan } = await ask(q);
    expect([q, status]).toEqual([q, 'answered']);
    expect([q, JSON.stringify(plan)]).toEqual([q, expect.not.stringMatching(/\.(?:how|many|posted)\b/)]);
  }
  for (const q of ['How many blithering students are there by term?', 'how many students were bedazzled']) {
    const { proposal } = await ask(q);
    expect([q, JSON.stringify(proposal?.plan)]).toEqual([q, expect.stringContaining('student_count')]);
    expect(JSON.stringify(proposal?.plan)).not.toMatch(/\.(?:how|many|posted)\b/);
  }
  expect(await ask('How many students are there by how?')).toMatchObject({ status: 'answered' });
});

it('suggests questions with a refusal, and answers each of them', async () => {
  let refusedCount = 0;
  for (const q of [
    'credits by term',
    'what are the credits',
    'wombats by term',
    'students in october',
    'top 3 terms',
  ]) {
    const { status, answer, suggestions } = await ask(q);
    if (status !== 'refused') continue;
    refusedCount++;
    expect(answer).toContain(`"${suggestions![0]}"`);
    for (const suggestion of suggestions!)
      expect([q, suggestion, (await ask(String(suggestion))).status]).toEqual([q, suggestion, 'answered']);
  }
  expect(refusedCount).toBeGreaterThan(1);
});

it('suggests no question that shares only grammar words with the refused question', async () => {
  for (const q of ['Which wombats are there?', 'Who is the tallest by far?']) {
    const { status, answer, suggestions } = await ask(q);
    expect([q, status, suggestions]).toEqual([q, 'refused', []]);
    expect(answer).not.toContain('such as');
  }
});

it('suggests no total of a field that can’t be summed', async () => {
  const { suggestions } = await ask('what are the fees');
  expect(suggestions).toEqual(['what are the average fees']);
});

it('suggests a name for a typo or a synonym, not for words that only look alike', async () => {
  const nearestNames = async (q: string) =>
    ((await ask(q)).unplaced ?? []).map(({ text, nearest: near }) => [text, near.map(({ name }) => name)]);
  expect(await nearestNames('creditz score by term')).toEqual([
    ['creditz', ['student_record.credits']],
    ['score', []],
  ]);
  // These words are similar in spelling but have other meanings.
  for (const word of ['edits', 'germ', 'cow', 'roasted', 'men'])
    expect([word, await nearestNames(`${word} by warehouse`)]).toEqual([
      word,
      [
        [word, []],
        ['warehouse', []],
      ],
    ]);
  expect((await ask('avergae credits by term')).clarification?.options).toEqual([
    { key: 'average', label: 'average', meaning: null },
  ]);
});
