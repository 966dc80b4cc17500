// draftLens is a pure function of the catalog, the statistics and the proven joins.
import type { DialectName } from '../../../contract/warehouse.ts';
import { splitNameIntoWords as plainWords } from '../../../lens/model/name-words.ts';
import { toPlural } from '../../../lens/model/singular.ts';
import { runWithoutPauses } from '../../../platform/schedule/in-turns.ts';
import { isLinkingWord } from '../../../reader/words/grammar-words.ts';
import type { NamedTable } from '../columns/schema-words.ts';
import { findOtherTableNames } from '../columns/table-words.ts';
import { findJoinsByNamesAlone, type ProvenJoins } from '../joins/prove-joins.ts';
import { createJoinFact, createKeyFacts } from './draft-facts.ts';
import { type DraftFinding, writeReviewNotes } from './draft-finding.ts';
import { draftMetrics } from './draft-metrics.ts';
import { draftRelationships, nameDatasets } from './draft-relationships.ts';
import { type DraftedTable, draftTable } from './draft-table.ts';
import { writeLensYaml } from './write-lens-yaml.ts';

export interface DraftOptions {
  name: string;
  connection: string;
  dialect: DialectName;
  tables: readonly NamedTable[];
  /** Absent if svc read no values, so that the draft depends on names alone. */
  proven?: ProvenJoins | undefined;
}
export interface LensDraft {
  text: string;
  /** Omitted columns, each with the reason. */
  left_out: string[];
  /** Visible fields with personal data. */
  personal: string[];
  sample_questions: string[];
  joins: { from: string | string[]; to: string | string[]; evidence: string }[];
  look_at: DraftFinding[];
}
const MAX_RELATIONSHIPS = 5_000;
const MAX_FACTS = 20_000;

export function draftLens(options: DraftOptions): LensDraft {
  const { name, connection, dialect, tables } = options;
  const provenJoins = options.proven ?? { joins: runWithoutPauses(findJoinsByNamesAlone(tables)), undecided: [] };
  const datasetNames = nameDatasets(tables, dialect);
  const joinColumns = new Map<NamedTable, string[]>();
  for (const { from } of provenJoins.joins)
    joinColumns.set(from.table, [...(joinColumns.get(from.table) ?? []), ...from.columns]);
  const draftedTables = tables.map((table) =>
    draftTable({
      ...{ table, dataset: datasetNames.get(table)!, dialect },
      ...{ joinColumns: joinColumns.get(table) ?? [], otherNames: findOtherTableNames(table, tables) },
    }),
  );
  const tablesWithFields = draftedTables.filter(({ body }) => Object.keys(body['fields'] as object).length > 0);
  const draftedRelationships = draftRelationships(
    provenJoins.joins,
    datasetNames,
    new Set(tablesWithFields.map(({ dataset }) => dataset)),
  );
  const joins = draftedRelationships.slice(0, MAX_RELATIONSHIPS);
  const leftOut = [
    ...draftedTables.flatMap((table) => table.leftOut),
    ...draftedRelationships
      .slice(MAX_RELATIONSHIPS)
      .map(({ body }) => `${body.from} -> ${body.to} (over ${MAX_RELATIONSHIPS} joins)`),
  ];
  const joinCounts = new Map<NamedTable, number>();
  for (const { join } of draftedRelationships)
    joinCounts.set(join.from.table, (joinCounts.get(join.from.table) ?? 0) + 1);
  const samples = writeSampleQuestions(
    tablesWithFields.toSorted((a, b) => (joinCounts.get(b.table) ?? 0) - (joinCounts.get(a.table) ?? 0)),
  );
  const lookAt = [
    ...provenJoins.undecided.map(({ table, columns, message }) => ({
      ...{ topic: 'join' as const, about: `${datasetNames.get(table)}.${columns.join(', ')}`, message },
    })),
    ...tablesWithFields.flatMap((table) => table.findings),
  ];
  const lens: Record<string, unknown> = {
    name,
    title: plainWords(name).replace(/^./, (letter) => letter.toUpperCase()),
    description: describeContents(
      tablesWithFields.map(({ dataset }) => dataset),
      connection,
    ),
    connection,
    datasets: Object.fromEntries(tablesWithFields.map(({ dataset, body }) => [dataset, body])),
    relationships: joins.map(({ body }) => body),
    metrics: draftMetrics(tablesWithFields, dialect),
    definitions: [],
    grants: { callers: [], groups: [] },
    sample_questions: samples,
    facts: [
      ...tablesWithFields.flatMap(({ dataset, table, facts }) => [...createKeyFacts(dataset, table), ...facts]),
      ...joins.map(createJoinFact),
    ].slice(0, MAX_FACTS),
  };
  return {
    text: writeLensYaml(lens, writeReviewNotes(lookAt, leftOut)),
    ...{ left_out: leftOut, look_at: lookAt, sample_questions: samples },
    personal: lookAt.flatMap(({ topic, about }) => (topic === 'person' ? [about] : [])),
    joins: joins.map(({ body: { from, to }, evidence }) => ({ from, to, evidence })),
  };
}

/** The sample questions are about the first tables. They must not be about people. */
function writeSampleQuestions(tables: readonly DraftedTable[]): string[] {
  const groupQuestions = tables.flatMap(({ dataset, rowNoun, category, measures, findings }) => {
    if (!category) return [];
    const isPersonal = (field: string) =>
      findings.some(({ topic, about }) => topic === 'person' && about === `${dataset}.${field}`);
    const measure = measures.find(
      ({ field, nameInWords }) => !isPersonal(field) && !isLinkingWord(nameInWords.split(' ').at(-1)!),
    );
    return [
      `How many ${toPlural(rowNoun)} are there by ${category.phrase}?`,
      ...(measure ? [`What is the average ${measure.nameInWords} of ${toPlural(rowNoun)} by ${category.phrase}?`] : []),
    ];
  });
  const countQuestions = tables.map(({ rowNoun }) => `How many ${toPlural(rowNoun)} are there?`);
  return [...groupQuestions, ...countQuestions].slice(0, MAX_SAMPLES);
}
const MAX_SAMPLES = 4;

const MAX_NAMED_TABLES = 6;
/** For example, "Orders, customers and products, from the connection shop." */
function describeContents(datasets: string[], connection: string): string {
  const more = datasets.length - MAX_NAMED_TABLES;
  const names = datasets.slice(0, MAX_NAMED_TABLES).map(plainWords);
  const parts = more > 0 ? [...names, `${more} more ${more === 1 ? 'table' : 'tables'}`] : names;
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'no tables');
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}, from the connection ${connection}.`;
}
