// Converts the issues of zod to the details of a problem.
import type { z } from 'zod';
import type { ProblemDetail } from '../../contract/problem.ts';
import { explainIssue } from '../explain-issues.ts';

const MAX_FAULTS = 50;

/** Returns only the first errors of `input`. */
export function describeFaults(error: z.ZodError, schema: z.ZodType, input: unknown): ProblemDetail[] {
  const { issues } = error;
  const details = issues.slice(0, MAX_FAULTS).flatMap((issue) => explainIssue(issue, { schema, input }));
  const firstDetails = details.slice(0, MAX_FAULTS).map(({ path, code, message }) => ({
    ...{ path: formatPath(path), code },
    message:
      path.length === 0 && code === 'missing' && input === undefined ? 'The body is required.' : toSentence(message),
  }));
  return issues.length > MAX_FAULTS || details.length > MAX_FAULTS
    ? [...firstDetails, { path: '', code: 'more', message: 'There are more errors. Fix these first.' }]
    : firstDetails;
}

export const formatFault = ({ path, message }: ProblemDetail): string =>
  path === '' ? message : `${path}: ${message}`;

const formatPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );

const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
