// From a BigQuery dataset and no lens to a first verified answer.
import { afterAll, beforeAll } from 'vitest';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { serve } from './bigquery-tables.ts';
import { DATASET, PROJECT, startBigquery, type TestBigquery } from './start-bigquery.ts';

let bigquery: TestBigquery;
let newcomer: Newcomer;
beforeAll(async () => {
  bigquery = await startBigquery(NEWCOMER_TABLES.map(serve));
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await bigquery?.stop();
});

const url = (place = `${PROJECT}/${DATASET}`, port = bigquery.port): string =>
  `bigquery://${place}?emulator=127.0.0.1:${port}`;
newcomerSuite(() => newcomer, {
  url,
  wrong: [
    { what: 'a port where nobody listens', url: () => url(undefined, 1), says: /nothing listens on the host and port/ },
    {
      what: 'a project that is not there',
      url: () => url(`other-project/${DATASET}`),
      says: /roles\/bigquery\.jobUser/,
    },
    {
      what: 'a dataset that is not there',
      url: () => url(`${PROJECT}/nowhere`),
      says: /no such dataset in the project and location/,
    },
    { what: 'a URL without a key', url: () => `bigquery://${PROJECT}/${DATASET}`, says: /add \?key_file=key\.json/ },
    {
      what: 'a key file that is not there',
      url: () => `bigquery://${PROJECT}/${DATASET}?key_file=nowhere.json`,
      says: /Can.t read the key file of the service account/,
    },
  ],
});
