// Question -> intent, question back, or an honest no. Reads, assembles, and accounts for every word.

import type { Exists, Filter, Intent } from '../lens/model/intent.ts';
import { datasetOfPath } from '../lens/model/join-paths.ts';
import type { Asker, Lens, LensField } from '../lens/model/lens.ts';
import { checkIntent } from '../lens/sql/compile-intent.ts';
import { intentSentence } from '../lens/sql/intent-sentence.ts';
import { Problem } from '../platform/problem.ts';
import { withAnswers } from './answered-back.ts';
import { type Assembled, assemble } from './assembly/assemble.ts';
import { bareVerb } from './assembly/bare-verbs.ts';
import { saidOfAnother } from './assembly/said-of-another.ts';
import { settleDefinitions } from './assembly/settle-definitions.ts';
import { readWho } from './assembly/who.ts';
import { leftOut } from './conversation.ts';
import { readByGrammar } from './decide/decide.ts';
import { readEitherWord } from './either-word.ts';
import { derives, twinVerb, verbRoot } from './english/inflection.ts';
import { changesOnly, merge, opened } from './follow-up.ts';
import { type Cursor, cursorOver } from './grammar/cursor.ts';
import { datesOf, yearsOf } from './grammar/event-dates.ts';
import { parseQuestion } from './grammar/parse.ts';
import { tells } from './grammar/place-conditions.ts';
import { eventRoot } from './grammar/rules-event.ts';
import { Unreadable } from './grammar/unreadable.ts';
import type { PlannerInput, Reading, ReadQuestion, WordUse } from './reading.ts';
import { readWithRestrictions } from './restrictions/settle-words.ts';
import { isTemporal } from './words/datatypes.ts';
import { metricsSpelling } from './words/governed.ts';
import { verbSenses } from './words/lexicon.ts';
import { isTooLong, LONGEST, TOO_LONG } from './words/longest.ts';
import { tokenise } from './words/tokens.ts';
import { vocabularyOf, words } from './words/vocabulary.ts';

const refused = (unread: string[], read: WordUse[], message?: string): Reading => {
  const explained = message !== undefined && message !== 'unreadable';
  return {
    kind: 'refused',
    words: [...new Set(unread)],
    message: explained
      ? message
      : `I can't place ${unread.map((word) => `"${word}"`).join(', ')} in what this lens holds.`,
    explained,
    read,
  };
};

const notRead = (question: string): Reading => refused([question.slice(0, 40)], [], TOO_LONG);

const MAX_TURNS = 20;
const parsed = (question: string, { lens, choices, now }: PlannerInput): Cursor | null => {
  if (isTooLong(question)) return null;
  const tokens = tokenise(question);
  if (tokens.list.length === 0) return null;
  const cursor = cursorOver(tokens, vocabularyOf(lens), { now, timezone: lens.timezone }, { ...choices });
  parseQuestion(cursor);
  return cursor;
};

/** The last turns, as long together as one question may be: what is read is read at once, and others wait meanwhile. */
const recent = (context: readonly string[]): string[] => {
  let left = LONGEST;
  let first = context.length;
  while (first > 0 && context.length - first < MAX_TURNS && context[first - 1]!.length <= left)
    left -= context[--first]!.length;
  return context.slice(first);
};

/** The question as one that stands alone: itself, or what it changes in the questions before it. */
const inContext = (input: PlannerInput): Cursor | null => {
  const alone = parsed(input.question, input);
  const earlier = input.context ?? [];
  if (!alone || earlier.length === 0) return alone;
  const base = readable(() => inContext({ ...input, question: earlier.at(-1)!, context: earlier.slice(0, -1) }));
  if (base) alone.leftOut = leftOut(alone, base);
  const opening = opened(input.question);
  if (opening === null && alone.unread.length === 0 && alone.draft.shown.length > 0) return alone;
  const change = opening === null ? alone : parsed(opening, input);
  if (!change || !changesOnly(change)) return alone;
  if (!base || base.unread.length > 0) return alone;
  // "and cancelled?" behind a period: of those, the ones that are cancelled, or how many were cancelled in it?
  const dated = change.draft.conditions.some(({ text, options }) =>
    options.some((option) => /^\w+ed$/i.test(text) && datesOf(base, option.dataset, text.toLowerCase()).length > 0),
  );
  if (dated && base.draft.times.length + change.draft.times.length > 0) {
    alone.unread.push(...change.draft.conditions.map(({ text }) => text));
    return alone;
  }
  const adds = /^(?:and|also)\b/i.test(input.question.trim()) && !/instead/i.test(input.question);
  base.draft = merge(base.draft, change.draft, base.tokens.length, adds);
  base.tokens = [...base.tokens, ...change.tokens];
  base.uses.push(...change.uses);
  base.draft.notes.push(carriedOver(earlier.at(-1)!));
  base.carried.push(earlier.at(-1)!);
  return base;
};

