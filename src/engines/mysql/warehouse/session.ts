import { mysqlDialect } from '../dialect/dialect.ts';

export interface MysqlServer {
  isMariadb: boolean;
  version: string;
  /** True if the server has named time zones. Without them, convert_tz silently returns null. */
  hasTimeZones: boolean;
}
type SessionQueryRunner = (sql: string) => Promise<unknown[][]>;

export async function prepareSession(run: SessionQueryRunner): Promise<MysqlServer> {
  await run('set session transaction read only');
  for (const setting of mysqlDialect.settings) await run(`set session ${setting}`);
  const [row] = await run("select version(), convert_tz('2020-07-01 00:00:00', 'UTC', 'Europe/Paris') is not null");
  const version = String(row?.[0]);
  const isMariadb = /mariadb/i.test(version);
  const versionNumber = /^[\d.]+/.exec(version)?.[0] ?? version;
  return {
    isMariadb,
    version: `${isMariadb ? 'MariaDB' : 'MySQL'} ${versionNumber}`,
    hasTimeZones: Number(row?.[1]) === 1,
  };
}
