// Why a warehouse could not run a statement: classes with fixed sentences, since an engine's own text may hold values.
import type { ProblemDetail } from '../contract/problem.ts';
import { Problem, type ProblemOptions } from '../platform/problem.ts';

interface Told {
  /** Whose it is to mend: of whoever wrote it, on every row or on some (`data`), of its size too; of who runs the warehouse. */
  of: 'statement' | 'data' | 'size' | 'warehouse';
  what: string;
  mend: string;
}

const ASK_ADMIN = 'Ask an administrator, who reads the reason in the trace of this request id.';

const TOLD = {
  division_by_zero: {
    of: 'data',
    what: 'It divides by zero.',
    mend: 'Write nullif(divisor, 0), or leave such rows out.',
  },
  out_of_range: {
    of: 'data',
    what: 'A number or a time is out of the range of its type.',
    mend: 'Cast to a wider type before calculating, such as decimal(38, 2) or double precision.',
  },
  bad_value: {
    of: 'data',
    what: 'A value cannot be read as the type it is cast to or compared with.',
    mend: 'Leave such values out before casting, for example with case when.',
  },
  bad_argument: {
    of: 'data',
    what: 'A function is given a value that it does not take, such as a negative number or a malformed pattern.',
    mend: 'Check its arguments, or leave such rows out.',
  },
  several_rows: {
    of: 'data',
    what: 'A subquery that stands for one value gives several rows.',
    mend: 'Aggregate it, or write in (select …) instead of an equals sign.',
  },
  data_dependent: {
    of: 'data',
    what: 'It fails on values of the data: a division by zero, a number out of range, a cast or an argument that does not fit, or several rows for one value.',
    mend: 'Which of these is not told under a row policy. Write nullif(divisor, 0), and cast only what fits, with case when.',
  },
  type_mismatch: {
    of: 'statement',
    what: 'A function or an operator is given types, or a number of arguments, that it does not take.',
    mend: 'Cast its arguments, or use another function.',
  },
  bad_statement: {
    of: 'statement',
    what: 'The warehouse does not take it as it is written, for example how it groups, aggregates or joins.',
    mend: 'Group by each column that is not aggregated, qualify columns that several tables have, then try again.',
  },
  too_complex: {
    of: 'statement',
    what: 'It is more complex than the warehouse takes.',
    mend: 'Make it smaller: fewer nested expressions, joins or columns.',
  },
  out_of_memory: {
    of: 'size',
    what: 'It needs more memory or disk than the warehouse gives one statement.',
    mend: 'Narrow it, for example to a shorter period, or group by fewer fields.',
  },
  unknown_name: {
    of: 'warehouse',
    what: 'A table, column or function that it needs is not in the warehouse.',
    mend: 'Check the names that it uses. Those of the lens may have been renamed or dropped since: ask an administrator to look at its drift.',
  },
  not_permitted: {
    of: 'warehouse',
    what: 'The login of the connection may not read what it needs.',
    mend: 'Ask an administrator to grant that login SELECT on it.',
  },
  refused: { of: 'warehouse', what: 'It gave no reason that can be told here.', mend: ASK_ADMIN },
} as const satisfies Record<string, Told>;

export type FaultClass = keyof typeof TOLD;

const COULD_NOT = 'The warehouse could not run the statement.';

/** As an adapter throws it: whose statement it is, and what may be told of it, its asker decides. */
export const statementFault = (reason: FaultClass, options: ProblemOptions): Problem =>
  new Problem('upstream', messageOf(reason), { ...options, details: [detailOf(reason, '')] });

/** As it is told to whoever asked. Where policies hide rows, no class that follows from values is told: an engine may
 *  have evaluated a row before its policy hid it. What the asker wrote is theirs to mend, so it is their fault. */
export function tellStatementFault(problem: Problem, asked: { ownSql: boolean; policies: boolean }): Problem {
  const known = problem.code === 'upstream' ? problem.details.find(({ code }) => Object.hasOwn(TOLD, code)) : undefined;
  if (!known) return problem;
  const told = known.code as FaultClass;
  const reason = asked.policies && TOLD[told].of === 'data' ? 'data_dependent' : told;
  const { detail, cause } = problem;
  const { of, what } = TOLD[reason];
  if (of === 'size' || of === 'warehouse' || asked.ownSql) {
    const theirs = asked.ownSql && of !== 'warehouse';
    const options = { detail, cause, details: [detailOf(reason, asked.ownSql ? 'sql' : '')] };
    return new Problem(
      theirs ? 'invalid' : 'upstream',
      messageOf(reason),
      theirs ? { ...options, param: 'sql' } : options,
    );
  }
  const message = `${COULD_NOT} ${what} Ask in another way, or tell an administrator: an expression of the lens may have to change.`;
  return new Problem('upstream', message, { detail, cause, details: [{ path: '', code: reason, message: what }] });
}

/** The warehouse could not run what the asker wrote: its grammar, its types or the values it met. */
export const isStatementFault = ({ details }: Problem): boolean =>
  details.some(({ code }) => Object.hasOwn(TOLD, code) && code !== 'unknown_name');

/** As it is told to an administrator who tries a connection: nothing of a trial is traced, so the database itself is asked. */
export const tellWhoTries = (error: Error): string =>
  error instanceof Problem && error.details.some(({ code }) => code === 'refused')
    ? 'The warehouse refused the connection or the statement that tries it, for a reason that is not told here. Look for it in the log of the database itself, at the time of this test.'
    : error.message;

const messageOf = (reason: FaultClass): string => `${COULD_NOT} ${TOLD[reason].what} ${TOLD[reason].mend}`;

const detailOf = (reason: FaultClass, path: string): ProblemDetail => ({
  path,
  code: reason,
  message: `${TOLD[reason].what} ${TOLD[reason].mend}`,
});
