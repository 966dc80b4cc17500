import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { serve } from './bigquery-tables.ts';
import { DATASET, PROJECT, startBigquery } from './start-bigquery.ts';

const bigquery = await startBigquery(NEWCOMER_TABLES.map(serve));
const newcomer = await openNewcomer();

const url = (place = `${PROJECT}/${DATASET}`, port = bigquery.port): string =>
  `bigquery://${place}?emulator=127.0.0.1:${port}`;
newcomerSuite(newcomer, {
  url: url(),
  wrong: {
    'a port without a listener': url(undefined, 1),
    'a missing project': [url(`other-project/${DATASET}`), /roles\/bigquery\.jobUser/],
    'a missing dataset': [url(`${PROJECT}/nowhere`), /no such dataset in the project and location/],
    'a URL without a key': [`bigquery://${PROJECT}/${DATASET}`, /add \?key_file=key\.json/],
    'a missing key file': [
      `bigquery://${PROJECT}/${DATASET}?key_file=nowhere.json`,
      /Can.t read the key file of the service account/,
    ],
  },
});
