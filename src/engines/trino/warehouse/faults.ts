// Converts errors from Trino to faults. The messages contain no hosts, users or values.

import {
  createEngineRefusalProblem,
  createFaultClassMap,
  createTimeoutProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';
import { TrinoFault } from './protocol.ts';

const UNREACHABLE_NAMES = new Set(
  `QUERY_QUEUE_FULL SERVER_SHUTTING_DOWN SERVER_STARTING_UP NO_NODES_AVAILABLE REMOTE_HOST_GONE REMOTE_TASK_ERROR
   REMOTE_TASK_MISMATCH PAGE_TRANSPORT_ERROR PAGE_TRANSPORT_TIMEOUT TOO_MANY_REQUESTS_FAILED CATALOG_UNAVAILABLE
   GENERIC_INSUFFICIENT_RESOURCES`.split(/\s+/),
);
const TIMEOUT_NAMES = new Set(
  'EXCEEDED_TIME_LIMIT USER_CANCELED ADMINISTRATIVELY_KILLED ADMINISTRATIVELY_PREEMPTED ABANDONED_QUERY'.split(' '),
);
const FAULT_CLASSES: [FaultClass, string][] = [
  [
    'unknown_name',
    `COLUMN_NOT_FOUND TABLE_NOT_FOUND SCHEMA_NOT_FOUND CATALOG_NOT_FOUND MISSING_CATALOG_NAME MISSING_SCHEMA_NAME
     MISSING_TABLE FUNCTION_IMPLEMENTATION_MISSING`,
  ],
  ['not_permitted', 'PERMISSION_DENIED READ_ONLY_VIOLATION NOT_SUPPORTED'],
  ['division_by_zero', 'DIVISION_BY_ZERO'],
  ['out_of_range', 'NUMERIC_VALUE_OUT_OF_RANGE'],
  ['bad_value', 'INVALID_CAST_ARGUMENT INVALID_LITERAL'],
  ['bad_argument', 'INVALID_FUNCTION_ARGUMENT INVALID_ARGUMENTS INVALID_PARAMETER_USAGE'],
  ['several_rows', 'SUBQUERY_MULTIPLE_ROWS'],
  ['type_mismatch', 'TYPE_MISMATCH FUNCTION_NOT_FOUND AMBIGUOUS_FUNCTION_CALL OPERATOR_NOT_FOUND'],
  [
    'bad_statement',
    `SYNTAX_ERROR AMBIGUOUS_NAME EXPRESSION_NOT_AGGREGATE EXPRESSION_NOT_SCALAR EXPRESSION_NOT_IN_DISTINCT
     MISSING_GROUP_BY MISSING_OVER MISSING_ORDER_BY NESTED_AGGREGATION NESTED_WINDOW COLUMN_NAME_NOT_SPECIFIED
     DUPLICATE_COLUMN_NAME DUPLICATE_NAMED_QUERY INVALID_COLUMN_REFERENCE INVALID_WINDOW_FRAME INVALID_ORDER_BY
     MISMATCHED_COLUMN_ALIASES INVALID_LIMIT_CLAUSE INVALID_RECURSIVE_REFERENCE`,
  ],
  ['too_complex', 'STACK_OVERFLOW QUERY_TEXT_TOO_LARGE QUERY_HAS_TOO_MANY_STAGES COMPILER_ERROR'],
  // Limits on memory, scanned data, CPU time and spilled data.
  [
    'out_of_memory',
    `EXCEEDED_GLOBAL_MEMORY_LIMIT EXCEEDED_LOCAL_MEMORY_LIMIT EXCEEDED_FUNCTION_MEMORY_LIMIT CLUSTER_OUT_OF_MEMORY
     EXCEEDED_SCAN_LIMIT EXCEEDED_CPU_LIMIT EXCEEDED_SPILL_LIMIT`,
  ],
];
const FAULT_CLASS_BY_NAME = createFaultClassMap(FAULT_CLASSES.map(([reason, names]) => [reason, names.split(/\s+/)]));

export function toTrinoFault(error: unknown, timeoutMs: number, catalog: string): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof TrinoFault)) return createUnreachableProblem(error);
  const { errorName = '', message = '' } = error.fault;
  if (TIMEOUT_NAMES.has(errorName)) return createTimeoutProblem(timeoutMs);
  if (UNREACHABLE_NAMES.has(errorName)) return createUnreachableProblem(error);
  if (errorName === 'CATALOG_NOT_FOUND' && message.includes(`Catalog '${catalog}'`))
    return createUnreachableProblem(
      error,
      'The warehouse has no catalog with the configured name. Ask an admin to correct the connection.',
    );
  const reason = FAULT_CLASS_BY_NAME.get(errorName);
  // The quoted string is a name from the statement, so the message can contain it.
  const text = reason === 'unknown_name' ? message.slice(0, 500) : redactValues(message);
  return createEngineRefusalProblem(error, `${errorName} ${text}`, reason);
}
