// Adds evidence to a certified answer: filters, time window, units and sources from the reading of the approved question, as
// far as the approved SQL confirms them. The answer says what remains unknown.
import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import type { Citation, JsonValue, Scope } from '../../contract/ask.ts';
import { filledQuestion } from '../../domain/certified/filled-question.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import type { Caller, Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { type CompiledQuery, compilePlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import type { Reading } from '../../reader/reading.ts';
import type { CertifiedPlan } from '../outcome.ts';
import { cachedReading } from '../read/cached-reading.ts';
import { FETCH_CAP } from '../run/fetch-rows.ts';
import { guardCompiled } from '../run/governed-read.ts';
import { citationsOf } from './cite-sources.ts';

const EVERYONE: Caller = { name: 'svc', groups: [], attributes: {}, superuser: true };

interface ApprovedReading {
  reading: Extract<Reading, { kind: 'plan' }>;
  compiled: CompiledQuery;
  statement: GuardedSql;
}
type Filters = Scope['filters'];

/** What a reading adds to a certified plan. */
interface Evidence {
  units: CertifiedPlan['units'];
  scope: Partial<Scope>;
  citations: Citation[];
}

const MAX_KEY_LENGTH = 10_000;
const MAX_CACHED = 200; // entries for each lens
const evidenceCache = new WeakMap<Lens, LRUCache<string, Promise<Evidence>>>();

export async function withEvidence(plan: CertifiedPlan, text: GuardedSql, now: Date): Promise<CertifiedPlan> {
  const { units, scope, citations } = await cachedEvidence(plan, text, now);
  return { ...plan, units, scope: { ...plan.scope, ...scope }, citations: [...plan.citations, ...citations] };
}

/** Caches the evidence for all callers, because it depends only on the lens, the entry, its parameters and the day. */
function cachedEvidence(plan: CertifiedPlan, text: GuardedSql, now: Date): Promise<Evidence> {
  const { lens } = plan.granted;
  const day = DateTime.fromJSDate(now, { zone: lens.timezone }).toISODate();
  const key = JSON.stringify([plan.entry.certId, plan.parameters, day, text.sql]);
  if (key.length > MAX_KEY_LENGTH) return evidenceOf(plan, text, now);
  const cache = evidenceCache.get(lens) ?? new LRUCache({ max: MAX_CACHED });
  evidenceCache.set(lens, cache);
  const before = cache.get(key);
  if (before) return before;
  const found = evidenceOf(plan, text, now);
  cache.set(key, found);
  found.catch(() => cache.delete(key));
  return found;
}

async function evidenceOf(plan: CertifiedPlan, text: GuardedSql, now: Date): Promise<Evidence> {
  const { lens } = plan.granted;
  const read = await readApproved(plan, now);
  if (!read || !filtersAreInSql(lens, read, plan, text)) {
    const scope = { filters: boundFilters(plan, text), may_restrict_more: true };
    return { units: [], scope, citations: datasetsRead(lens, text) };
  }
  const { reading, compiled } = read;
  const isComplete = hasNoOtherCondition(read, plan, text);
  const named = read.statement.report.columns.every((name) => text.report.columns.includes(name));
  return {
    units: isComplete && named ? compiled.columns : [],
    scope: {
      filters: compiled.filters,
      time: compiled.time && { ...compiled.time, timezone: lens.timezone },
      joins: compiled.joins,
      ...(isComplete ? {} : { may_restrict_more: true }),
    },
    citations: citationsOf(lens, reading.plan, compiled, reading),
  };
}

/** Reads the first wording of the entry that svc understands, with its parameters filled in. */
async function readApproved({ granted, entry, parameters }: CertifiedPlan, now: Date): Promise<ApprovedReading | null> {
  const { lens } = granted;
  for (const wording of [entry.question, ...entry.alsoAsked]) {
    const question = filledQuestion(wording, parameters);
    const reading = cachedReading({ question, lens, choices: {}, now });
    if (reading.kind !== 'plan' || reading.doubt) continue;
    try {
      const compiled = await compilePlan(lens, reading.plan, EVERYONE, { maxRows: FETCH_CAP });
      return { reading, compiled, statement: await guardCompiled(lens, EVERYONE, compiled) };
    } catch (fault) {
      if (!(fault instanceof Problem)) throw fault;
    }
  }
  return null;
}