const readable = (read: () => Cursor | null): Cursor | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
};

export const readQuestion: ReadQuestion = (given) => {
  if (isTooLong(given.question)) return notRead(given.question);
  const input = withAnswers({ ...given, context: (given.context ?? []).slice(-MAX_TURNS) }, readRestricted);
  const reading = thatLeadsOn(input, readRestricted(input), readRestricted);
  if (input.question === given.question || reading.kind !== 'intent') return reading;
  return { ...reading, notes: [carriedOver(input.question), ...reading.notes] };
};

const readRestricted: ReadQuestion = (input) => readWithRestrictions(input, readAllWays);

const readAllWays: ReadQuestion = (input) => {
  const first = thatLeadsOn(input, readWhole(input), readWhole);
  const composed = first.kind === 'refused' ? readComposed(input, first) : null;
  return composed ? thatLeadsOn(input, composed, readEither) : first;
};

const readComposed = (input: PlannerInput, refused: Extract<Reading, { kind: 'refused' }>): Reading | null =>
  refused.explained || input.context?.length ? null : readByGrammar(input);
const readEither: ReadQuestion = (input) => {
  const read = readWhole(input);
  return (read.kind === 'refused' && readComposed(input, read)) || read;
};

const TRIED = 8;
/** A question back whose every answer ends in a no is no question: the no is told at once. An option that ends in one is
 *  not offered, nor one beyond those that are tried. Stored values of one field lead where the first of them leads. */
const thatLeadsOn = (input: PlannerInput, reading: Reading, read: ReadQuestion): Reading => {
  if (reading.kind !== 'clarification' || reading.clarification.options.length === 0) return reading;
  const { kind, term, options, message } = reading.clarification;
  const first = options.slice(0, kind === 'unknown_value' ? 1 : TRIED);
  const tried = first.map((option) => {
    const key = typeof option === 'string' ? option : option.key;
    return { option, key, read: read({ ...input, choices: { ...input.choices, [term]: key } }) };
  });
  const open = tried.filter(({ read }) => read.kind !== 'refused');
  if (open.length === 0) return tried[0]!.read;
  if (kind === 'unknown_value' || open.length === options.length) return reading;
  const closed = tried.flatMap(({ key, read: no }) => (no.kind === 'refused' ? [{ key, no }] : []));
  const why = closed.find(({ no }) => no.explained)?.no.message;
  const no = `With ${closed.map(({ key }) => key).join(' or ')} it can't be answered${why ? `: ${why}` : '.'}`;
  const more = options.length - tried.length;
  return {
    ...reading,
    clarification: {
      ...reading.clarification,
      message: [
        message,
        ...(closed.length > 0 ? [no] : []),
        ...(more > 0 ? [`There are ${more} more; say one of them in the question.`] : []),
      ].join(' '),
      options: open.map(({ option }) => option),
    },
  };
};

const readWhole: ReadQuestion = (input) => {
  const written = readAsWritten(input);
  const reading = readWho(input, written, (question) => readAsWritten({ ...input, question })) ?? written;
  if (reading.kind !== 'refused' || !reading.words.includes('/')) return reading;
  return readEitherWord(input.question, (question) => readAsWritten({ ...input, question })) ?? reading;
};

const carriedOver = (question: string): string => `Carried over from the earlier question: "${question}".`;

const readAsWritten: ReadQuestion = (input) => {
  let cursor: Cursor | null = null;
  try {
    cursor = inContext({ ...input, context: recent(input.context ?? []) });
    return cursor ? settled(cursor, input) : notRead(input.question);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const unread = cursor?.unread ?? [];
    if (error.clarification && unread.length === 0)
      return { kind: 'clarification', clarification: error.clarification, words: cursor?.uses ?? [] };
    const read = cursor?.uses ?? [];
    return unread.length > 0 ? refused(unread, read) : refused(error.words, read, error.message);
  }
};

