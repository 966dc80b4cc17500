// Text in the workbook never becomes a formula.
import { strToU8, zipSync } from 'fflate';
import { type CellColumn, isNumeric } from '../../../ui/format.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import type { Envelope } from '../api/ask.ts';
import { formatHeader, toDisplayColumns } from './display-columns.ts';

/** The positions of the cell formats in `cellXfs` of `STYLES_XML`. */
const STYLE_INDEX = { text: 1, head: 2, date: 3, time: 4, share: 5, wrapped: 6 } as const;
const MAX_DIGITS = 15; // Excel rounds longer numbers
const MAX_CELL_LENGTH = 32_767; // Excel's limit on the characters of a cell
const MAX_COLUMN_WIDTH = 60;
const DAY_MS = 86_400_000;
const EXCEL_EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_RELIABLE_DAY = Date.UTC(1900, 2, 1); // Excel includes February 29, 1900, which didn't exist

export function createXlsx(envelope: Envelope, link: string): Uint8Array<ArrayBuffer> {
  const columns = toDisplayColumns(envelope);
  const headerCells = columns.map((column) => ({ text: formatHeader(column), style: STYLE_INDEX.head }));
  const rows = (envelope.data ?? []).map((row) => columns.map((column) => toCell(row[column.name], column)));
  const evidence = listEvidenceLines(envelope, link).map(([name, text]) => [
    { text: name, style: STYLE_INDEX.head },
    { text, style: STYLE_INDEX.wrapped },
  ]);
  return zipSync({
    '[Content_Types].xml': createXmlPart(CONTENT_TYPES_XML),
    '_rels/.rels': createXmlPart(writeRelationshipsXml([['officeDocument', 'xl/workbook.xml']])),
    'xl/workbook.xml': createXmlPart(WORKBOOK_XML),
    'xl/_rels/workbook.xml.rels': createXmlPart(
      writeRelationshipsXml([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
        ['styles', 'styles.xml'],
      ]),
    ),
    'xl/styles.xml': createXmlPart(STYLES_XML),
    'xl/worksheets/sheet1.xml': createXmlPart(writeSheetXml([headerCells, ...rows], FROZEN_HEADER_XML)),
    'xl/worksheets/sheet2.xml': createXmlPart(writeSheetXml(evidence, '')),
  });
}

type XlsxCell = { text: string; style: number } | { number: string; style: number } | { boolean: boolean } | null;

function toCell(value: unknown, column: CellColumn): XlsxCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return { boolean: value };
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (isNumeric(column) && isExactNumber(text)) return { number: text, style: column.share ? STYLE_INDEX.share : 0 };
  return (/^(date|timestamp)/.test(column.datatype) && toDateCell(text)) || { text, style: STYLE_INDEX.text };
}

/** Long integers are usually ids, and Excel would round them. */
const isExactNumber = (text: string): boolean =>
  /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && (text.includes('.') || text.length <= MAX_DIGITS);

