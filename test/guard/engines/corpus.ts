// What is said of each engine that the guard reads by its grammar: its statements are the rows of statements.tsv.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EngineCorpus {
  dialect: string;
  /** A masked whole number and a filter with a backslash, in a dataset's body. */
  noInteger: string;
  west: string;
  /** A statement over the governed table, and what runs. */
  governed: { asked: string; runs: string };
  /** Never asked of the engine, whatever the login may. */
  attacks: readonly string[];
  /** Never refused. */
  legitimate: readonly string[];
  /** With the code of the reason. */
  refused: readonly (readonly [sql: string, code: string])[];
}

const ROWS = readFileSync(join(import.meta.dirname, 'statements.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [expected: string, engines: string, form: string, parts: string])
  .flatMap(([expected, engines, form, parts]) =>
    parts.split(' ¦ ').map((part) => ({
      expected,
      engines: engines.split(' '),
      sql: form
        .replace('{}', () => part)
        .replaceAll('␤', '\n')
        .replaceAll('␍', '\r'),
    })),
  );

const ENGINES: readonly Pick<EngineCorpus, 'dialect' | 'noInteger' | 'west' | 'governed'>[] = [
  {
    dialect: 'bigquery',
    noInteger: 'cast(null as int64)',
    west: "'We\\\\st'",
    governed: {
      asked:
        "select Kind, countif(price > 1.5) as s from jobs where opened < date '1969-12-31' and kind <> \"it's\" group by kind limit 3 offset 1",
      runs: "SELECT `Kind`, countif(`price` > BIGNUMERIC '1.5') AS `s` FROM (SELECT `job_id`, CAST(NULL AS int64) AS `client_id`, `site_id`, `kind`, `opened`, `promised`, `closed`, `hours`, `price` FROM `shop`.`jobs` WHERE `kind` <> 'We\\\\st') AS `jobs` WHERE (`opened` < DATE '1969-12-31') AND (`kind` <> 'it\\'s') GROUP BY `kind` LIMIT 3 OFFSET 1",
    },
  },
  {
    dialect: 'clickhouse',
    noInteger: 'cast(null as Int32)',
    west: "'We\\\\st'",
    governed: {
      asked: "select kind, sumIf(price, hours > 1.5) as s from jobs where opened < date '1969-12-31' group by kind",
      runs: "SELECT `kind`, sumIf(CAST(1 AS Decimal(76, 0)) * `price`, `hours` > CAST('1.5' AS Decimal(38, 1))) AS `s` FROM (SELECT `job_id`, CAST(NULL AS Int32) AS `client_id`, `site_id`, `kind`, `opened`, `promised`, `closed`, `hours`, `price` FROM `shop`.`jobs` WHERE `kind` <> 'We\\\\st') AS `jobs` WHERE `opened` < CAST('1969-12-31' AS Date32) GROUP BY `kind` LIMIT 501",
    },
  },
  {
    dialect: 'trino',
    noInteger: 'cast(null as integer)',
    west: "'We\\st'",
    governed: {
      asked:
        "select Kind, sum(price) filter (where hours > 1.5) as s from JOBS where opened < date '1969-12-31' group by kind offset 1 limit 3",
      runs: 'SELECT "Kind", sum("price") FILTER (WHERE "hours" > 1.5) AS "s" FROM (SELECT "job_id", CAST(NULL AS integer) AS "client_id", "site_id", "kind", "opened", "promised", "closed", "hours", "price" FROM "shop"."jobs" WHERE "kind" <> \'We\\st\') AS "JOBS" WHERE "opened" < DATE \'1969-12-31\' GROUP BY "kind" OFFSET 1 LIMIT 3',
    },
  },
  {
    dialect: 'redshift',
    noInteger: 'cast(null as integer)',
    west: "'West'",
    governed: {
      asked:
        "select kind, sum(price) as s, dateadd(month, 1, max(opened)) as next from jobs where opened < date '1969-12-31' group by kind",
      runs: "SELECT kind, sum(price) AS s, dateadd(month, 1, max(opened)) AS \"next\" FROM (SELECT job_id, CAST(NULL AS integer) AS client_id, site_id, kind, opened, promised, closed, hours, price FROM shop.jobs WHERE kind <> 'West') AS jobs WHERE opened < CAST('1969-12-31' AS date) GROUP BY kind LIMIT 501",
    },
  },
  {
    dialect: 'snowflake',
    noInteger: 'cast(null as integer)',
    west: "'We\\\\st'",
    governed: {
      asked:
        'select Kind, sum(price) as "Sum", count(*) from JOBS where opened < \'1969-12-31\' group by kind qualify rank() over (order by sum(price)) = 1 limit 3',
      runs: 'SELECT "KIND", sum("PRICE") AS "Sum", count(*) AS "count(*)" FROM (SELECT "JOB_ID", CAST(NULL AS int) AS "CLIENT_ID", "SITE_ID", "KIND", "OPENED", "PROMISED", "CLOSED", "HOURS", "PRICE" FROM "SHOP"."JOBS" WHERE "KIND" <> \'We\\\\st\') AS "JOBS" WHERE "OPENED" < \'1969-12-31\' GROUP BY "KIND" QUALIFY rank() OVER (ORDER BY sum("PRICE")) = 1 LIMIT 3',
    },
  },
  {
    dialect: 'databricks',
    noInteger: 'cast(null as int)',
    west: "'West'",
    governed: {
      asked:
        "select Kind, sum(price) filter (where hours > 1.5) as s from JOBS where opened < date '1969-12-31' group by kind limit 3 offset 1",
      runs: "SELECT `Kind`, sum(`price`) FILTER (WHERE `hours` > 1.5) AS `s` FROM (SELECT `job_id`, CAST(NULL AS int) AS `client_id`, `site_id`, `kind`, `opened`, `promised`, `closed`, `hours`, `price` FROM `shop`.`jobs` WHERE `kind` <> 'West') AS `JOBS` WHERE `opened` < DATE '1969-12-31' GROUP BY `kind` LIMIT 3 OFFSET 1",
    },
  },
  {
    dialect: 'sqlserver',
    noInteger: 'cast(null as int)',
    west: "'We\\st'",
    governed: {
      asked:
        "select top 3 Kind, sum(price) as s, count(*) as n from JOBS where opened < cast('1969-12-31' as date) and kind like '[a]%' group by kind order by 2 desc",
      runs: 'SELECT TOP (3) "Kind", sum("price") AS "s", count_big(*) AS "n" FROM (SELECT "job_id", CAST(NULL AS int) AS "client_id", "site_id", "kind", "opened", "promised", "closed", "hours", "price" FROM "shop"."jobs" WHERE "kind" <> N\'We\\st\') AS "JOBS" WHERE ("opened" < CAST(N\'1969-12-31\' AS date)) AND ("kind" LIKE N\'[a]%\') GROUP BY "kind" ORDER BY 2 DESC',
    },
  },
];

export const CORPORA: readonly EngineCorpus[] = ENGINES.map((engine) => {
  const rows = ROWS.filter(({ engines }) => engines.includes(engine.dialect));
  const expecting = (what: string) => rows.filter(({ expected }) => expected === what).map(({ sql }) => sql);
  return {
    ...engine,
    attacks: expecting('refused'),
    legitimate: expecting('allowed'),
    refused: rows
      .filter(({ expected }) => expected !== 'refused' && expected !== 'allowed')
      .map(({ sql, expected }) => [sql, expected] as const),
  };
});

export const corpusOf = (dialect: string): EngineCorpus => CORPORA.find((one) => one.dialect === dialect)!;
