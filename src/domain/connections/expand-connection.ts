// Expands ${NAME} when svc opens a connection. In the operator's file, variables work everywhere. In a connection that
// arrives over HTTP, they work only in secrets, and only if SVC_PROJECT_ENV grants them.
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import { expandVariables, findVariables } from '../../lens/files/expand-variables.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { isSecretName, mapStrings } from './connection-secrets.ts';

export interface Variables {
  /** Variables that the operator's file can use. */
  allowed: readonly string[];
  granted: readonly { organization: string; name: string }[];
  values: Readonly<Record<string, string | undefined>>;
}

export async function readGrantedVariables(
  tenancy: Tenancy,
  { granted }: Pick<Variables, 'granted'>,
  orgId: string,
): Promise<string[]> {
  if (granted.length === 0) return [];
  const [org] = await tenancy.queryGlobal<{ name: string }>('select name from svc.organizations where id = $1', [
    orgId,
  ]);
  return granted.filter(({ organization }) => organization === org?.name).map(({ name }) => name);
}

export interface VariableReference {
  name: string;
  at: (string | number)[];
}
export interface DisallowedVariable extends VariableReference {
  reason: 'not granted' | 'no secret';
}

export function listVariables(value: unknown, path: (string | number)[] = []): VariableReference[] {
  if (typeof value === 'string') return findVariables(value).map((name) => ({ name, at: path }));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, innerValue]) =>
    listVariables(innerValue, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

export const findDisallowedVariables = (config: unknown, grantedVariables: readonly string[]): DisallowedVariable[] =>
  listVariables(config).flatMap((variable): DisallowedVariable[] => {
    if (!isSecretName(String(variable.at.at(-1)))) return [{ ...variable, reason: 'no secret' }];
    return grantedVariables.includes(variable.name) ? [] : [{ ...variable, reason: 'not granted' }];
  });

export const createDisallowedVariableMessage = ({ name, reason }: DisallowedVariable): string =>
  reason === 'no secret'
    ? `\${${name}} is not in a secret member. svc reads variables only in secrets like \`password\`. Write the value.`
    : `\${${name}} is not available to this organization. The operator can grant it in SVC_PROJECT_ENV, as organization:${name}.`;

export async function expandConnection(
  tenancy: Tenancy,
  variables: Variables,
  { orgId, config, fromOperator }: { orgId: string; config: ConnectionConfig; fromOperator: boolean },
): Promise<ConnectionConfig> {
  if (findVariables(JSON.stringify(config)).length === 0) return config;
  const readableNames = fromOperator ? variables.allowed : await readGrantedVariables(tenancy, variables, orgId);
  const disallowedVariables = fromOperator ? [] : findDisallowedVariables(config, readableNames);
  if (disallowedVariables[0])
    throw new Problem(
      'invalid',
      `The connection can't be opened: ${createDisallowedVariableMessage(disallowedVariables[0])}`,
    );
  const missingVariables = new Set<string>();
  const expandedConfig = mapStrings(config, (_key, value) => {
    if (typeof value !== 'string') return value;
    const expandedText = expandVariables(value, readableNames, variables.values);
    for (const name of expandedText.missingNames) missingVariables.add(name);
    return expandedText.text;
  }) as ConnectionConfig;
  // An unset variable would result in an empty password or host.
  if (missingVariables.size === 0) return expandedConfig;
  throw new Problem(
    'invalid',
    `The connection needs ${[...missingVariables].join(', ')}, which ${missingVariables.size > 1 ? 'are' : 'is'} not set on the server. Ask the operator to set it, or write \${NAME:-} if it may be empty.`,
  );
}