const settled = (cursor: Cursor, { lens, question }: PlannerInput): Reading => {
  settleDefinitions(cursor);
  if (cursor.unread.length > 0) return refused(cursor.unread, cursor.uses);
  const assembled = assemble(cursor);
  // A path may be a role: its rows are those of a dataset.
  const datasets = assembled.datasets.flatMap((path) => datasetOfPath(lens, path)?.name ?? []);
  const unaccounted = cursor.draft.verbs.filter(
    (verb) =>
      bareVerb(cursor, verb) || !(verbFits(cursor, verb.text, datasets) || saysRole(assembled.intent, verb.text)),
  );
  if (unaccounted.length > 0)
    return refused(
      unaccounted.map(({ text }) => text),
      cursor.uses.filter((use) => !unaccounted.some(({ text }) => text === use.text)),
    );
  const fault = uncompilable(lens, assembled.intent);
  const { ask } = cursor.draft.times.find((time) => time.ask) ?? {};
  if (ask && fault === null) throw ask;
  return fault === null ? answerable(cursor, assembled) : refused([question], cursor.uses, fault);
};

const ANYONE: Asker = { name: '', groups: [], attributes: {}, superuser: true };
/** Why the compiler would refuse what was read: a fan-out, an ambiguous join, a masked field. Then it is no reading. */
const uncompilable = (lens: Lens, intent: Intent): string | null => {
  try {
    checkIntent(lens, intent, ANYONE);
    return null;
  } catch (error) {
    if (error instanceof Problem) return inWords(error);
    throw error;
  }
};

/** To somebody who wrote no plan. */
const inWords = ({ message, details }: Problem): string => {
  const [{ code, path } = { code: '', path: '' }] = details;
  const said = path.replaceAll('_', ' ');
  if (code === 'fan_out')
    return `Each row that is counted can have several ${said}, so it would be counted several times. Ask for a number of ${said}, or leave ${said} out.`;
  if (code === 'ambiguous') return message.replace('Choose one with via', 'Name the one that is meant');
  if (code === 'not_additive')
    return 'An average, a ratio or a number of different things has no parts that add up. Ask for it by group, or for the share of a total or a number of rows.';
  return message;
};

const answerable = (c: Cursor, { intent, notes, unproven, values }: Assembled): Reading => {
  const { lens } = c.vocabulary;
  const used: Extract<Reading, { kind: 'intent' }>['used'] = [];
  for (const measure of intent.measures) {
    if (measure.kind !== 'metric') continue;
    used.push({
      kind: 'metric',
      name: measure.name,
      text: lens.metrics.find((metric) => metric.name === measure.name)?.description ?? null,
    });
  }
  for (const { definition } of c.draft.definitions)
    used.push({ kind: 'definition', name: definition.term, text: definition.meaning });
  for (const value of values) used.push({ kind: 'value', ...value });
  return {
    kind: 'intent',
    intent,
    words: c.uses,
    sentence: intentSentence(lens, intent),
    used,
    notes: [...c.draft.notes, ...notes],
    unproven,
    asked: { texts: c.carried, choices: c.choices },
    doubt:
      [
        c.leftOut,
        c.doubt,
        countedApart(c, intent.filters),
        saidOfAnother(c, intent.filters),
        saidOfARow(c, intent),
        saidOfEach(c),
      ]
        .filter(Boolean)
        .join(' ') || null,
  };
};

/** "loss-making states": the definition is of an order, and a state has many. */
const saidOfARow = (c: Cursor, { measures, distinct }: Intent): string | null => {
  const [said] = c.draft.definitions;
  return said && distinct && measures.length === 0
    ? `"${said.text}" is defined for single rows: what has at least one such row is listed.`
    : null;
};

/** "revenue in the West and profit for Consumer": each measure may have a condition of its own. */
const saidOfEach = ({ draft: { shown, conditions } }: Cursor): string | null => {
  const said = shown.flatMap(({ measure }) => (measure ? [measure.at] : [])).toSorted((a, b) => a - b);
  const [first, last] = [said[0] ?? 0, said.at(-1) ?? 0];
  const between = conditions.some(({ at }) => at > first && at < last);
  return between && conditions.some(({ at }) => at > last)
    ? 'Each measure may have been meant under the condition said with it; here all conditions hold for all measures.'
    : null;
};

