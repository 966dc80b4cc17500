import type { FactFile } from '../../../contract/files/lens-file.ts';
import { type Datatype, type DialectName, isNumeric } from '../../../contract/warehouse.ts';
import { findDialect } from '../../../dialects/dialects.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { FLAG_VALUE_PAIRS } from '../../../lens/model/flag-values.ts';
import { hasValidityDates, splitNameIntoWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import { toSingular } from '../../../lens/model/singular.ts';
import { CONVERSION_COMMENT_PREFIX } from '../../ports.ts';
import { classifyRows, type RowClassification } from '../columns/classify-rows.ts';
import { areUnexplainedCodes, findCodes, findFlag, isFormattedText } from '../columns/codes.ts';
import { findColumnAdditivity } from '../columns/column-additivity.ts';
import { decideColumnRole, hasDictionary } from '../columns/column-roles.ts';
import { findNamesInComment, findTableNamesInComment, findUnitInComment } from '../columns/comment-words.ts';
import { findEventDate } from '../columns/event-date.ts';
import { findColumnSynonyms, findColumnUnit } from '../columns/field-words.ts';
import { isPersonalData } from '../columns/personal-data.ts';
import type { NamedColumn, NamedTable } from '../columns/schema-words.ts';
import { OBSERVATION_TABLE_PATTERN } from '../joins/find-keys.ts';
import { isOwnKey } from '../joins/name-joins.ts';
import { createCodeFacts, createConversionFact, createFact, createUnitFact } from './draft-facts.ts';
import type { DraftFinding } from './draft-finding.ts';
import { type MeasuredTable, toUniqueName } from './draft-metrics.ts';
import { quoteIfNeeded } from './write-lens-yaml.ts';

export type YamlBody = Record<string, unknown>;
export interface DraftedTable extends MeasuredTable {
  table: NamedTable;
  body: YamlBody;
  /** The most useful field to group by, and its name in words. */
  category: { field: string; phrase: string } | null;
  facts: FactFile[];
  leftOut: string[];
  findings: DraftFinding[];
}
interface TableToDraft {
  table: NamedTable;
  dataset: string;
  dialect: DialectName;
  joinColumns: readonly string[];
  otherNames: readonly string[];
}
const MAX_SAMPLE_GROUPS = 50; // in the answer to a sample question
const FLAG_VALUES: ReadonlySet<string> = new Set(FLAG_VALUE_PAIRS.flat());

export function draftTable(draft: TableToDraft): DraftedTable {
  const { table, dataset } = draft;
  const commentNames = findTableNamesInComment(table.comment, table.table);
  const commentTableName = commentNames[0];
  // If two schemas have a table with the same name, both names include the schema.
  const isRenamed = dataset.includes('_') && !toSnakeCase(table.table).includes('_');
  const tableNoun = toSingular(commentTableName ?? (isRenamed ? splitNameIntoWords(dataset) : table.rowNoun));
  const rows = classifyRows(table, tableNoun);
  // A row of the table weather is one day of data, so "a weather" isn't a name for a row.
  const isTimedRow = (rows.kind === 'series' || rows.kind === 'repeated') && !OBSERVATION_TABLE_PATTERN.test(tableNoun);
  const rowNoun = hasVersionedRows(table) ? `${tableNoun} version` : isTimedRow ? `${tableNoun} row` : tableNoun;
  const commentNamesByColumn = findUniqueCommentNames(table, rowNoun);
  const fields: Record<string, YamlBody> = {};
  const draftedTable: DraftedTable = {
    ...{ table, dataset, rowNoun, timeField: null, facts: [] },
    ...{ measures: [], category: null, leftOut: [], findings: [], body: {} },
  };
  let fewestGroups = MAX_SAMPLE_GROUPS;
  for (const column of table.columns) {
    const { profile } = column;
    const columnNames = commentNamesByColumn.get(column.name) ?? [];
    const draftedColumn = draftColumn(draft, rows, column, columnNames, Object.keys(fields));
    if ('leftOut' in draftedColumn) {
      draftedTable.leftOut.push(`${table.table}.${column.name} (${draftedColumn.leftOut})`);
      continue;
    }
    const { field, nameInWords, role, aggregation, body } = draftedColumn;
    fields[field] = body;
    const subject = `${dataset}.${field}`;
    draftedTable.facts.push(...draftedColumn.facts);
    const addFinding = (topic: DraftFinding['topic'], message = ''): void =>
      void draftedTable.findings.push({ topic, about: subject, message });
    const datatype = body['datatype'] as Datatype;
    const isMostlyNull = profile ? profile.nulls * 2 > profile.rows : false;
    // Grouping by a flag, or by a field with a distinct value in each row, isn't useful.
    const isFlag = profile?.values?.every((value) => FLAG_VALUES.has(value.toLowerCase())) ?? false;
    const isIdentifying =
      /\b(?:name|homepage|website|url|link|e ?mail)$/.test(nameInWords) ||
      (profile?.distinct ?? 0) * 2 > (profile?.rows ?? 0);
    if (
      role === 'category' &&
      datatype !== 'boolean' &&
      !isFlag &&
      !isIdentifying &&
      !isMostlyNull &&
      (profile?.distinct ?? MAX_SAMPLE_GROUPS) <= fewestGroups
    ) {
      draftedTable.category = { field, phrase: nameInWords };
      fewestGroups = (profile?.distinct ?? MAX_SAMPLE_GROUPS) - 1;
    }
    if (role !== 'personal' && (role === 'contact' || (role !== 'key' && isPersonalData(nameInWords, rowNoun))))
      addFinding('person');
    if (datatype === 'string' && role !== 'key' && isFormattedText(profile)) addFinding('text');
    if (aggregation === 'unknown' && !('values' in body)) addFinding('adding_up');
    if (draftedColumn.bareCodes) {
      addFinding('code', `has the values ${profile!.values!.slice(0, 12).join(', ')}`);
    }
    if (
      !('values' in body && aggregation !== 'sum') &&
      (role === 'additive' || role === 'averaged' || role === 'level')
    )
      draftedTable.measures.push({
        ...{ field, isAdditive: role === 'additive', unit: body['unit'] as string | undefined },
        nameInWords: columnNames[0] ?? nameInWords,
      });
  }
  const isTableName =
    tableNoun === toSingular(splitNameIntoWords(table.table)) ||
    draft.otherNames.some((name) => toSingular(name) === tableNoun);
  const synonyms = [
    ...new Set([...(commentTableName ? commentNames : isTableName ? [] : [tableNoun]), ...draft.otherNames]),
  ].filter((name) => name !== splitNameIntoWords(dataset) && name !== toSingular(splitNameIntoWords(dataset)));
  const date = findEventDate(
    table.columns.filter(({ name }) => name in fields),
    table.rowNoun,
    rows,
  );
  if (date.ambiguousColumns.length > 0)
    draftedTable.findings.push({
      topic: 'date',
      about: `${dataset}.${date.ambiguousColumns[0]}`,
      message: `or ${date.ambiguousColumns.slice(1).join(', ')}`,
    });
  return {
    ...draftedTable,
    timeField: date.column,
    facts: [
      ...(date.column ? [createFact('time_field', dataset, date.column, date.reason)] : []),
      ...draftedTable.facts,
    ],
    body: {
      source: [table.catalog, table.schema, table.table]
        .filter((part) => part !== null)
        .map((part) => quoteIfNeeded(part))
        .join('.'),
      description:
        table.comment?.slice(0, 1000) ||
        `One row per ${isTimedRow && table.primaryKey.includes(rows.period ?? '') ? `${table.primaryKey.map(splitNameIntoWords).join(' and ')} of ${tableNoun}` : rowNoun}.`,
      ...(synonyms.length > 0 ? { synonyms } : {}),
      ...(table.primaryKey.length > 0 ? { primary_key: table.primaryKey } : {}),
      ...(date.column ? { time_field: date.column } : {}),
      fields,
    },
  };
}

/** True if several rows have the same key, such as a customer number, and each row has the dates of its validity. */
const hasVersionedRows = (table: NamedTable): boolean =>
  hasValidityDates(table.columns) &&
  table.columns.some(
    (column) =>
      column.profile?.distinct != null && column.profile.distinct < column.profile.rows && isOwnKey(table, column),
  );

/** The guard refuses longer names, because PostgreSQL would truncate them. */
const MAX_NAME_BYTES = 63;

function draftColumn(
  { table, dataset, dialect, joinColumns }: TableToDraft,
  rows: RowClassification,
  column: NamedColumn,
  commentNames: readonly string[],
  usedNames: readonly string[],
) {
  const { profile, words } = column;
  const isKey = table.primaryKey.includes(column.name) || joinColumns.includes(column.name);
  const readAs = findDialect(dialect).compiling.readAs[column.nativeType];
  const flag = findFlag(column);
  const datatype = flag ? 'boolean' : readAs === null ? null : (readAs?.datatype ?? column.datatype);
  const field = toUniqueName(/^[A-Za-z_]\w*$/.test(column.name) ? column.name : toSnakeCase(column.name), usedNames);
  const synonyms = [
    ...findColumnSynonyms({ ...column, datatype }, table),
    ...(flag ? [flag.condition] : []),
    // Names in the comment on a foreign key describe the role of the referenced row, so they aren't synonyms of the
    // key.
    ...(joinColumns.includes(column.name) ? [] : commentNames),
    ...(/[^ -~]/.test(column.name) ? [column.name] : []),
  ];
  const typedColumn = { ...column, datatype, synonyms };
  const additivity = isNumeric(datatype) && !isKey ? findColumnAdditivity(typedColumn, table, rows) : null;
  const aggregation = additivity?.how ?? null;
  const role = decideColumnRole(typedColumn, isKey, aggregation ?? 'none');
  if (role === 'secret') return { leftOut: 'looks like a secret' };
  if (Buffer.byteLength(column.name) > MAX_NAME_BYTES)
    return { leftOut: `its name is longer than ${MAX_NAME_BYTES} bytes` };
  if (datatype === null) return { leftOut: `type ${column.nativeType}` };
  const unit =
    role === 'key' || !isNumeric(datatype)
      ? null
      : (findColumnUnit(column.name) ?? findColumnUnit(words) ?? findUnitInComment(column.comment));
  const codes =
    flag || role === 'key' || aggregation === 'sum' || aggregation === 'latest' ? null : findCodes(typedColumn);
  const body: YamlBody = {
    datatype,
    ...(column.comment ? { description: column.comment.slice(0, 1000) } : {}),
    ...(synonyms.length > 0 ? { synonyms: [...new Set(synonyms)] } : {}),
    ...(unit ? { unit } : {}),
    ...(additivity?.mustBeWritten ? { aggregation: additivity.how } : {}),
    ...(flag
      ? { expression: `${quoteIdentifier(dialect, column.name)} = '${flag.trueValue}'` }
      : readAs
        ? { expression: `cast(${quoteIdentifier(dialect, column.name)} as ${readAs.as})` }
        : field !== column.name
          ? { expression: quoteIdentifier(dialect, column.name) }
          : {}),
    ...(role === 'personal' ? { mask: true } : {}),
    ...(codes ? { values: codes.values } : hasDictionary(role, profile) ? { values: 'auto' } : {}),
  };
  const hasBareCodes = codes
    ? codes.lacksMeanings
    : datatype === 'string' && !flag && !isKey && areUnexplainedCodes(column);
  const subject = `${dataset}.${field}`;
  const fact = additivity?.fact;
  const facts = [
    ...(fact && role !== 'personal'
      ? [createFact('aggregation', subject, fact.aggregation, fact.evidence, fact.declared)]
      : []),
    ...(unit ? [createUnitFact(subject, unit, findUnitInComment(column.comment))] : []),
    ...createCodeFacts(subject, codes?.values ?? []),
    ...(column.comment?.startsWith(CONVERSION_COMMENT_PREFIX)
      ? [
          createConversionFact(
            subject,
            body['expression'] ?? datatype,
            `every value is ${column.comment.slice(CONVERSION_COMMENT_PREFIX.length)}`,
          ),
        ]
      : []),
    ...(flag
      ? [createConversionFact(subject, body['expression'], `holds only ${profile!.values!.join(' and ')}`)]
      : []),
  ];
  return { field, nameInWords: words, role, aggregation, body, bareCodes: hasBareCodes, facts };
}

/** Names that another column of the table has are omitted. */
function findUniqueCommentNames({ columns }: NamedTable, rowNoun: string): Map<string, string[]> {
  const commentNames = columns.map(({ name, comment }) => ({ name, names: findNamesInComment(comment, rowNoun) }));
  const isUnambiguous = (form: string, columnName: string): boolean =>
    commentNames.every(
      ({ name, names }) => name === columnName || (splitNameIntoWords(name) !== form && !names.includes(form)),
    );
  const ownNames = commentNames.map(({ name, names }) => [
    name,
    names.filter((form) => isUnambiguous(form, name) && form !== splitNameIntoWords(name)),
  ]);
  return new Map((ownNames as [string, string[]][]).filter(([, names]) => names.length > 0));
}
