// What every session is pinned to. NO_BACKSLASH_ESCAPES without ANSI_QUOTES is how the guard reads strings and names;
// ONLY_FULL_GROUP_BY refuses what would be an arbitrary row's value; quotients keep their digits.
export interface MysqlServer {
  mariadb: boolean;
  version: string;
  /** Named time zones are loaded; without them convert_tz gives null, silently. */
  zones: boolean;
}
type Run = (sql: string) => Promise<unknown[][]>;

const SETTINGS = [
  `sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'`,
  `time_zone = '+00:00'`,
  'div_precision_increment = 12',
  'group_concat_max_len = 1048576',
  'sql_select_limit = 18446744073709551615',
  'lock_wait_timeout = 5',
];

export async function prepareSession(run: Run): Promise<MysqlServer> {
  await run('set session transaction read only');
  for (const setting of SETTINGS) await run(`set session ${setting}`);
  const [row] = await run("select version(), convert_tz('2020-07-01 00:00:00', 'UTC', 'Europe/Paris') is not null");
  const version = String(row?.[0]);
  const mariadb = /mariadb/i.test(version);
  const short = /^[\d.]+/.exec(version)?.[0] ?? version;
  return { mariadb, version: `${mariadb ? 'MariaDB' : 'MySQL'} ${short}`, zones: Number(row?.[1]) === 1 };
}
