// Questions that outside analysts asked about papers, with verbs that describe the measured rows, groups that a linking
// table leads to, and an order by the key of the groups.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LENS = `
name: library
title: Library
description: Papers, their topics and keyphrases.
connection: library
timezone: UTC
datasets:
  paper:
    source: main.paper
    primary_key: [paperid]
    fields:
      paperid: {datatype: integer}
      title: {datatype: string}
      year: {datatype: integer}
      citation_num: {datatype: integer, aggregation: sum, synonyms: [number of citations]}
  topic:
    source: main.topic
    primary_key: [tid]
    fields:
      tid: {datatype: integer}
      name: {datatype: string}
  topic_paper:
    source: main.topic_paper
    primary_key: [tid, paperid]
    fields:
      tid: {datatype: integer}
      paperid: {datatype: integer}
  keyphrase:
    source: main.keyphrase
    primary_key: [keyphraseid]
    fields:
      keyphraseid: {datatype: integer}
      keyphrasename: {datatype: string}
  paperkeyphrase:
    source: main.paperkeyphrase
    primary_key: [paperid, keyphraseid]
    fields:
      paperid: {datatype: integer}
      keyphraseid: {datatype: integer}
relationships:
  - {from: topic_paper.tid, to: topic.tid}
  - {from: topic_paper.paperid, to: paper.paperid}
  - {from: paperkeyphrase.paperid, to: paper.paperid}
  - {from: paperkeyphrase.keyphraseid, to: keyphrase.keyphraseid}
`;
const folder = await temporaryFolder();
await createDuckdbFile(
  join(folder, 'library.duckdb'),
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
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': 'connections: {library: {kind: duckdb, path: ./library.duckdb}}',
    'lenses/library/lens.yaml': LENS,
  },
});

it.each([
  [
    'What is the average number of citations received by papers in each year?',
    [
      [2020, 6.5],
      [2021, 1],
    ],
  ],
  [
    'What is the average number of citations of papers in each topic name?',
    [
      ['Law', 1, 4.5],
      ['Art', 2, 3],
    ],
  ],
  [
    'What is the total number of keyphrases associated with each paper, ordered by the paper ID in ascending order?',
    [
      ['B', 1, 1],
      ['A', 3, 2],
    ],
  ],
])('answers %s', async (q, rows) => {
  const { body } = await svc.post<Envelope>('/v1/lenses/library/query', { q });
  expect([body.status, body.answer, body.data?.map(Object.values)]).toEqual(['answered', body.answer, rows]);
});
