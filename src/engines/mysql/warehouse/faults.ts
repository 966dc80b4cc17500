// Converts errors from MySQL to faults. The messages contain no hosts, users or values.

import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createFaultClassMap,
  createLockedProblem,
  createTimeoutProblem,
  createUnknownDatabaseProblem,
  createUnreachableProblem,
  redactValues,
} from '../../../adapters/warehouse/faults.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { Problem } from '../../../platform/problem.ts';

const CREDENTIAL_CODES = new Set([1044, 1045, 1698, 3118]);
// Codes for too many connections, a server shutdown and a killed connection.
const UNREACHABLE_CODES = new Set([1040, 1053, 1077, 1079, 1203, 1226, 1927]);
// Codes for an interrupted statement, and the limits max_execution_time and max_statement_time.
const TIMEOUT_CODES = new Set([1317, 3024, 1969]);
const LOCKED_CODE = 1205;
const UNKNOWN_DATABASE_CODE = 1049;
// Codes for unknown names. The message can contain the quoted string, because it is a name from the statement.
const UNKNOWN_NAME_CODES = new Set([1051, 1054, 1109, 1146, 1305, 1630]);
const FAULT_CLASSES: [FaultClass, number[]][] = [
  ['unknown_name', [...UNKNOWN_NAME_CODES]],
  ['not_permitted', [1142, 1143, 1227, 1370]],
  ['division_by_zero', [1365]],
  ['out_of_range', [1264, 1441, 1690]],
  ['bad_value', [1292, 1300, 1366, 1367, 1411, 1525, 3140, 3141, 4037, 4038]],
  ['bad_argument', [1139, 1210, 1301, 3037, 3143, 3692, 3696]],
  ['several_rows', [1242]],
  ['type_mismatch', [1241, 1267, 1270, 1271, 1582, 1583, 3064, 4078]],
  ['bad_statement', [1052, 1055, 1056, 1060, 1063, 1064, 1066, 1111, 1140, 1222, 1235, 1247, 1248, 3029, 3065]],
  ['too_complex', [1104, 1116, 1117, 1118, 1119, 1153, 1390, 1436, 1473, 3636, 4003]],
  ['out_of_memory', [1021, 1037, 1038, 1041, 1114, 1135, 3017]],
];
const FAULT_CLASS_BY_CODE = createFaultClassMap(FAULT_CLASSES);

export function toMysqlFault(error: unknown, timeoutMs: number): Problem {
  if (error instanceof Problem) return error;
  const { errno = 0, sqlState, code } = (error ?? {}) as { errno?: number; sqlState?: string; code?: string };
  if (CREDENTIAL_CODES.has(errno)) {
    return createCredentialsProblem(error);
  }
  if (errno === UNKNOWN_DATABASE_CODE) {
    return createUnknownDatabaseProblem(error);
  }
  if (errno === LOCKED_CODE) return createLockedProblem(error);
  if (TIMEOUT_CODES.has(errno)) return createTimeoutProblem(timeoutMs);
  if (!sqlState || sqlState.startsWith('08') || UNREACHABLE_CODES.has(errno)) return createUnreachableProblem(error);
  const { message } = error as Error;
  return createEngineRefusalProblem(
    error,
    `${code ?? errno} ${UNKNOWN_NAME_CODES.has(errno) ? message.slice(0, 500) : redactValues(message)}`,
    FAULT_CLASS_BY_CODE.get(errno),
  );
}
