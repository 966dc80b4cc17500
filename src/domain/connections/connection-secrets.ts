// svc encrypts literal secrets of a connection and never returns them. A variable such as ${NAME} isn't a secret.
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import { SecretKeys } from '../../platform/secret-keys.ts';

/** Replaces a stored secret in an export. If an applied file contains this text, svc keeps the stored secret. */
export const HIDDEN_SECRET_TEXT = '(kept)';
const SECRET_NAME_PATTERN = /pass(word|wd|phrase)?$|secret$|token$|api_?key$|private_?key$|credentials?$/i;
const VARIABLE_ONLY_PATTERN = /^(\$\{[A-Za-z_][A-Za-z0-9_]*(:-)?\})+$/;

export const isSecretName = (key: string): boolean => SECRET_NAME_PATTERN.test(key);

export const isLiteralSecret = (key: string, value: unknown): value is string =>
  typeof value === 'string' && value !== '' && SECRET_NAME_PATTERN.test(key) && !VARIABLE_ONLY_PATTERN.test(value);

/** A secret is bound to its connection: another connection can't decrypt it. */
interface SecretOwner {
  orgId: string;
  name: string;
}
const createSecretContext = ({ orgId, name }: SecretOwner, path: string): string =>
  `${orgId}|connections|${name}|${path}`;

type Json = unknown;
type StringVisitor = (key: string, value: Json, path: string) => Json;
export function mapStrings(value: Json, visit: StringVisitor, key = '', path = ''): Json {
  const replacedValue = visit(key, value, path);
  if (replacedValue !== value) return replacedValue;
  if (Array.isArray(value)) return value.map((item, index) => mapStrings(item, visit, key, `${path}/${index}`));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, innerValue]) => [name, mapStrings(innerValue, visit, name, `${path}/${name}`)]),
  );
}

export const sealSecrets = (keys: SecretKeys, owner: SecretOwner, config: ConnectionConfig): Record<string, Json> =>
  mapStrings(config, (key, value, path) =>
    isLiteralSecret(key, value) ? keys.seal(value, createSecretContext(owner, path)) : value,
  ) as Record<string, Json>;

export const openSecrets = (
  keys: SecretKeys,
  owner: SecretOwner,
  storedConfig: Record<string, Json>,
): ConnectionConfig =>
  mapStrings(storedConfig, (_key, value, path) =>
    typeof value === 'string' && SecretKeys.isSealed(value)
      ? keys.open(value, createSecretContext(owner, path))
      : value,
  ) as ConnectionConfig;

export const hideSecrets = (config: Record<string, Json>): Record<string, Json> =>
  mapStrings(config, (key, value) => (isLiteralSecret(key, value) ? HIDDEN_SECRET_TEXT : value)) as Record<
    string,
    Json
  >;

/** Members that determine where svc sends a secret. For a plugin, any member could be such a destination. */
const DESTINATION_MEMBERS = ['kind', 'host', 'port', 'account'];

interface RestoredConfig {
  config: ConnectionConfig;
  /** Paths with `(kept)` but without a stored secret. */
  missingPaths: string[];
  /** Changed members that would send a stored secret to another server. */
  movedPaths: string[];
}

export function restoreHiddenSecrets(config: ConnectionConfig, storedConfig: ConnectionConfig | null): RestoredConfig {
  const missingPaths: string[] = [];
  let wasRestored = false;
  const restoredConfig = mapStrings(config, (key, value, path) => {
    if (value !== HIDDEN_SECRET_TEXT || !SECRET_NAME_PATTERN.test(key)) return value;
    const storedValue = path
      .split('/')
      .slice(1)
      .reduce<Json>((parent, part) => (parent as Record<string, Json> | null)?.[part], storedConfig);
    if (typeof storedValue !== 'string') missingPaths.push(path);
    else wasRestored = true;
    return storedValue ?? value;
  }) as ConnectionConfig;
  return {
    config: restoredConfig,
    missingPaths,
    movedPaths: wasRestored && storedConfig ? findChangedDestinations(storedConfig, restoredConfig) : [],
  };
}

function findChangedDestinations(storedConfig: Record<string, Json>, requestedConfig: Record<string, Json>): string[] {
  const names = String(requestedConfig['kind']).startsWith('plugin:')
    ? [...new Set([...Object.keys(storedConfig), ...Object.keys(requestedConfig)])].filter(
        (name) => !isSecretName(name),
      )
    : DESTINATION_MEMBERS;
  return names.filter((name) => JSON.stringify(storedConfig[name]) !== JSON.stringify(requestedConfig[name]));
}

export const createMovedSecretsMessage = (movedPaths: string[]): string =>
  `${movedPaths.map((name) => `"${name}"`).join(', ')} changed, so svc would send the stored secret to another server. Send the secret again with this change.`;
