// Drafts a lens: names, keys, joins, types, dictionaries, metrics, and points to review at its end. draftLens is a pure
// function of the catalog, the statistics and the proven joins.
import type { Dialect } from '../../../contract/warehouse.ts';
import { spacedWords as plainWords, spellOut } from '../../../lens/model/name-words.ts';
import { runAtOnce } from '../../../platform/schedule/in-turns.ts';
import type { CatalogTable, ColumnProfile } from '../../ports.ts';
import type { CodeMeanings } from '../code-tables/find-code-meanings.ts';
import { readSchema, type SchemaWords } from '../columns/schema-words.ts';
import { findOtherNames } from '../columns/table-words.ts';
import type { FoundKey } from '../joins/find-keys.ts';
import { findJoinsByNamesAlone, type ProvenJoins } from '../joins/prove-joins.ts';
import { joinFact, keyFacts } from './draft-facts.ts';
import { type DraftFinding, findingLines } from './draft-finding.ts';
import { draftMetrics } from './draft-metrics.ts';
import { draftRelationships, nameDatasets } from './draft-relationships.ts';
import { type DraftedTable, draftTable } from './draft-table.ts';
import { writeSampleQuestions } from './sample-questions.ts';
import { writeLens } from './write-lens.ts';

export interface DraftOptions {
  name: string;
  connection: string;
  dialect: Dialect;
  tables: readonly CatalogTable[];
  profiles?: readonly ColumnProfile[];
  words?: SchemaWords;
  /** Absent if svc read no values, so that the draft depends on names alone. */
  proven?: ProvenJoins;
  foundKeys?: readonly FoundKey[];
  codeMeanings?: readonly CodeMeanings[];
}
export interface LensDraft {
  text: string;
  /** Omitted columns, each with the reason. */
  leftOut: string[];
  /** Visible fields with personal data. */
  personal: string[];
  sampleQuestions: string[];
  joins: { from: string | string[]; to: string | string[]; evidence: string }[];
  findings: DraftFinding[];
}
const MAX_RELATIONSHIPS = 5_000;
const MAX_FACTS = 20_000;

export function draftLens(options: DraftOptions): LensDraft {
  const { name, connection, dialect, tables, profiles = [], foundKeys = [], codeMeanings = [] } = options;
  const words = options.words ?? readSchema(tables);
  const provenJoins = options.proven ?? { joins: runAtOnce(findJoinsByNamesAlone(tables, words)), undecided: [] };
  const datasetNames = nameDatasets(tables, dialect);
  const statistics = new Map(profiles.map((profile) => [`${profile.table}.${profile.column}`, profile]));
  const joinColumns = new Map<CatalogTable, string[]>();
  for (const { from } of provenJoins.joins)
    joinColumns.set(from.table, [...(joinColumns.get(from.table) ?? []), ...from.columns]);
  const draftedTables = tables.map((table) =>
    draftTable({
      ...{ table, dataset: datasetNames.get(table)!, dialect, words },
      ...{ joinColumns: joinColumns.get(table) ?? [], otherNames: findOtherNames(table, tables) },
      profileOf: (column) => statistics.get(`${table.table}.${column}`),
      meaningsOf: (column) => codeMeanings.find((item) => item.table === table && item.column === column),
    }),
  );
  const tablesWithFields = draftedTables.filter(({ body }) => Object.keys(body['fields'] as object).length > 0);
  const draftedRelationships = draftRelationships(
    provenJoins.joins,
    datasetNames,
    new Set(tablesWithFields.map(({ dataset }) => dataset)),
    words,
  );
  const joins = draftedRelationships.slice(0, MAX_RELATIONSHIPS);
  const leftOut = [
    ...draftedTables.flatMap((table) => table.leftOut),
    ...draftedRelationships
      .slice(MAX_RELATIONSHIPS)
      .map(({ body }) => `${body['from']} -> ${body['to']} (over ${MAX_RELATIONSHIPS} joins)`),
  ];
  const samples = writeSampleQuestions(tablesWithFields.map(toSampleSubject));
  const lookAt = [
    ...provenJoins.undecided.map(({ table, columns, message }) => ({
      ...{ topic: 'join' as const, about: `${datasetNames.get(table)}.${columns.join(', ')}`, message },
    })),
    ...tablesWithFields.flatMap((table) => table.findings),
  ];
  const lens: Record<string, unknown> = {
    name,
    title: plainWords(name).replace(/^./, (letter) => letter.toUpperCase()),
    description: describeTables(
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
      ...tablesWithFields.flatMap(({ dataset, table, facts }) => [
        ...keyFacts(
          dataset,
          table,
          foundKeys.find((foundKey) => foundKey.table === table),
        ),
        ...facts,
      ]),
      ...joins.map(({ body, join, evidence }) =>
        joinFact(body as Pick<LensDraft['joins'][number], 'from' | 'to'>, join, evidence),
      ),
    ].slice(0, MAX_FACTS),
  };
  return {
    ...{ text: writeLens(lens, findingLines(lookAt, leftOut)), leftOut, findings: lookAt, sampleQuestions: samples },
    personal: tablesWithFields.flatMap((table) => table.personal),
    joins: joins.map(({ body, evidence }) => ({
      ...{ from: body['from'] as string | string[], to: body['to'] as string | string[], evidence },
    })),
  };
}

/** Excludes personal data, because sample questions must not be about persons. */
const toSampleSubject = ({ dataset, thing, category, measures, personal }: DraftedTable) => {
  const firstMeasure = measures.find(({ field }) => !personal.includes(`${dataset}.${field}`));
  return {
    ...{ thing, category: category?.phrase ?? null },
    measure: firstMeasure ? (firstMeasure.nameInWords ?? spellOut(firstMeasure.field)) : null,
  };
};

const MAX_NAMED_TABLES = 6;
/** What the lens contains, such as "Orders, customers and products, from the connection shop." */
function describeTables(datasets: string[], connection: string): string {
  const more = datasets.length - MAX_NAMED_TABLES;
  const names = datasets.slice(0, MAX_NAMED_TABLES).map(plainWords);
  const parts = more > 0 ? [...names, `${more} more ${more === 1 ? 'table' : 'tables'}`] : names;
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'no tables');
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}, from the connection ${connection}.`;
}
