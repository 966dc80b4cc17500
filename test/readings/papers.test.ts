// Questions that outside analysts asked about papers, with verbs that describe the measured rows, groups that are
// reachable only through a bridge table, and an order by the key of the groups.
import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `
name: library
title: Library
description: Papers, their topics and keyphrases.
connection: library
timezone: UTC
datasets:
  paper: main.paper (paperid integer key, title string, year integer, citation_num integer {aggregation: sum, synonyms: [number of citations]})
  topic: main.topic (tid integer key, name string)
  topic_paper: main.topic_paper (tid integer key, paperid integer key)
  keyphrase: main.keyphrase (keyphraseid integer key, keyphrasename string)
  paperkeyphrase: main.paperkeyphrase (paperid integer key, keyphraseid integer key)
relationships:
  - {from: topic_paper.tid, to: topic.tid}
  - {from: topic_paper.paperid, to: paper.paperid}
  - {from: paperkeyphrase.paperid, to: paper.paperid}
  - {from: paperkeyphrase.keyphraseid, to: keyphrase.keyphraseid}
`;
const { ask } = await startDuckdbLens(
  [LENS],
  'create table paper (paperid int primary key, title varchar, year int, citation_num int)',
  "insert into paper values (3, 'A', 2020, 5), (1, 'B', 2020, 8), (2, 'C', 2021, 1)",
  'create table topic (tid int primary key, name varchar)',
  "insert into topic values (1, 'Law'), (2, 'Art')",
  'create table topic_paper (tid int, paperid int, primary key (tid, paperid))',
  'insert into topic_paper values (1, 1), (1, 2), (2, 2), (2, 3)',
  'create table keyphrase (keyphraseid int primary key, keyphrasename varchar)',
  "insert into keyphrase values (1, 'x'), (2, 'y')",
  'create table paperkeyphrase (paperid int, keyphraseid int, primary key (paperid, keyphraseid))',
  'insert into paperkeyphrase values (3, 1), (3, 2), (1, 1)',
);

it.each<[string, unknown[][]]>(caseRows(import.meta.dirname, 'papers.jsonl'))('answers %s', async (q, rows) => {
  const body = await ask(q);
  expect([body.status, body.answer, body.data?.map(Object.values)]).toEqual(['answered', body.answer, rows]);
});
