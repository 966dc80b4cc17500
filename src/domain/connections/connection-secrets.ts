// Literal secrets of a connection: sealed at rest, shown as `(kept)`, never returned. ${NAME} is no secret and stays.
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import { SecretKeys } from '../../platform/secret-keys.ts';

/** What an export shows in place of a stored secret, and what an apply reads as unchanged (CONTRACT 8). */
export const HIDDEN_SECRET = '(kept)';
const SECRET_KEY = /pass(word|wd|phrase)?$|secret$|token$|api_?key$|private_?key$|credentials?$/i;
const VARIABLE_ONLY = /^(\$\{[A-Za-z_][A-Za-z0-9_]*(:-)?\})+$/;

export const isSecretName = (key: string): boolean => SECRET_KEY.test(key);

/** Is this string, under this key, a secret written out? */
export const isLiteralSecret = (key: string, value: unknown): value is string =>
  typeof value === 'string' && value !== '' && SECRET_KEY.test(key) && !VARIABLE_ONLY.test(value);

/** The context under which a connection's secret is sealed. */
export const secretContext = (orgId: string, connection: string, path: string): string =>
  `${orgId}|connections|${connection}|${path}`;

type Json = unknown;
type Visit = (key: string, value: Json, path: string) => Json;
function walk(value: Json, visit: Visit, key = '', path = ''): Json {
  const seen = visit(key, value, path);
  if (seen !== value) return seen;
  if (Array.isArray(value)) return value.map((item, index) => walk(item, visit, key, `${path}/${index}`));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, walk(inner, visit, name, `${path}/${name}`)]),
  );
}

export const sealSecrets = (
  config: ConnectionConfig,
  seal: (plain: string, path: string) => string,
): Record<string, Json> =>
  walk(config, (key, value, path) => (isLiteralSecret(key, value) ? seal(value, path) : value)) as Record<string, Json>;

export const openSecrets = (
  stored: Record<string, Json>,
  open: (sealed: string, path: string) => string,
): ConnectionConfig =>
  walk(stored, (_key, value, path) =>
    typeof value === 'string' && SecretKeys.isSealed(value) ? open(value, path) : value,
  ) as ConnectionConfig;

/** As any reader may see it. */
export const hideSecrets = (config: Record<string, Json>): Record<string, Json> =>
  walk(config, (key, value) => (isLiteralSecret(key, value) ? HIDDEN_SECRET : value)) as Record<string, Json>;

/** Members that say whom a secret is told to. Of a plugin's members no one knows which do. */
const DESTINATION_MEMBERS = ['kind', 'host', 'port', 'account'];

export interface Restored {
  config: ConnectionConfig;
  /** Paths that say `(kept)`, and nothing is stored for them. */
  missing: string[];
  /** Members by which a kept secret would be told to someone else: whoever may write them could read it. */
  moved: string[];
}

/** Fills each `(kept)` from the stored secrets in clear. */
export function restoreHiddenSecrets(config: ConnectionConfig, stored: ConnectionConfig | null): Restored {
  const missing: string[] = [];
  let kept = false;
  const restored = walk(config, (key, value, path) => {
    if (value !== HIDDEN_SECRET || !SECRET_KEY.test(key)) return value;
    const before = path
      .split('/')
      .slice(1)
      .reduce<Json>((here, part) => (here as Record<string, Json> | null)?.[part], stored);
    if (typeof before !== 'string') missing.push(path);
    else kept = true;
    return before ?? value;
  }) as ConnectionConfig;
  return { config: restored, missing, moved: kept && stored ? movedMembers(stored, restored) : [] };
}

function movedMembers(stored: Record<string, Json>, wanted: Record<string, Json>): string[] {
  const names = String(wanted['kind']).startsWith('plugin:')
    ? [...new Set([...Object.keys(stored), ...Object.keys(wanted)])].filter((name) => !isSecretName(name))
    : DESTINATION_MEMBERS;
  return names.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(wanted[name]));
}

export const movedSecretsMessage = (moved: string[]): string =>
  `${moved.map((name) => `"${name}"`).join(', ')} changed, so svc would send the stored secret to another server. Send the secret again with this change.`;
