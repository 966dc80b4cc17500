// Each class of faults has a fixed message, because an engine's own message can contain values.
import type { ProblemDetail } from '../contract/problem.ts';
import { Problem, type ProblemOptions } from '../platform/problem.ts';

interface FaultMessage {
  /** `data`: the statement fails on some rows. `size`: it is too large. `warehouse`: only the operator can fix it. */
  of: 'statement' | 'data' | 'size' | 'warehouse';
  explanation: string;
  remedy: string;
}

const ASK_ADMIN_REMEDY = 'Ask an admin, who can see the reason in the trace of this request ID.';

const FAULT_MESSAGES = {
  division_by_zero: {
    of: 'data',
    explanation: 'The statement divides by zero.',
    remedy: 'Write nullif(divisor, 0), or exclude these rows.',
  },
  out_of_range: {
    of: 'data',
    explanation: 'A number or a time is outside the range of its type.',
    remedy: 'Cast to a wider type before calculating, such as decimal(38, 2) or double precision.',
  },
  bad_value: {
    of: 'data',
    explanation: 'A value can’t be converted to the type it is cast to or compared with.',
    remedy: 'Leave such values out before casting, for example with case when.',
  },
  bad_argument: {
    of: 'data',
    explanation: 'A function receives an invalid value, such as a negative number or a malformed pattern.',
    remedy: 'Check the arguments, or exclude these rows.',
  },
  several_rows: {
    of: 'data',
    explanation: 'A subquery used as one value returns several rows.',
    remedy: 'Aggregate the subquery, or use IN (SELECT …) instead of =.',
  },
  data_dependent: {
    of: 'data',
    explanation:
      'The statement fails on some values in the data: division by zero, a number out of range, an invalid cast or argument, or several rows for one value.',
    remedy:
      'Under a row policy, svc does not say which of these faults occurred. Write nullif(divisor, 0), and cast only valid values, with case when.',
  },
  type_mismatch: {
    of: 'statement',
    explanation: 'A function or operator has the wrong number or types of arguments.',
    remedy: 'Cast the arguments, or use another function.',
  },
  bad_statement: {
    of: 'statement',
    explanation: 'The warehouse rejects the syntax of the statement, for example in grouping, aggregates or joins.',
    remedy: 'Group by each column that is not aggregated, and qualify columns that several tables have.',
  },
  too_complex: {
    of: 'statement',
    explanation: 'The statement is too complex for the warehouse.',
    remedy: 'Use fewer nested expressions, joins or columns.',
  },
  out_of_memory: {
    of: 'size',
    explanation: 'The statement needs more memory or disk than the warehouse allows.',
    remedy: 'Use a shorter period, or group by fewer fields.',
  },
  unknown_name: {
    of: 'warehouse',
    explanation: 'The warehouse lacks a table, column or function that the statement uses.',
    remedy:
      'Check its names. Tables of the lens may have been renamed or dropped: ask an admin to check the drift of the lens.',
  },
  not_permitted: {
    of: 'warehouse',
    explanation: 'The login of the connection lacks permission to read the data.',
    remedy: 'Ask an admin to grant SELECT to that login.',
  },
  no_time_zones: {
    of: 'warehouse',
    explanation: 'The database server has no time zone tables, so it can’t convert times to the time zone of the lens.',
    remedy: 'Ask an admin to load the tables with mysql_tzinfo_to_sql.',
  },
  refused: {
    of: 'warehouse',
    explanation: 'The warehouse gave no reason that svc can show.',
    remedy: ASK_ADMIN_REMEDY,
  },
} as const satisfies Record<string, FaultMessage>;

export type FaultClass = keyof typeof FAULT_MESSAGES;

const COULD_NOT_RUN_MESSAGE = 'The warehouse could not run the statement.';

/** Adapters throw this problem. Code that runs a statement knows its author and decides which details to show. */
export const createStatementFault = (faultClass: FaultClass, options: ProblemOptions): Problem =>
  new Problem('upstream', createFaultMessage(faultClass), { ...options, details: [createFaultDetail(faultClass, '')] });

/**
 * An engine may evaluate a row before a policy hides it. Therefore, if there are policies, all faults that depend on
 * values have the class `data_dependent`.
 */
export function toCallerFault(problem: Problem, scope: { isOwnSql: boolean; hasPolicies: boolean }): Problem {
  const faultDetail =
    problem.code === 'upstream' ? problem.details.find(({ code }) => Object.hasOwn(FAULT_MESSAGES, code)) : undefined;
  if (!faultDetail) return problem;
  const actualClass = faultDetail.code as FaultClass;
  const faultClass = scope.hasPolicies && FAULT_MESSAGES[actualClass].of === 'data' ? 'data_dependent' : actualClass;
  const { detail, cause } = problem;
  const { of, explanation } = FAULT_MESSAGES[faultClass];
  if (of === 'size' || of === 'warehouse' || scope.isOwnSql) {
    const isCallersFault = scope.isOwnSql && of !== 'warehouse';
    const options = { detail, cause, details: [createFaultDetail(faultClass, scope.isOwnSql ? 'sql' : '')] };
    return new Problem(
      isCallersFault ? 'invalid' : 'upstream',
      createFaultMessage(faultClass),
      isCallersFault ? { ...options, param: 'sql' } : options,
    );
  }
  const message = `${COULD_NOT_RUN_MESSAGE} ${explanation} Rephrase the question, or ask an admin to check the expressions of the lens.`;
  return new Problem('upstream', message, {
    detail,
    cause,
    details: [{ path: '', code: faultClass, message: explanation }],
  });
}

/** A parameter can cause this fault if its value doesn't fit its type or function. */
export const isInvalidValueFault = ({ details }: Problem): boolean =>
  details.some(({ code }) => ['bad_value', 'bad_argument', 'out_of_range'].includes(code));

export const isStatementFault = ({ details }: Problem): boolean =>
  details.some(({ code }) => Object.hasOwn(FAULT_MESSAGES, code) && code !== 'unknown_name');

/** A connection test has no trace, so the message for an admin refers to the database's log. */
export const createConnectionTestMessage = (error: Error): string =>
  error instanceof Problem && error.details.some(({ code }) => code === 'refused')
    ? 'The warehouse refused the connection or the test statement. svc does not show the reason. Check the database log for the time of this test.'
    : error.message;

const createFaultMessage = (faultClass: FaultClass): string =>
  `${COULD_NOT_RUN_MESSAGE} ${FAULT_MESSAGES[faultClass].explanation} ${FAULT_MESSAGES[faultClass].remedy}`;

const createFaultDetail = (faultClass: FaultClass, path: string): ProblemDetail => ({
  path,
  code: faultClass,
  message: `${FAULT_MESSAGES[faultClass].explanation} ${FAULT_MESSAGES[faultClass].remedy}`,
});
