// What is settled once all is bound: masks, values side by side or together, and what a computation runs over.
import type { FieldRef, Filter, Intent } from '../../lens/model/intent.ts';
import { innerFilters } from '../../lens/model/intent-filters.ts';
import type { LensMetric } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { MeasureDraft } from '../grammar/draft.ts';
import { countMetric } from '../grammar/read-count.ts';
import { refuse } from '../grammar/resolve.ts';
import { Unreadable } from '../grammar/unreadable.ts';
import { pushUnique } from './build-dimensions.ts';

/** A masked field may be listed or counted, nothing else. */
export const checkMasks = (c: Cursor, intent: Intent, aggregated: boolean): void => {
  const orders = intent.order.flatMap(({ by }) => (by.kind === 'field' ? [by.field] : []));
  const used = [...(aggregated ? intent.dimensions : []), ...flatRefs(intent.filters), ...orders];
  for (const ref of used) {
    const dataset = c.vocabulary.lens.datasets.find(
      ({ name }) => name === (c.vocabulary.graph.datasetOf(ref.path) ?? ref.path),
    );
    if (dataset?.fields.some((field) => field.name === ref.field && field.masked))
      refuse(ref.field, `"${ref.field}" is masked. Ask how many different ones there are, or ask without it.`);
  }
};

/** "West vs East": the two are shown side by side. */
export const comparedValues = (c: Cursor, intent: Intent): void => {
  if (!c.draft.compared || c.draft.times.length > 1) return;
  const filter = intent.filters.find((one) => one.kind === 'condition' && one.op === 'in' && one.values.length > 1);
  if (filter?.kind !== 'condition' || intent.measures.length === 0) refuse('compare');
  else pushUnique(intent.dimensions, filter.field);
};

/** "the document id with paragraphs 'Brazil' and 'Ireland'": the key of something that may have both. */
export const bothOrEither = (c: Cursor, intent: Intent): void => {
  if (intent.measures.length > 0 || intent.dimensions.length === 0) return;
  const pointsAway = ({ path, field }: FieldRef): boolean =>
    c.vocabulary.lens.relationships.some(({ from }) => from.dataset === path && from.columns.includes(field));
  if (!intent.dimensions.every(pointsAway)) return;
  const joined = c.draft.conditions.find(
    ({ text, op, negated }) => op === 'in' && !negated && /\band\b/i.test(text) && !/\bor\b/i.test(text),
  );
  if (joined) refuse(joined.text, `"${joined.text}" can mean both at once or either; say "both … and" or "or".`);
};

/** "patients of Graz and Wien": one number for both, or one for each? Two answers, so the asker says which. */
export const togetherOrEach = (c: Cursor, intent: Intent): void => {
  if (intent.measures.length === 0 || c.draft.compared) return;
  for (const { text, op, negated } of c.draft.conditions) {
    if (op !== 'in' || negated || !/\band\b/i.test(text) || /\bor\b/i.test(text)) continue;
    const filter = intent.filters.find((one) => one.kind === 'condition' && one.op === 'in');
    if (
      filter?.kind !== 'condition' ||
      intent.dimensions.some((ref) => ref.path === filter.field.path && ref.field === filter.field.field)
    )
      continue;
    const choice = c.choices[text];
    if (choice === 'together') continue;
    if (choice === 'each') pushUnique(intent.dimensions, filter.field);
    else
      throw new Unreadable(
        {
          kind: 'ambiguous_term',
          term: text,
          message: `"${text}" can mean one number for both or one for each. Say which.`,
          options: [
            { key: 'together', label: `${text} taken together`, meaning: 'One number over all of them.' },
            {
              key: 'each',
              label: `${text} side by side`,
              meaning: `A row for each ${filter.field.field.replaceAll('_', ' ')}.`,
            },
          ],
        },
        [text],
      );
  }
};

/** "customers who ordered in 2022 and 2023": in both, or in either? A row of an order is of one year only. */
export const inBothPeriods = (c: Cursor, intent: Intent): void => {
  const { times, compared } = c.draft;
  const joined = times.find((time, index) => index > 0 && c.tokens[time.at - 1]!.norm === 'and');
  const distinct = intent.measures.some((measure) =>
    measure.kind === 'aggregate'
      ? measure.fn === 'count_distinct'
      : measure.kind === 'metric' &&
        c.vocabulary.lens.metrics.some(({ name, expression }) => name === measure.name && /distinct/i.test(expression)),
  );
  if (!joined || compared || intent.dimensions.some(({ grain }) => grain)) return;
  if (distinct || (intent.measures.length === 0 && intent.distinct))
    refuse(
      joined.text,
      `"${times.map(({ text }) => text).join(' and ')}" can mean both or either. Say "or", or ask for each.`,
    );
};

