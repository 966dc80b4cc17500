// Confidence follows from named checks alone, never from anybody's say-so (SPEC "confidence", CONTRACT 4).
// Any failed critical check: unverified. All applicable ones passed: verified. Otherwise partial.
import { DateTime, Duration } from 'luxon';
import type { Check, CheckName, Envelope, Scope } from '../../contract/ask.ts';
import type { Fact, FetchedRows, Graded } from '../outcome.ts';
import { repeatedRows } from './repeated-rows.ts';

const CRITICAL = new Set<CheckName>(['lens_scope', 'question_covered', 'terms_resolved', 'joins_declared']);

function outcomeOf(fact: Fact): Check['outcome'] {
  if (fact === null) return 'not_applicable';
  return fact === 'unknown' ? 'unknown' : fact ? 'pass' : 'fail';
}

export function gradeConfidence(fetched: FetchedRows, now: Date): Graded {
  const repeated = repeatedRows(fetched);
  const checks = checksOf(repeated === null ? fetched : doubted(fetched, repeated), now);
  return {
    checks,
    warnings: repeated === null ? [] : [repeated],
    confidence: confidenceOf(checks, fetched.plan.plan),
    certification: certificationOf(fetched),
    empty: fetched.rows.length === 0 ? { reason: emptyReason(fetched) } : null,
  };
}

/** Every word has a place, but the rows show that one of them can be meant in two ways. */
const doubted = (fetched: FetchedRows, detail: string): FetchedRows => {
  const { plan } = fetched;
  const details = { ...plan.facts.details, question_covered: detail };
  return { ...fetched, plan: { ...plan, facts: { ...plan.facts, questionCovered: 'unknown', details } } };
};

export function confidenceOf(checks: Check[], plan: FetchedRows['plan']['plan']): Envelope['confidence'] {
  if (plan === 'caller_sql') return 'unverified';
  if (checks.some((check) => check.critical && check.outcome === 'fail')) return 'unverified';
  const applicable = checks.filter((check) => check.outcome !== 'not_applicable');
  return applicable.every((check) => check.outcome === 'pass') ? 'verified' : 'partial';
}

export function planChecks(plan: FetchedRows['plan']): Check[] {
  const { facts, scope } = plan;
  const check = (name: CheckName, fact: Fact, said: { pass: string; fail: string; none: string }): Check => ({
    name,
    outcome: outcomeOf(fact),
    critical: CRITICAL.has(name),
    detail: facts.details[name] ?? (fact === null ? said.none : fact === true ? said.pass : said.fail),
  });
  return [
    check('lens_scope', true, {
      pass: 'The guard found only tables, columns and functions of this lens.',
      fail: 'The statement reaches beyond the lens.',
      none: 'No statement ran.',
    }),
    check('question_covered', facts.questionCovered, {
      pass: 'Every word that could measure, restrict, order or group is accounted for.',
      fail: 'Some words of the question are not accounted for.',
      none: 'There was no question in words.',
    }),
    check('terms_resolved', facts.termsResolved, {
      pass: 'Every governed term that was used has one meaning here.',
      fail: 'A governed term was not resolved.',
      none: 'No governed term was used.',
    }),
    check('values_known', facts.valuesKnown, {
      pass: 'Every filter value exists in the column that it filters.',
      fail: 'A filter value is not known to exist in the column that it filters.',
      none: 'No filter on a text, key or code.',
    }),
    check('governed_metrics', facts.governedMetrics, {
      pass: 'Every measure is an approved metric or a plain aggregate of an approved field.',
      fail: 'What the statement measures is not an approved metric.',
      none: 'Rows are listed; nothing is measured.',
    }),
    check('joins_declared', facts.joinsDeclared, {
      pass:
        scope.joins.length > 0
          ? `Joined along declared relationships: ${scope.joins.join('; ')}.`
          : 'Only declared relationships are joined along.',
      fail: 'A join is not a declared relationship.',
      none: 'No join.',
    }),
    ...(facts.readingsAgree === undefined
      ? []
      : [
          check('readings_agree', facts.readingsAgree, {
            pass: 'A second reading comes to the same answer.',
            fail: 'A second reading comes to another answer.',
            none: 'There was no second reading.',
          }),
        ]),
  ];
}

function checksOf(fetched: FetchedRows, now: Date): Check[] {
  const cut = fetched.more || fetched.bytesCut;
  const hidden = fetched.plan.scope.masks ?? [];
  return [
    ...planChecks(fetched.plan),
    {
      name: 'rows_complete',
      outcome: cut || fetched.plan.facts.tied || hidden.length > 0 ? 'fail' : 'pass',
      critical: false,
      detail:
        hidden.length > 0
          ? `Masked in this lens, so shown without a value: ${hidden.join(', ')}.`
          : cut
            ? 'A cap stopped the read: the warehouse holds more rows than were fetched.'
            : fetched.plan.facts.tied
              ? 'The last row shown ties with the first one left out: which of them is shown is chance.'
              : 'Every row of the result was fetched.',
    },
    freshness(fetched, now),
  ];
}

/** Nothing can be in the window yet: a zero or a blank says nothing about the business. */
export const beyondData = ({ time }: Scope, dataAsOf: string | null): boolean =>
  time !== null && dataAsOf !== null && time.from.slice(0, 10) > dataAsOf.slice(0, 10);

function freshness({ plan, dataAsOf }: FetchedRows, now: Date): Check {
  const check = { name: 'data_fresh', critical: false } as const;
  const { freshFor, timezone } = plan.granted.lens;
  if (beyondData(plan.scope, dataAsOf)) {
    return {
      ...check,
      outcome: 'fail',
      detail: `The window begins at ${plan.scope.time!.from}, after the data ends (${dataAsOf}).`,
    };
  }
  if (!freshFor)
    return { ...check, outcome: 'not_applicable', detail: 'The lens states no freshness it promises (fresh_for).' };
  if (!dataAsOf)
    return { ...check, outcome: 'unknown', detail: 'The data carries no timestamp to judge its freshness by.' };
  const until = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
  const fresh = until.toMillis() >= now.getTime();
  return {
    ...check,
    outcome: fresh ? 'pass' : 'fail',
    detail: `Data as of ${dataAsOf}, promised fresh for ${freshFor}.`,
  };
}

function certificationOf({ plan }: FetchedRows): Envelope['certification'] {
  if (plan.plan === 'certified') return 'certified';
  if (plan.plan === 'compiled') return 'assisted';
  return plan.plan === 'model_sql' && plan.assisted ? 'assisted' : 'none';
}

// A policy that applied is named whether or not it hid anything: which of the two it was is not the asker's to learn.
function emptyReason({ plan, dataAsOf }: FetchedRows): NonNullable<Envelope['empty']>['reason'] {
  if (plan.scope.row_policies.length > 0) return 'filtered_by_policy';
  if (plan.facts.valuesKnown === false) return 'value_absent';
  if (beyondData(plan.scope, dataAsOf)) return 'source_stale';
  return 'no_matching_rows';
}
