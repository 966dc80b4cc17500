// What restricts: relative clauses and their negation, relations with counts, conditions on fields and on measures, time.
import { DateTime } from 'luxon';
import type { Grain, LensMetric } from '../../lens/lens.ts';
import { verbSenses } from '../words/lexicon.ts';
import type { TimeMention } from '../words/time-expressions.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { Clause, ConditionDraft, FieldSlot, MeasureDraft } from './draft.ts';
import { ofThing } from './names-row.ts';
import { isPercent, percentOfMetric } from './percent.ts';
import { pushCondition } from './push-condition.ts';
import { readBareComparison } from './read-bare-comparison.ts';
import { asOptions, isAsKept, numericFields, readComparison } from './read-comparison.ts';
import { conditionOnField } from './read-conditions.ts';
import { countMetric, namedAmount, readMeasure } from './read-measures.ts';
import { readTextCondition } from './read-text-condition.ts';
import { attempt, isNumeric, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import { readUnknownValue } from './read-unknown-value.ts';
import { readAdjective, readValueCondition } from './read-value-condition.ts';
import { possessive, type Rule, type State } from './rule.ts';
import { happenedTo } from './rules-happened.ts';
import { goesOnAbout } from './same-row.ts';

/** "in the years of both 2014 and 2015" */
const BOTH = /(?:(?:in|during) )?(?:the )?(?:years? (?:of )?)?both(?: (?:the )?years?)?/;

export const time: Rule = (c, state) => {
  const both = c.match(BOTH);
  const twice = both > 0 ? c.time(both) : null;
  if (twice && c.norm(both + twice.length) === 'and' && c.time(both + twice.length + 1)) {
    const { at, clause } = c;
    const second = c.time(both + twice.length + 1)!;
    const length = both + twice.length + 1 + second.length;
    const text = c.accept(length, 'time');
    if (clause.negated || twice.fault || second.fault) c.draft.faults.push(text);
    c.draft.times.push({ mention: { ...twice, length }, every: [twice, second], at, text, negated: false, clause });
    state.head = false;
    return true;
  }
  const read = c.time();
  if (!read) return false;
  const mention = beforeNamed(c, read);
  const longer = c.values(0)[0];
  if (longer && (longer.length > mention.length || (c.token()!.kind === 'number' && !mention.unit))) return false;
  const { at, clause } = c;
  const negated = clause.negated && !clause.relation && !c.draft.conditions.some((one) => one.clause === clause);
  const text = c.accept(mention.length, 'time', `${mention.from ?? ''}..${mention.to ?? ''}`);
  if (mention.fault) c.draft.faults.push(`${text} (${mention.fault})`);
  // "opened by 2020": at any time until then, or in it?
  if (c.tokens[at - 1]?.norm === 'by') c.draft.faults.push(`by ${text}`);
  const any = [mention];
  for (let next = c.norm() === 'or' ? c.time(1) : null; next; next = c.norm() === 'or' ? c.time(1) : null) {
    c.accept(next.length + 1, 'time', `${next.from ?? ''}..${next.to ?? ''}`);
    if (next.fault || negated) c.draft.faults.push(c.textOf(at, c.at - at));
    any.push(next);
  }
  if (any.length === 1) c.draft.times.push({ mention, at, text, negated, clause });
  else {
    const whole = { ...mention, length: c.at - at };
    c.draft.times.push({ mention: whole, any, at, text: c.textOf(at, c.at - at), negated, clause });
  }
  // "last year's revenue"
  if (c.token(1)?.kind === 'word') c.take(/'s?/, 'possessive');
  state.only = false;
  state.head = false;
  return true;
};

/** "2017 versus the previous year": the year before the one that was named, whatever year it is today. */
const beforeNamed = (c: Cursor, mention: TimeMention): TimeMention => {
  const said = /(?:previous|prior|preceding|last) (day|week|month|quarter|year)$/.exec(
    c.textOf(c.at, mention.length).toLowerCase(),
  );
  const named = c.draft.times.at(-1);
  if (!said || !named?.mention.from || !/\d{4}/.test(named.text)) return mention;
  if (said[0].startsWith('last') || named.mention.unit !== said[1])
    return { ...mention, fault: `before ${named.text}, or before today` };
  const unit = said[1] as Grain;
  const from = DateTime.fromISO(named.mention.from).minus({ [unit]: 1 });
  return { ...mention, from: from.toISODate()!, to: named.mention.from, unit };
};

const NEGATIVE =
  /(?:(?:, )?(?:and |but )?(?:who|that|which|they)? ?(?:do|does|did|have|has|had|is|are|was|were) (?:not|never)|(?:who|that|which|and|but) never|(?:but |and )?not|(?:, )?(?:but )?(?:excluding|except(?: for)?|without|other than|apart from|not including|outside(?: of)?)(?: (?:those|the ones)(?= (?:in|from|at|of|on|for)))?|(?:who |that |which )?(?:with|have|has|having|had) no|(?:who |that |which )?(?:don't|doesn't|didn't|haven't|hasn't|isn't|aren't|wasn't|weren't))(?: (?:have|has|had|any|a|an|in|from|at|on|of|for|with|by|via|the|been|yet))*/;
const NEITHER =
  /(?:(?:who|that|which) )?(?:(?:is|are|was|were) )?(?:(?:in|from|of|at|for|by) )?neither(?: (?:in|from|to|of|at|for|the|a|an))*/;
const RELATIVE =
  /(?:and |but |, )?(?:(?:for|in|from|of) which|who|that|which|whom|whose|where|with|having)(?: there(?= (?:is|are|was|were)))?(?: (?:have|has|had|is|are|was|were|also|the|do|does|did|been|a|an|any|some))*/;

const HAVING = /\b(?:have|has|had|own|owns|owned)\b|^with (?:an?|any|some)\b/i;

export const clauseStart: Rule = (c, state) => {
  if (c.clause.negated && c.take(/(?:yet|at all|so far)(?= (?:\.|\?)| ?$)/, 'filler')) return true;
  const fresh = (negated: boolean): Clause => {
    state.head = false;
    return c.newClause(negated);
  };
  const negative = c.match(NEGATIVE) || c.match(NEITHER);
  if (negative > 0 && c.token(negative)) {
    const own = c.draft.conditions.filter(({ clause }) => clause === c.clause);
    // "which Sony does not make"
    const undone =
      /^(?:do|does|did) not$/.test(c.textOf(c.at, 2).toLowerCase()) &&
      negative === 2 &&
      verbSenses(c.norm(2)) !== undefined &&
      /^(?:|[.?!])$/.test(c.norm(3));
    if (
      (undone || /^(?:is|are|was|were)$/.test(c.norm())) &&
      c.clause.id > 0 &&
      !c.clause.negated &&
      own.length === 1 &&
      own[0]!.end === c.at
    ) {
      c.accept(negative, 'negation');
      Object.assign(c.clause, { negated: true, whole: true });
      return true;
    }
    if (c.clause.negated && !/^(?:and|but|,)$/.test(c.norm())) c.draft.faults.push(c.textOf(c.at, negative));
    const said = c.accept(negative, 'negation');
    const clause = fresh(true);
    // "stadiums except for stadiums having a concert": the thing itself, named again.
    const again = peekEntity(c);
    const having = again
      ? c.match(/(?:having|with|(?:who|that|which) (?:have|has|had))(?: (?:an?|any|the))*/, again.length)
      : 0;
    if (
      again &&
      having > 0 &&
      again.dataset === (c.draft.entities[0]?.dataset ?? null) &&
      /except|exclud|other than|apart/.test(said)
    ) {
      c.accept(again.length + having, 'relative');
      clause.has = true;
    }
    if (HAVING.test(said)) clause.has = true;
    return true;
  }
  // "the days when the rainfall was over 10"
  const when = c.draft.shown.length > 0 ? c.match(/when(?: (?:the|its|their))?(?= )/) : 0;
  if (when > 0 && peekField(c, when) && !/^(?:and|,|or)$/.test(c.norm(-1))) {
    c.accept(when, 'relative');
    fresh(false);
    return true;
  }
  const relative = c.match(RELATIVE);
  if (relative > 0 && c.token(relative)) {
    const first = c.norm();
    // "…, and where are they from?" asks for one thing more.
    if (c.match(/(?:(?:and|but|,) )?where (?:is|are|was|were|do|does|did) (?:the|they|he|she|it|these|those)/) > 0)
      return false;
    const named = c.draft.shown.length > 0 || c.draft.entities.length > 0;
    if (/^(?:who|which|whose|where|that|for|in|from|of)$/.test(first) && (c.at === 0 || !named)) return false;
    if (/^(?:and|,)$/.test(first) && !/^(?:who|that|which|whose|where|with|having)$/.test(c.norm(1))) return false;
    const who = /^(?:and|,)$/.test(c.norm(-1)) ? c.match(/who (?:is|are|was|were) the/) : 0;
    if (who > 0 && (peekField(c, who) || peekEntity(c, who))) return false;
    // "and which country": another thing asked for.
    if (/^(?:and|,)$/.test(first) && c.norm(1) === 'which' && peekField(c, relative)) return false;
    if (c.match(/and (?:for|in|from|of) which/) > 0) return false;
    if (c.norm(-1) === 'and' && c.match(/(?:for|in|from|of) which/) > 0) return false;
    // A clause right behind the thing another clause relates to is about that thing.
    const nested = c.clause.relation && !/^(?:and|but|,|who|whom)$/.test(first);
    const theirs = c.draft.conditions.at(-1);
    const { at, clause } = c;
    const said = c.accept(relative, 'relative');
    const [option, other] = theirs?.options ?? [];
    // "who has a cat that is 3 years old"
    if (
      c.clause.has &&
      theirs?.clause === c.clause &&
      theirs.end === c.at - relative &&
      /^(?:that|which|whose)$/.test(first)
    ) {
      if (!option || other || c.clause.of) c.draft.faults.push(said);
      else c.clause.of = option.dataset;
    } else if (nested) state.head = false;
    else if (HAVING.test(said)) fresh(false).has = true;
    else fresh(false);
    goesOnAbout(c, clause, at, said);
    return true;
  }
  const joined = c.match(/(?:and|or)(?: (?:also|have|has|had|having))+/);
  if (joined > 0 && c.clause.id > 0) {
    if (c.clause.negated) c.draft.faults.push(c.textOf(c.at, joined));
    if (c.norm() === 'or') state.pendingOr = true;
    c.accept(joined, 'conjunction');
    fresh(false);
    return true;
  }
  return false;
};

/** Rows are lines of what is counted. */
const countsDistinct = ({ expression }: LensMetric): boolean => /\bdistinct\b/i.test(expression);

/** "more than 3 albums", "at least one invoice". */
export const relation: Rule = (c, state) => {
  // "which customers placed at least 3 orders": the verb begins the clause.
  const verb = c.draft.verbs.at(-1);
  const told =
    c.clause.id === 0 &&
    verb !== undefined &&
    (verb.at === c.at - 1 || (verb.at === c.at - 2 && /^(?:by|in|of)$/.test(c.norm(-1))));
  if ((c.clause.id === 0 && !told) || c.clause.relation) return false;
  return (
    attempt(c, () => {
      const { at } = c;
      if (told) c.newClause(false);
      const only = c.take(/(?:only|just)/, 'comparison');
      const op = readComparison(c) ?? (c.token()?.kind === 'number' || only ? '=' : null);
      const number = c.token();
      if (!op) return null;
      c.take(/a(?= single)/, 'article');
      const value = /^(?:one|single)$/.test(c.norm())
        ? 1
        : number?.kind === 'number' && !number.unit
          ? number.value!
          : null;
      if (value === null || !Number.isInteger(value)) return null;
      c.accept(1, 'number');
      const things = peekEntity(c);
      const distinct = things ? countMetric(c, things.length).filter(countsDistinct) : [];
      const amount = things && !things.role ? namedAmount(c, things.dataset) : null;
      if (amount) {
        c.draft.entities.pop();
        const { at: from, text } = amount.slot!;
        c.draft.havings.push({
          measure: { at: from, text, ...amount },
          op,
          values: [value],
          negated: c.clause.negated,
        });
        state.head = false;
        return true;
      }
      const entity = readEntity(c);
      if (!entity) return null;
      c.draft.entities.pop();
      if (distinct.length > 0) {
        const measure: MeasureDraft = { at: entity.at, text: entity.text, kind: 'metric', metrics: distinct };
        c.draft.havings.push({ measure, op, values: [value], negated: c.clause.negated });
        state.head = false;
        return true;
      }
      c.clause.relation = { dataset: entity.dataset, at, text: entity.text, count: { op, value } };
      if (told) state.head = false;
      return true;
    }) ?? false
  );
};

const OF_A_THING = /^(?:longer|shorter|older|younger|heavier|lighter|taller|later|earlier|faster|slower|wider)$/;

const SIGNS: Readonly<Record<string, '<' | '>' | '='>> = { negative: '<', positive: '>', zero: '=' };
/** "with negative profit": of each row where rows are named, else of the total of each group. */
export const sign: Rule = (c) =>
  attempt(c, () => {
    const op = Object.hasOwn(SIGNS, c.norm()) ? SIGNS[c.norm()]! : null;
    if (!op || c.clause.id === 0 || c.clause.negated || c.values(0).length > 0) return null;
    const from = c.at;
    c.accept(1, 'comparison');
    const found = rowField(c) ? readField(c, 'condition') : null;
    const numeric = found ? numericFields(found.candidates) : [];
    if (numeric.length > 0) return pushCondition(c, from, asOptions(numeric, [0]), op, { named: true }) && true;
    const measure = readMeasure(c);
    if (!measure || measure.kind === 'count') return null;
    c.draft.havings.push({ measure, op, values: [0], negated: false });
    return true;
  }) ?? false;

/** "with revenue over 1000", "number of tracks greater than 10": a condition on a measure, so on groups. */
export const having: Rule = (c) =>
  attempt(c, () => {
    const row = rowField(c);
    const single = /^an?$/.test(c.norm()) || /^an?$/.test(c.norm(-1));
    c.take(/(?:a|an|the)/, 'article');
    if (c.draft.shown.length === 0 && c.draft.entities.length === 0) return null;
    const measure = readMeasure(c);
    if (!measure || row) return null;
    // "with a deposit over 2000" is about one of the deposits, not about all together.
    if (single && measure.metrics?.some(({ name }) => /s$/.test(name)) && !/s$/i.test(measure.text))
      c.draft.faults.push(measure.text);
    c.take(/(?:that |which )?(?:is|are|was|were|of)(?= )/, 'copula');
    const between = c.match(/between # and #/);
    if (between > 0) {
      const values = [c.token(1)!.value!, c.token(3)!.value!];
      c.accept(between, 'comparison');
      c.draft.havings.push({ measure, op: 'between', values, negated: c.clause.negated });
      return true;
    }
    // "the number of courts longer than 20": courts may be longer, their number may not.
    if (measure.kind !== 'aggregate' && OF_A_THING.test(c.norm())) return null;
    const op = readComparison(c);
    const number = c.token();
    if (!op || number?.kind !== 'number') return null;
    const unit = measure.metrics?.[0]?.unit?.toLowerCase() ?? null;
    const percent = isPercent(number.unit) ? 1 : isPercent(c.norm(1)) ? 2 : 0;
    if (percent > 0) {
      const [metric] = measure.metrics ?? [];
      const value = metric ? percentOfMetric(c.vocabulary.lens, metric, number.value!) : null;
      if (value === null) return null;
      c.accept(percent, 'number');
      if (value !== number.value)
        c.draft.notes.push(`${number.value} % is ${value}, as ${metric!.name} is a share of 1.`);
      c.draft.havings.push({ measure, op, values: [value], negated: c.clause.negated });
      return true;
    }
    const kept = measure.slot?.candidates.every(({ fields }) => isAsKept(c, fields[0]!, number.unit ?? ''));
    if (number.unit && !(number.unit === '$' && unit === 'usd') && !kept) return null;
    c.accept(1, 'number');
    if (unit && c.norm().replace(/s$/, '') === (unit === 'usd' ? 'dollar' : unit)) c.accept(1, 'unit');
    c.draft.havings.push({ measure, op, values: [number.value!], negated: c.clause.negated });
    return true;
  }) ?? false;

/** Where rows are listed or counted, "sales over 500" is about the field of each row, not about a total. */
const rowField = (c: Cursor): boolean => {
  const rows = c.draft.entities.at(-1)?.dataset;
  if (!rows || c.draft.groups.length > 0) return false;
  return Boolean(
    peekField(c)?.candidates.some(
      (one) => one.dataset === rows && one.loose === 0 && one.fields.length === 1 && isNumeric(one.fields[0]!.datatype),
    ),
  );
};

export const orThing: Rule = (c, state) => {
  if (c.norm() !== 'or' || c.draft.conditions.length === 0) return false;
  const article = c.match(/or(?: (?:the|in|in the|of|of the|from|whose|where|with|have|has|is|are))?/);
  const noun = c.phrase(article);
  // "longer than 100 minutes or rated PG"
  const behind = /^\w{3,}ed$/.test(c.norm(article)) ? c.match(/\S+(?: (?:as|in|by|at|from))?/, article) : 0;
  const said = behind > 0 && c.values(article + behind).length > 0;
  if (!noun && !said && c.values(article).length === 0) return false;
  c.accept(article, 'or');
  state.pendingOr = true;
  return true;
};

/** "consumer sales 2015": a measure and its period, not sales of 2,015. */
const measuredIn = (c: Cursor, length: number): boolean => {
  const links = c.match(/(?:of|in|for|during)(?: (?:the )?years?)?/, length);
  return (
    c.draft.shown.length + c.draft.entities.length === 0 &&
    Boolean(c.phrase()?.terms.some(({ kind }) => kind === 'metric')) &&
    (c.time(length) ?? c.time(length + links)) !== null
  );
};

/** The rows that a counting metric counts: "number of order lines above 1,000 dollars" compares a field of each line. */
const countedRows = (c: Cursor): string | undefined => {
  const metrics = c.draft.shown.at(-1)?.measure?.metrics ?? [];
  const [metric] = metrics;
  return metrics.length === 1 && metric && /^count\((?!\s*distinct)/i.test(metric.expression)
    ? (metric.home ?? undefined)
    : undefined;
};

const shownRows = (c: Cursor): string | undefined => {
  const slot = c.draft.shown.at(-1)?.slot;
  return slot ? (ofThing(c, slot) ?? undefined) : undefined;
};

export const condition: Rule = (c, state) =>
  attempt(c, () => {
    if (happenedTo(c)) return after(c, state);
    const from = c.at;
    const found = peekField(c);
    const flag = found?.candidates.every((one) => one.fields[0]!.datatype === 'boolean');
    if (
      flag &&
      !/^(?:is|has|are|was|=)$/.test(c.norm(found!.length)) &&
      (c.clause.id > 0 || peekEntity(c, found!.length) || c.norm(-1) === 'are' || c.norm(-1) === 'is') &&
      readAdjective(c)
    )
      return after(c, state);
    // "which region is Oslo in": the region is asked for.
    const asked =
      state.head && /^(?:which|what)$/.test(c.norm(-1)) && /^(?:is|are|was|were)$/.test(c.norm(found?.length));
    // "degrees conferred between 1998 and 2002": a verb, though a number of degrees is called so.
    const verbal =
      /\w{3}ed$/.test(c.norm()) &&
      found?.length === 1 &&
      found.candidates.every(({ fields, loose }) => loose > 0 && isNumeric(fields[0]!.datatype));
    if (found && !asked && !verbal && !(state.head && c.at === 0) && !measuredIn(c, found.length)) {
      const weak = state.head;
      const done = attempt(c, () => conditionOnField(c, readField(c, 'condition')!, from, weak));
      if (done && weak) titled(c, done);
      if (done) return after(c, state);
    }
    const rows = c.clause.of ?? c.draft.entities.at(-1)?.dataset ?? countedRows(c) ?? shownRows(c);
    if (readBareComparison(c, rows) || readTextCondition(c)) return after(c, state);
    const value = c.values(0)[0];
    if (found && (!value || c.phrase()!.length > value.length)) return null;
    if (readValueCondition(c) || readUnknownValue(c)) return after(c, state);
    return null;
  }) ?? false;

/** "List all books written by …", where a field is called written by: books are listed. */
const titled = (c: Cursor, { at, clause, options }: ConditionDraft): void => {
  const [option] = options;
  const title = c.vocabulary.phrases.get(c.tokens[at]!.stem)?.find((term) => term.kind === 'dataset' && !term.role);
  if (c.draft.shown.length + c.draft.entities.length > 0 || title?.kind !== 'dataset' || options.length !== 1) return;
  if (title.dataset !== option!.dataset) return;
  const entity = { at, text: c.tokens[at]!.text, dataset: title.dataset, clause };
  c.draft.entities.push(entity);
  c.draft.shown.push({ entity });
};

const after = (c: Cursor, state: State): true => {
  const made = c.draft.conditions.at(-1)!;
  const { of, about } = made.clause;
  // "reported by the staff whose last name is …", "… named Ann Lee or Bo Ek": of whoever plays that part.
  const either = state.pendingOr ? c.draft.conditions.at(-2) : undefined;
  const before = either?.end === made.at - 1 ? either : undefined;
  const last = c.draft.entities.at(-1);
  const named = last?.part && last.at + last.text.split(' ').length === made.at ? last : undefined;
  const player = about?.part ? about : named;
  const role = player?.role ?? before?.boundRole ?? before?.options[0]?.role;
  const whose = player?.dataset ?? before?.options[0]?.dataset;
  if (role && !made.bound && made.options.some(({ dataset }) => dataset === whose))
    Object.assign(made, { bound: whose, boundRole: role });
  if (of && !made.bound && made.options.some((option) => option.dataset === of)) {
    made.bound = of;
    made.options = made.options.filter((option) => option.dataset === of);
  } else if (of && made.bound !== of) c.draft.faults.push(made.text);
  possessive(c, state, ...(made.options.length === 1 ? [made.options[0]!.dataset, made.options[0]!.role] : []));
  return true;
};

const isNumberOf = (dataset: string, name: string): boolean => {
  const said = phraseKey(name);
  const thing = / (?:number|no|nr|num)$/.test(said) ? said.replace(/ \S+$/, '') : null;
  return said === 'number' || (thing !== null && phraseKey(dataset).endsWith(thing));
};

/** Behind a dataset: "track Fast As a Shark", "customer Daan Peeters", "genre Rock". */
export const namedOne = (c: Cursor, dataset: string, at: number, text: string, role?: string): boolean => {
  const display = c.vocabulary.display(dataset);
  const called = c.match(/(?:named|called|titled|with (?:the )?(?:name|title))/);
  const token = c.token();
  const hash = c.token()?.kind === 'punct' && c.norm() === '#' && c.token(1)?.kind === 'number' ? 2 : 0;
  const number = hash || (c.token()?.kind === 'punct' ? 0 : c.match(/(?:(?:number|no|id|nr) )?#/));
  const { primaryKey, fields } = c.vocabulary.dataset(dataset);
  const key =
    primaryKey.length === 1
      ? fields.find((field) => field.name === primaryKey[0] && isNumeric(field.datatype))
      : undefined;
  // "the card 4560596484842" may be its number, where it has one besides its key.
  const numbered = fields.some(({ name }) => name !== key?.name && isNumberOf(dataset, name));
  if (
    number > 0 &&
    key &&
    !numbered &&
    Number.isInteger(c.token(number - 1)!.value) &&
    !c.token(number - 1)!.unit &&
    !c.time()
  ) {
    const from = c.at;
    const { value } = c.token(number - 1)!;
    c.accept(number, 'value');
    return (
      pushCondition(c, from, [{ dataset, role, field: key, values: [value!], known: true, loose: 0 }], '=', {
        named: true,
        bound: dataset,
      }) !== null
    );
  }
  if (display.length === 0 || !token || !(token.capital || token.kind === 'quoted' || called > 0)) return false;
  if (token.kind === 'punct' || (c.phrase() && c.values(0).length === 0 && called === 0)) return false;
  const slot: FieldSlot = { at, text, candidates: [{ dataset, role, fields: display, loose: 0 }], bound: dataset };
  const before = c.at;
  if (conditionOnField(c, slot, before, called === 0) !== null) return true;
  // "track Balls to the Wall", where not all names of tracks are kept: taken as written, and to be proven.
  const singular = c.tokens[before - 1]?.norm === c.tokens[before - 1]?.stem;
  return (
    singular &&
    display.length === 1 &&
    !display[0]!.dictionary?.complete &&
    conditionOnField(c, slot, before, false) !== null
  );
};