/** The SQL has each column that the reading filters by, and each value of those filters. */
function filtersAreInSql(
  lens: Lens,
  { compiled, reading }: ApprovedReading,
  { parameters }: CertifiedPlan,
  text: GuardedSql,
): boolean {
  const columns = new Set(text.report.columns);
  const reads = (field: string): boolean => {
    const [path = '', name = ''] = field.split('.');
    return columns.has(`${datasetOfPath(lens, path)?.name ?? path}.${name}`);
  };
  const constants = new Set([...text.constants, ...Object.values(parameters)].map(fold));
  const conditions = conditionsOf(reading.plan);
  return (
    (!compiled.time || reads(compiled.time.field)) &&
    conditions.every(({ field }) => reads(field)) &&
    conditions.every(({ values }) => values.every((value) => constants.has(fold(value))))
  );
}

function conditionsOf(lensPlan: LensPlan): { field: string; values: JsonValue[] }[] {
  const among = (filters: LensPlan['filters']): { field: string; values: JsonValue[] }[] =>
    filters.flatMap((filter) => {
      if ('all' in filter) return among(filter.all);
      if ('any' in filter) return among(filter.any);
      if (!('field' in filter)) return [];
      return [{ field: `${filter.field.path}.${filter.field.field}`, values: filter.than ? [] : filter.values }];
    });
  return among(lensPlan.filters);
}

const PARTS = new Set('year quarter month week day hour minute isodow dow'.split(' '));

/** The SQL has no column and no value that the reading lacks, so it can't filter or scale by anything else. */
function hasNoOtherCondition(
  { compiled, reading, statement }: ApprovedReading,
  { parameters }: CertifiedPlan,
  text: GuardedSql,
): boolean {
  const { time } = compiled;
  const years = time ? [time.from.slice(0, 4), String(Number(time.to.slice(0, 4)) - 1)] : [];
  const known = new Set(
    [...statement.constants, ...Object.values(parameters), ...years, ...windowDays(time), reading.plan.limit, 0].map(
      fold,
    ),
  );
  const ordinals = ordinalsIn(text.sql);
  const open = text.constants.map(fold).filter((value) => {
    if (known.has(value) || PARTS.has(value)) return false;
    const at = ordinals.indexOf(value);
    if (at >= 0) ordinals.splice(at, 1);
    return at < 0;
  });
  return open.length === 0 && text.report.columns.every((name) => statement.report.columns.includes(name));
}

/** The positions in `group by 1 order by 2 desc`, which aren't values. */
const ordinalsIn = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:group|order)\s+by\s+((?:(?!\border\s+by\b)[^()])*)/gi)].flatMap(([, keys]) =>
    keys!.split(',').flatMap((key) => /^\s*(\d+)(?=\s|$)/.exec(key)?.[1] ?? []),
  );

/** The ends of the time window, and the last day in it, as SQL writes them. */
function windowDays(time: CompiledQuery['time']): string[] {
  if (!time) return [];
  const last = new Date(Date.parse(time.to) - 1).toISOString().slice(0, 10);
  return [time.from, time.to, time.from.slice(0, 10), time.to.slice(0, 10), last];
}

const fold = (value: unknown): string => {
  const text = String(value).trim().toLowerCase();
  return text !== '' && Number.isFinite(Number(text)) ? String(Number(text)) : text;
};

const OPERATORS = String.raw`(=|<>|!=|>=|<=|>|<|ilike\b|like\b)`;

/**
 * Filters for an entry without a reading: the column that the SQL compares with a parameter, or else the parameter's
 * name.
 */
function boundFilters({ granted, entry, parameters }: CertifiedPlan, text: GuardedSql): Filters {
  return Object.entries(parameters).map(([name, value]) => {
    const compared = new RegExp(String.raw`([\w"\x60]+)\s*${OPERATORS}\s*:${name}\b`, 'i').exec(entry.sql);
    const column = compared?.[1]?.replaceAll(/["`]/g, '').toLowerCase();
    const fields = text.report.columns.filter((one) => one.toLowerCase().endsWith(`.${column}`));
    const known =
      fields.length === 1 && granted.lens.datasets.some(({ name: dataset }) => fields[0]!.startsWith(`${dataset}.`));
    return { field: known ? fields[0]! : `:${name}`, op: known ? compared![2]!.toLowerCase() : '=', values: [value] };
  });
}

function datasetsRead({ name: lens, datasets }: Lens, { report }: GuardedSql): Citation[] {
  const read = new Set(report.columns.map((column) => column.split('.')[0]!));
  return datasets
    .filter(({ name }) => read.has(name))
    .map(({ name, description }) => ({ kind: 'dataset', name, lens, text: description }));
}