/** Returns a cell with the number of days since Excel's first day, or null if Excel has no such day. */
function toDateCell(text: string): XlsxCell {
  const [, day, time = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? [];
  const timestamp = day ? Date.parse(`${day}T${time || '00:00'}${zone}`) : Number.NaN;
  if (Number.isNaN(timestamp) || timestamp < FIRST_RELIABLE_DAY) return null;
  return { number: String((timestamp - EXCEL_EPOCH_MS) / DAY_MS), style: time ? STYLE_INDEX.time : STYLE_INDEX.date };
}

function listEvidenceLines(envelope: Envelope, link: string): [string, string][] {
  const { scope, lens, lens_version, confidence, certification, truncated, receipt } = envelope;
  const evidenceLines: [string, string | null | undefined][] = [
    ['Question', envelope.question],
    ['Interpreted as', scope?.sentence],
    ['Lens', lens && `${lens}, version ${lens_version}`],
    ['Grade', confidence],
    ['Certification', certification === 'none' ? null : certification],
    ['Data as of', envelope.data_as_of],
    ['Computed at', receipt && 'served_at' in receipt ? receipt.served_at : null],
    ['Row policies', scope?.row_policies.join(', ')],
    [
      'Rows',
      truncated
        ? `${truncated.returned} of ${truncated.total ?? 'an unknown number'}`
        : String(envelope.row_count ?? 0),
    ],
    ['Warnings', envelope.warnings.join('\n')],
    ['SQL', envelope.sql],
    ['Parameters', envelope.parameters && JSON.stringify(envelope.parameters)],
    ['SQL that ran', envelope.guard?.runs],
    ['Request ID', envelope.request_id],
    ['Link', link],
    ['Receipt', receipt && JSON.stringify(receipt)],
  ];
  return evidenceLines.filter((line): line is [string, string] => Boolean(line[1]));
}

function writeSheetXml(rows: XlsxCell[][], view: string): string {
  const widths = (rows[0] ?? []).map((_, columnIndex) =>
    Math.min(MAX_COLUMN_WIDTH, Math.max(...rows.slice(0, 100).map((row) => measureCell(row[columnIndex] ?? null))) + 2),
  );
  const cols = widths.map(
    (width, columnIndex) => `<col min="${columnIndex + 1}" max="${columnIndex + 1}" width="${width}" customWidth="1"/>`,
  );
  const lines = rows.map((row) => `<row>${row.map(writeCellXml).join('')}</row>`);
  return `<worksheet xmlns="${MAIN_SCHEMA}">${view}<cols>${cols.join('')}</cols><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function measureCell(cell: XlsxCell): number {
  if (!cell || 'boolean' in cell) return 5;
  if ('text' in cell) return cell.text.length;
  return cell.style === STYLE_INDEX.time ? 19 : Math.max(10, Math.min(cell.number.length, MAX_DIGITS));
}

function writeCellXml(cell: XlsxCell): string {
  if (!cell) return '<c/>';
  if ('boolean' in cell) return `<c t="b"><v>${Number(cell.boolean)}</v></c>`;
  if ('number' in cell) return `<c s="${cell.style}"><v>${cell.number}</v></c>`;
  return `<c s="${cell.style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.text)}</t></is></c>`;
}

const XML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Excel would read `_x003D_` as "=". */
const escapeXml = (text: string): string =>
  showHiddenCharacters(text.slice(0, MAX_CELL_LENGTH))
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>]/g, (sign) => XML_ESCAPES[sign]!);

const createXmlPart = (xml: string): Uint8Array<ArrayBuffer> =>
  strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${xml}`);

const SCHEMA_ROOT = 'http://schemas.openxmlformats.org';
const MAIN_SCHEMA = `${SCHEMA_ROOT}/spreadsheetml/2006/main`;
const RELATIONSHIP_SCHEMA = `${SCHEMA_ROOT}/officeDocument/2006/relationships`;
const FROZEN_HEADER_XML =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

const writeRelationshipsXml = (entries: [string, string][]): string =>
  `<Relationships xmlns="${SCHEMA_ROOT}/package/2006/relationships">${entries
    .map(
      ([type, target], index) =>
        `<Relationship Id="r${index + 1}" Type="${RELATIONSHIP_SCHEMA}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const CONTENT_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const CONTENT_TYPES_XML = `<Types xmlns="${SCHEMA_ROOT}/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE_PREFIX}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT_TYPE_PREFIX}.worksheet+xml"/>
<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${CONTENT_TYPE_PREFIX}.worksheet+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${CONTENT_TYPE_PREFIX}.styles+xml"/></Types>`;

const WORKBOOK_XML = `<workbook xmlns="${MAIN_SCHEMA}" xmlns:r="${RELATIONSHIP_SCHEMA}"><sheets>
<sheet name="Answer" sheetId="1" r:id="r1"/><sheet name="Evidence" sheetId="2" r:id="r2"/></sheets></workbook>`;

/** With the format "@", Excel doesn't convert a text cell when someone edits it. */
const STYLES_XML = `<styleSheet xmlns="${MAIN_SCHEMA}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="7">
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="10" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>
</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