/** "with more than 5 orders" counts rows, where the metric that is called so may count others. */
const countedApart = (c: Cursor, filters: readonly Filter[]): string | null => {
  for (const one of filters.flatMap(within)) {
    if (!one.count) continue;
    const [metric] = metricsSpelling(c.vocabulary, { fn: 'count', path: one.path });
    if (metric && !/^count\s*\(\s*(?:\*|[\w.]+)\s*\)$/i.test(metric.filter === null ? metric.expression : ''))
      return `Rows of ${one.path} are counted for the condition, not ${metric.name}.`;
  }
  return null;
};

const within = (one: Filter): Exists[] =>
  one.kind === 'exists' ? [one] : one.kind === 'any' || one.kind === 'all' ? one.of.flatMap(within) : [];

/** "ended in Rome": the verb says which of two places a condition is about. */
const saysRole = ({ filters }: Intent, text: string): boolean =>
  filters.some(
    (filter) => filter.kind === 'condition' && filter.field.path.includes('_') && tells(text, filter.field.path),
  );

/** A verb is accounted for when it only relates, or when what it implies is among the things the reading touches. */
const verbFits = (c: Cursor, text: string, datasets: string[]): boolean => {
  if (dateOnly(c, text, datasets) || isStored(c, text, datasets)) return false;
  const senses = verbSenses(text);
  const names = new Set<string>();
  for (const name of datasets) {
    const dataset = c.vocabulary.dataset(name);
    for (const label of [
      name,
      ...dataset.synonyms,
      ...dataset.fields.flatMap((field) => [field.name, ...field.synonyms]),
    ])
      for (const word of words(label)) names.add(word.replace(/(?<=ss)es$|(?<!s)s$/, ''));
  }
  for (const { role, from } of c.vocabulary.lens.relationships) {
    if (!datasets.includes(from.dataset)) continue;
    for (const word of [...words(role), ...from.columns.flatMap(words)])
      names.add(word.replace(/(?<=ss)es$|(?<!s)s$/, ''));
  }
  if (senses?.some((sense) => sense.needs === null || [...sense.needs].some((need) => names.has(need)))) return true;
  const roots = [verbRoot(text), twinVerb(text) ?? ''].filter((root) => root.length > 0);
  return [...names].some((name) => roots.some((root) => derives(name, root)));
};

/** "shares bought" where a side is called buy: those only, which the verb alone does not settle. */
const isStored = (c: Cursor, text: string, datasets: string[]): boolean => {
  const root = eventRoot(text);
  if (root.length < 3 || datasets.some((name) => datesOf(c, name, text).length > 0)) return false;
  return datasets.some((name) =>
    c.vocabulary
      .dataset(name)
      .fields.some(
        (field) =>
          (isFlagged(field, root) ||
            ((field.dictionary?.values.length ?? 0) <= 50 &&
              field.dictionary?.values.some(({ value }) => eventRoot(value.toLowerCase()) === root))) &&
          !c.draft.conditions.some(({ options }) => options.some((option) => option.field === field)),
      ),
  );
};

/** "containers that we own", where each is owned or not. */
const isFlagged = ({ name, datatype }: LensField, root: string): boolean =>
  datatype === 'boolean' && words(name).some((word) => eventRoot(word) === root);

/** "orders shipped" without a date may mean those that were shipped at all: the date of the event restricts them. */
const dateOnly = (c: Cursor, text: string, datasets: string[]): boolean => {
  if (c.draft.about?.kind === 'date') return false;
  if (c.draft.times.length > 0 || c.draft.ranks.length > 0 || c.draft.groups.some((group) => 'grain' in group))
    return false;
  const root = text === 'born' ? 'birth' : verbRoot(text);
  const starts = (name: string): boolean => derives(words(name)[0] ?? '', root);
  if (datasets.some((name) => words(name).some((word) => derives(word, root)))) return false;
  return datasets.some(
    (name) =>
      c.vocabulary.dataset(name).fields.some((field) => isTemporal(field.datatype) && starts(field.name)) ||
      datesOf(c, name, text).length + yearsOf(c, name, text).length > 0,
  );
};
