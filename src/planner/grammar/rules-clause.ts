// What restricts: relative clauses and their negation, conditions on fields, and alternatives to them.

import { isNumeric } from '../words/datatypes.ts';
import { verbSenses } from '../words/lexicon.ts';
import type { Cursor } from './cursor.ts';
import type { Clause, ConditionDraft } from './draft.ts';
import { ofThing } from './names-row.ts';
import { readBareComparison } from './read-bare-comparison.ts';
import { conditionOnField } from './read-conditions.ts';
import { readTextCondition } from './read-text-condition.ts';
import { attempt, peekEntity, peekField, readField } from './read-things.ts';
import { readUnknownValue } from './read-unknown-value.ts';
import { readAdjective, readValueCondition } from './read-value-condition.ts';
import { possessive, type Rule, type State } from './rule.ts';
import { happenedTo } from './rules-happened.ts';
import { goesOnAbout } from './same-row.ts';

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
export const titled = (c: Cursor, { at, clause, options }: ConditionDraft): void => {
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