/** "orders by month from 2021": of that year, or from then on? */
export const withinOrFrom = (c: Cursor, intent: Intent): void => {
  if (!intent.dimensions.some(({ grain }) => grain)) return;
  for (const { at, text, mention } of c.draft.times)
    if (c.tokens[at]!.norm === 'from' && mention.from && mention.to && mention.unit)
      refuse(text, `"${text}" can mean within it or from then on. Say "in" or "since".`);
};

/** "orders not shipped": without a shipment, or not in the state called so? */
export const storedOrRelated = (c: Cursor, home: string): void => {
  if (c.draft.times.length > 0) return;
  for (const { relation } of c.draft.clauses) {
    const said = relation && c.tokens[relation.at]!.norm;
    if (!said || !c.vocabulary.values.get(said)?.some(({ dataset }) => dataset === home)) continue;
    refuse(
      said,
      `"${said}" is a value of these rows, and can also mean that something related to them exists. Name the field that is meant.`,
    );
  }
};

/** "customers in every region", "artists that played on each stage": of each, or who are in all of them? "the number of
 *  customers in every region" counts, where each of them is of one region only. */
export const eachOrAll = (c: Cursor, drafts: MeasureDraft[]): void => {
  const group = c.draft.groups.find(
    (one) => ('inEvery' in one && one.inEvery) || (!isUnit(one) && saidOfAll(c, one.at)),
  );
  if (!group || c.draft.ranks.length > 0) return;
  const counts = ({ kind, metrics }: MeasureDraft): boolean =>
    kind === 'count' ||
    (metrics?.every(({ references }) => references.aggregates.every((fn) => /count/i.test(fn))) ?? false);
  if (drafts.some((one) => !counts(one))) return;
  const of = 'dataset' in group ? group.dataset : 'bound' in group ? group.bound : undefined;
  const oneEach = drafts.every(({ dataset }) => !dataset || !of || c.vocabulary.graph.paths(dataset, of).length > 0);
  if (drafts.some(({ text }) => SAID_TO_COUNT.test(text)) && (oneEach || c.tokens[group.at - 1]?.norm !== 'every'))
    return;
  refuse(
    `every ${group.text}`,
    `"every ${group.text}" can mean a number for each or only what is found in all of them. Say "for each ${group.text}".`,
  );
};
/** "that played on each stage", "used by every artist", "with a show on every large stage". */
const saidOfAll = (c: Cursor, at: number): boolean => {
  const quantifier = [1, 2, 3]
    .map((back) => at - back)
    .find((one) => /^(?:each|every)$/.test(c.tokens[one]?.norm ?? ''));
  if (quantifier === undefined) return false;
  const [verb = '', preposition = ''] = [quantifier - 2, quantifier - 1].map((one) => c.tokens[one]?.norm);
  if (preposition === 'by') return /(?:ed|en)$/.test(verb);
  const every = c.tokens[quantifier]!.norm === 'every';
  return /^(?:in|from|at|on|to|across|within)$/.test(preposition) && (every || c.tokens.slice(0, at).some(relates));
};
const isUnit = (group: object): boolean => 'grain' in group && !('candidates' in group);
const relates = ({ norm }: { norm: string }): boolean => /^(?:that|who|which)$/.test(norm);

/** "who played on every indoor stage", "all of whose orders are paid": that one related row is so doesn't tell. */
export const ofEveryRelated = (c: Cursor, intent: Intent, home: string): void => {
  const related = existing(intent.filters);
  if (related.length === 0) return;
  for (const [index, { norm }] of c.tokens.entries()) {
    if (!/^(?:all|each|every)$/.test(norm)) continue;
    // "the format for all scripts with more than 10 pages" is told of each of them.
    const said = c.tokens.slice(0, index);
    if (/^(?:for|of)$/.test(said.at(-1)?.norm ?? '') && !said.some(relates)) continue;
    let next = index + 1;
    while (/^(?:of|the|their|its|our|these|those|single)$/.test(c.tokens[next]?.norm ?? '')) next++;
    if (/^(?:whose|whom|which)$/.test(c.tokens[next]?.norm ?? '')) refuse(c.textOf(index, next - index + 1));
    const named = [
      ...(c.phrase(next - c.at)?.terms ?? []).flatMap((term) => ('dataset' in term ? [term.dataset] : [])),
      ...c.values(next - c.at).flatMap(({ entries }) => entries.map(({ dataset }) => dataset)),
    ];
    if (named.includes(home) || !named.some((dataset) => related.includes(dataset))) continue;
    const every = c.textOf(index, next - index + 1);
    refuse(
      every,
      `"${every}" would have to hold for every related row. Say "with only …", or which related rows may not be there: "without …".`,
    );
  }
};
/** What the related rows are of that have to exist, and what is said of them. */
const existing = (filters: readonly Filter[]): string[] =>
  filters.flatMap((filter) =>
    filter.kind === 'exists'
      ? [filter.path, ...flatRefs(filter.where).map(({ path }) => path), ...existing(filter.where)]
      : existing(innerFilters(filter)),
  );
