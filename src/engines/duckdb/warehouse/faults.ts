// Converts errors from DuckDB to faults. DuckDB has no error codes, but each message starts with a class and a colon.

import {
  createEngineRefusalProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import type { Problem } from '../../../platform/problem.ts';

// The first pattern that matches an error message sets its class.
const FAULT_CLASSES: [RegExp, FaultClass][] = [
  [/^Out of Memory Error|temp_directory_size/i, 'out_of_memory'],
  [/^Out of Range Error:.*(?:square root|logarithm)/is, 'bad_argument'],
  [/^Conversion Error:.*field value out of range/is, 'bad_value'],
  [
    /^(?:Conversion|Out of Range|Invalid Input) Error:.*(?:out of range|overflow|can't be cast because the value)/is,
    'out_of_range',
  ],
  [/^Out of Range Error/i, 'out_of_range'],
  [/^[\w ]+ Error:.*division by zero/is, 'division_by_zero'],
  [/^Conversion Error/i, 'bad_value'],
  [/^Invalid Input Error:.*more than one row returned by a subquery/is, 'several_rows'],
  [/^Invalid Input Error/i, 'bad_argument'],
  [/^Binder Error:.*no function matches/is, 'type_mismatch'],
  [
    /^Binder Error:.*(?:cannot compare|cannot mix|implicit cast|explicit cast|type mismatch|could not choose)/is,
    'type_mismatch',
  ],
  [/^(?:Mismatch Type|Type Mismatch|Type) Error/i, 'type_mismatch'],
  [/^Catalog Error|^Binder Error:.*(?:not found|does not (?:exist|have a column))/is, 'unknown_name'],
  [/^Permission Error/i, 'not_permitted'],
  [/^(?:Binder|Parser) Error:.*(?:max(?:imum)? expression depth|recursion)/is, 'too_complex'],
  [/^(?:Binder|Parser|Syntax|Not implemented|Parameter Not Resolved) Error/i, 'bad_statement'],
];

export function toDuckDbFault(error: unknown): Problem {
  const text = error instanceof Error ? error.message : '';
  if (/^IO Error|^Fatal Error|database has been invalidated/i.test(text)) return createUnreachableProblem(error);
  const reason = FAULT_CLASSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'refused';
  return createEngineRefusalProblem(error, VALUE_FAULTS.has(reason) ? removeValues(text) : redactValues(text), reason);
}

const VALUE_FAULTS = new Set<FaultClass>(['bad_value', 'bad_argument', 'out_of_range', 'division_by_zero']);

/**
 * Removes values from a message. Conversion errors quote values in several ways, so svc keeps only the class and the
 * words up to the next colon.
 */
const removeValues = (text: string): string =>
  redactValues(text.split('\n')[0]!.split(': ').slice(0, 2).join(': '))
    .replace(/"[^"]*"/g, '"…"')
    .replace(/(?<![A-Z])\d+/gi, '…');
