// The classes of reasons why a warehouse couldn't run a statement. Each class has a fixed sentence, because an engine's
// message can contain values.
import type { ProblemDetail } from '../contract/problem.ts';
import { Problem, type ProblemOptions } from '../platform/problem.ts';

interface FaultMessage {
  /**
   * Who can fix the fault: the author of the statement (`data`: it fails on some rows, `size`: it is too large), or the
   * warehouse's operator.
   */
  of: 'statement' | 'data' | 'size' | 'warehouse';
  what: string;
  mend: string;
}

const ASK_ADMIN = 'Ask an administrator, who can see the reason in the trace of this request id.';

const FAULT_MESSAGES = {
  division_by_zero: {
    of: 'data',
    what: 'It divides by zero.',
    mend: 'Write nullif(divisor, 0), or exclude these rows.',
  },
  out_of_range: {
    of: 'data',
    what: 'A number or a time is outside the range of its type.',
    mend: 'Cast to a wider type before calculating, such as decimal(38, 2) or double precision.',
  },
  bad_value: {
    of: 'data',
    what: 'A value can’t be converted to the type it is cast to or compared with.',
    mend: 'Leave such values out before casting, for example with case when.',
  },
  bad_argument: {
    of: 'data',
    what: 'A function gets an invalid value, such as a negative number or a malformed pattern.',
    mend: 'Check its arguments, or exclude these rows.',
  },
  several_rows: {
    of: 'data',
    what: 'A subquery used as one value returns several rows.',
    mend: 'Aggregate it, or write in (select …) instead of an equals sign.',
  },
  data_dependent: {
    of: 'data',
    what: 'It fails on values of the data: division by zero, a number out of range, an invalid cast or argument, or several rows for one value.',
    mend: 'Under a row policy, svc does not say which one. Write nullif(divisor, 0), and cast only valid values, with case when.',
  },
  type_mismatch: {
    of: 'statement',
    what: 'A function or operator gets the wrong types or number of arguments.',
    mend: 'Cast its arguments, or use another function.',
  },
  bad_statement: {
    of: 'statement',
    what: 'The warehouse rejects its syntax, for example in grouping, aggregates or joins.',
    mend: 'Group by each column that is not aggregated, and qualify columns that several tables have.',
  },
  too_complex: {
    of: 'statement',
    what: 'It is too complex for the warehouse.',
    mend: 'Make it smaller: fewer nested expressions, joins or columns.',
  },
  out_of_memory: {
    of: 'size',
    what: 'It needs more memory or disk than the warehouse allows for one statement.',
    mend: 'Use a shorter period, or group by fewer fields.',
  },
  unknown_name: {
    of: 'warehouse',
    what: 'The warehouse lacks a table, column or function of the statement.',
    mend: 'Check its names. Tables of the lens may have been renamed or dropped: ask an administrator to check the drift of the lens.',
  },
  not_permitted: {
    of: 'warehouse',
    what: 'The login of the connection lacks permission to read its data.',
    mend: 'Ask an administrator to grant SELECT to that login.',
  },
  refused: { of: 'warehouse', what: 'It gave no reason that svc can show.', mend: ASK_ADMIN },
} as const satisfies Record<string, FaultMessage>;

export type FaultClass = keyof typeof FAULT_MESSAGES;

const COULD_NOT_RUN = 'The warehouse could not run the statement.';

/** Adapters throw this problem. Code that runs a statement knows its author and decides which details to show. */
export const createStatementFault = (reason: FaultClass, options: ProblemOptions): Problem =>
  new Problem('upstream', messageOf(reason), { ...options, details: [detailOf(reason, '')] });

/**
 * The problem that the caller sees. If policies hide rows, faults that depend on values get no class, because an engine
 * may have evaluated a row before its policy hid it. A fault in the caller's own SQL is an invalid request.
 */
export function toCallerFault(problem: Problem, scope: { ownSql: boolean; policies: boolean }): Problem {
  const faultDetail =
    problem.code === 'upstream' ? problem.details.find(({ code }) => Object.hasOwn(FAULT_MESSAGES, code)) : undefined;
  if (!faultDetail) return problem;
  const faultClass = faultDetail.code as FaultClass;
  const reason = scope.policies && FAULT_MESSAGES[faultClass].of === 'data' ? 'data_dependent' : faultClass;
  const { detail, cause } = problem;
  const { of, what } = FAULT_MESSAGES[reason];
  if (of === 'size' || of === 'warehouse' || scope.ownSql) {
    const isCallersFault = scope.ownSql && of !== 'warehouse';
    const options = { detail, cause, details: [detailOf(reason, scope.ownSql ? 'sql' : '')] };
    return new Problem(
      isCallersFault ? 'invalid' : 'upstream',
      messageOf(reason),
      isCallersFault ? { ...options, param: 'sql' } : options,
    );
  }
  const message = `${COULD_NOT_RUN} ${what} Ask in another way, or ask an administrator to check the expressions of the lens.`;
  return new Problem('upstream', message, { detail, cause, details: [{ path: '', code: reason, message: what }] });
}

/** Whether the statement failed because of its grammar, its types or its values. */
export const isStatementFault = ({ details }: Problem): boolean =>
  details.some(({ code }) => Object.hasOwn(FAULT_MESSAGES, code) && code !== 'unknown_name');

/**
 * The message for an administrator who tests a connection. Without a trace, the message refers to the database's log.
 */
export const connectionTestMessage = (error: Error): string =>
  error instanceof Problem && error.details.some(({ code }) => code === 'refused')
    ? 'The warehouse refused the connection or the test statement. svc does not show the reason; see the log of the database at the time of this test.'
    : error.message;

const messageOf = (reason: FaultClass): string =>
  `${COULD_NOT_RUN} ${FAULT_MESSAGES[reason].what} ${FAULT_MESSAGES[reason].mend}`;

const detailOf = (reason: FaultClass, path: string): ProblemDetail => ({
  path,
  code: reason,
  message: `${FAULT_MESSAGES[reason].what} ${FAULT_MESSAGES[reason].mend}`,
});
