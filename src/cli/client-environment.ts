// The environment of commands that call a server. The module loads in milliseconds, because it doesn't check the
// configuration of a server.
import { resolve } from 'node:path';

/** For commands that use HTTP: SVC_BASE_URL and SVC_TOKEN, otherwise the instance running in SVC_HOME. */
export function readClientEnvironment(env: NodeJS.ProcessEnv = process.env): {
  home: string;
  baseUrl: string | null;
  token: string | null;
  /** A server with this configuration keeps its control database in SVC_HOME. */
  usesEmbeddedDatabase: boolean;
  project: string;
  port: number;
} {
  return {
    home: resolve(env['SVC_HOME'] || './.svc'),
    baseUrl: env['SVC_BASE_URL'] || null,
    token: env['SVC_TOKEN'] || null,
    usesEmbeddedDatabase: !env['DATABASE_URL'],
    project: env['SVC_PROJECT'] ?? '.',
    port: Number(env['SVC_PORT'] ?? 8080),
  };
}

/** For a server that another command starts. The server selects a free port unless SVC_PORT is set. */
export const createStartEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  SVC_PORT: '0',
  ...env,
});
