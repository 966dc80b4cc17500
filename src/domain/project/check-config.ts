import type { ConfigFile } from '../../contract/files/config-file.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { ProblemFactory } from '../../lens/files/yaml-file.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import { HIDDEN_SECRET_TEXT } from '../connections/connection-secrets.ts';
import {
  createDisallowedVariableMessage,
  findDisallowedVariables,
  listVariables,
} from '../connections/expand-connection.ts';
import { toCanonicalJson } from '../receipts/canonical-json.ts';
import type { DesiredConnection } from './project-state.ts';

export const OPERATOR_KEYS = ['server', 'models', 'plugins', 'limits', 'sign_in', 'telemetry', 'demo'] as const;
/** Operator keys take effect only in the operator's file. A project can repeat the operator's values. */
export function findOperatorOnlyProblems(
  config: ConfigFile,
  operatorConfig: Partial<ConfigFile> | null,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  return OPERATOR_KEYS.filter((key) => {
    const value = config[key];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
    if (key === 'telemetry' && config.telemetry?.otlp_endpoint === '') return false;
    return !isEqualExceptHiddenSecrets(value, operatorConfig?.[key]);
  }).map((key) =>
    problemAt(
      [key],
      'operator_only',
      `"${key}" takes effect only in the operator's svc.config.yaml, when svc starts. Remove it here, or keep the operator's value.`,
      { key: true },
    ),
  );
}

function isEqualExceptHiddenSecrets(value: unknown, current: unknown): boolean {
  if (value === HIDDEN_SECRET_TEXT) return typeof current === 'string';
  if (value === null || typeof value !== 'object') return value === current;
  if (current === null || typeof current !== 'object' || Array.isArray(value) !== Array.isArray(current)) return false;
  const [leftRecord, rightRecord] = [value as Record<string, unknown>, current as Record<string, unknown>];
  const keys = new Set(
    [...Object.keys(leftRecord), ...Object.keys(rightRecord)].filter(
      (key) => leftRecord[key] !== undefined || rightRecord[key] !== undefined,
    ),
  );
  return [...keys].every((key) => isEqualExceptHiddenSecrets(leftRecord[key], rightRecord[key]));
}

/** The operator's file can use every variable of SVC_PROJECT_ENV anywhere. */
export function findOperatorVariableProblems(
  config: ConfigFile,
  allowedVariables: readonly string[],
  problemAt: ProblemFactory,
): ProjectProblem[] {
  return listVariables(config)
    .filter(({ name }) => !allowedVariables.includes(name))
    .map(({ name, at }) =>
      problemAt(
        at,
        'variable',
        `${createUnknownNameMessage('readable variable', name, allowedVariables)} The operator can add variables to SVC_PROJECT_ENV.`,
      ),
    );
}

/**
 * Over HTTP, only secrets of connections can use variables, and the variables must be granted. A connection that equals
 * the one in the operator's file still belongs to the operator.
 */
export function findVariableProblems(
  config: ConfigFile,
  connections: readonly DesiredConnection[],
  grantedVariables: readonly string[],
  operatorConfig: Partial<ConfigFile> | null,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  const connectionProblems = connections
    .filter(({ fromOperator }) => !fromOperator)
    .flatMap(({ name, config: requestedConfig }) =>
      findDisallowedVariables(requestedConfig, grantedVariables).map((disallowedVariable) =>
        problemAt(
          ['connections', name, ...disallowedVariable.at],
          'variable',
          createDisallowedVariableMessage(disallowedVariable),
        ),
      ),
    );
  const knownKeys = new Set<string>(['connections', ...OPERATOR_KEYS]);
  const otherProblems = Object.entries(config)
    .filter(([key, value]) => !knownKeys.has(key) && !isSameJson(value, operatorConfig?.[key as keyof ConfigFile]))
    .flatMap(([key, value]) =>
      listVariables(value).map(({ name, at }) =>
        problemAt([key, ...at], 'variable', createDisallowedVariableMessage({ name, at, reason: 'no secret' })),
      ),
    );
  return [...connectionProblems, ...otherProblems];
}

export const isSameJson = (a: unknown, b: unknown): boolean =>
  toCanonicalJson(a ?? null) === toCanonicalJson(b ?? null);