const SAID_TO_COUNT = /\b(?:how many|numbers?|counts?|total)\b/i;

/** "revenue per customer by region": a row for each customer of a region, or revenue by how many they are? */
export const eachOrDivided = (c: Cursor, drafts: MeasureDraft[]): void => {
  const { groups, meanOver } = c.draft;
  const thing = groups.find(
    (one) =>
      'per' in one && one.per && ('dataset' in one || countMetric(c, one.text.split(' ').length, one.at).length > 0),
  );
  const besides = groups.some((one) => one !== thing && !('per' in one && one.per));
  if (!thing || !besides || meanOver || drafts.length === 0) return;
  refuse(
    `per ${thing.text}`,
    `"per ${thing.text}" can mean a row for each or divided by how many there are. Say "by ${thing.text}", or "average … per ${thing.text}".`,
  );
};

/** "the average price for each product": of its one price there is no average. */
export const ofOneRow = (c: Cursor, intent: Intent, home: string): void => {
  if (!intent.groupKeys?.includes(home)) return;
  const picks = (fns: readonly string[]): boolean =>
    fns.length > 0 && fns.every((fn) => /^(?:avg|min|max|median)$/.test(fn));
  for (const measure of intent.measures) {
    const metric = measure.kind === 'metric' && c.vocabulary.lens.metrics.find(({ name }) => name === measure.name);
    const own =
      measure.kind === 'aggregate'
        ? measure.path === home && picks([measure.fn])
        : metric && metric.home === home && metric.references.fields.length > 0 && picks(metric.references.aggregates);
    const one = home.replaceAll('_', ' ');
    if (own)
      refuse(one, `Each row of ${one} has one such value: ask for it of each, or for one number over all of them.`);
  }
};

/** What is counted or added up elsewhere without the filter: "estimated readings" beside all readings. */
const isPart = (c: Cursor, { name, expression, filter }: LensMetric): boolean =>
  filter !== null &&
  (/^\s*count\b/i.test(expression) ||
    c.vocabulary.lens.metrics.some((one) => one.name !== name && one.expression === expression && one.filter === null));

/** A share needs groups to be a share of their sum; running totals and growth need a sequence of periods. */
export const checkWindows = (c: Cursor, intent: Intent, drafts: MeasureDraft[]): void => {
  const periods = intent.dimensions.filter((ref) => ref.grain);
  for (const measure of intent.measures) {
    if (measure.kind !== 'windowed') continue;
    const ordered = measure.fn !== 'share_of_total';
    const alone = measure.fn === 'running_total' && intent.dimensions.length !== 1;
    if (intent.dimensions.length === 0 || (ordered && (periods.length !== 1 || alone)))
      refuse(
        drafts.map((one) => one.text),
        'Say over which groups or periods.',
      );
    const part = drafts.find(({ metrics, text }) => metrics?.some((one) => isPart(c, one)) && !/total/i.test(text));
    // "share of estimated readings by region": of all estimated ones, or of the readings of each region?
    if (!ordered && part)
      refuse(part.text, `Say "share of total ${part.metrics![0]!.name.replaceAll('_', ' ')}", or of what.`);
    // A share within a filtered part may be meant of the whole.
    if (!ordered && c.draft.conditions.length > 0)
      refuse(
        c.draft.conditions.map((one) => one.text),
        'Say of which whole the share is.',
      );
  }
};

export const flatRefs = (filters: Filter[]): FieldRef[] =>
  filters.flatMap((filter) => [
    ...(filter.kind === 'condition'
      ? [filter.field]
      : filter.kind === 'exists'
        ? [{ path: filter.path, field: '' }]
        : []),
    ...flatRefs(innerFilters(filter)),
  ]);
