// Literal secrets of a connection. They are encrypted in the database, shown as `(kept)`, and never returned. ${NAME}
// isn't a secret and doesn't change.
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import { SecretKeys } from '../../platform/secret-keys.ts';

/** Replaces a stored secret in an export. An apply treats it as unchanged (CONTRACT 8). */
export const HIDDEN_SECRET = '(kept)';
const SECRET_KEY = /pass(word|wd|phrase)?$|secret$|token$|api_?key$|private_?key$|credentials?$/i;
const VARIABLE_ONLY = /^(\$\{[A-Za-z_][A-Za-z0-9_]*(:-)?\})+$/;

export const isSecretName = (key: string): boolean => SECRET_KEY.test(key);

export const isLiteralSecret = (key: string, value: unknown): value is string =>
  typeof value === 'string' && value !== '' && SECRET_KEY.test(key) && !VARIABLE_ONLY.test(value);

export const secretContext = (orgId: string, connection: string, path: string): string =>
  `${orgId}|connections|${connection}|${path}`;

type Json = unknown;
type Visit = (key: string, value: Json, path: string) => Json;
function mapStrings(value: Json, visit: Visit, key = '', path = ''): Json {
  const seen = visit(key, value, path);
  if (seen !== value) return seen;
  if (Array.isArray(value)) return value.map((item, index) => mapStrings(item, visit, key, `${path}/${index}`));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, visit, name, `${path}/${name}`)]),
  );
}

export const sealSecrets = (
  config: ConnectionConfig,
  seal: (plain: string, path: string) => string,
): Record<string, Json> =>
  mapStrings(config, (key, value, path) => (isLiteralSecret(key, value) ? seal(value, path) : value)) as Record<
    string,
    Json
  >;

export const openSecrets = (
  stored: Record<string, Json>,
  open: (sealed: string, path: string) => string,
): ConnectionConfig =>
  mapStrings(stored, (_key, value, path) =>
    typeof value === 'string' && SecretKeys.isSealed(value) ? open(value, path) : value,
  ) as ConnectionConfig;

export const hideSecrets = (config: Record<string, Json>): Record<string, Json> =>
  mapStrings(config, (key, value) => (isLiteralSecret(key, value) ? HIDDEN_SECRET : value)) as Record<string, Json>;

/** Members that determine where svc sends a secret. For a plugin, any member could. */
const DESTINATION_MEMBERS = ['kind', 'host', 'port', 'account'];

export interface RestoredConfig {
  config: ConnectionConfig;
  /** Paths with `(kept)` but without a stored secret. */
  missing: string[];
  /** Changed members that would send a stored secret to another server, where its owner could read it. */
  moved: string[];
}

export function restoreHiddenSecrets(config: ConnectionConfig, stored: ConnectionConfig | null): RestoredConfig {
  const missing: string[] = [];
  let wasRestored = false;
  const restored = mapStrings(config, (key, value, path) => {
    if (value !== HIDDEN_SECRET || !SECRET_KEY.test(key)) return value;
    const before = path
      .split('/')
      .slice(1)
      .reduce<Json>((here, part) => (here as Record<string, Json> | null)?.[part], stored);
    if (typeof before !== 'string') missing.push(path);
    else wasRestored = true;
    return before ?? value;
  }) as ConnectionConfig;
  return { config: restored, missing, moved: wasRestored && stored ? movedMembers(stored, restored) : [] };
}

function movedMembers(stored: Record<string, Json>, requestedConfig: Record<string, Json>): string[] {
  const names = String(requestedConfig['kind']).startsWith('plugin:')
    ? [...new Set([...Object.keys(stored), ...Object.keys(requestedConfig)])].filter((name) => !isSecretName(name))
    : DESTINATION_MEMBERS;
  return names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(requestedConfig[name]));
}

export const movedSecretsMessage = (moved: string[]): string =>
  `${moved.map((name) => `"${name}"`).join(', ')} changed, so svc would send the stored secret to another server. Send the secret again with this change.`;
