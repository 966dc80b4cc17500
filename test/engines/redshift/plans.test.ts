import { connectionTo, createDatabase } from '../../support/postgres.ts';
import { startTestRedshift } from '../../support/redshift.ts';
import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { redshiftStatements } from './redshift-tables.ts';

const url = await createDatabase(...redshiftStatements());
const redshift = await startTestRedshift(url);
const connection = { ...connectionTo(url), kind: 'redshift', host: '127.0.0.1', port: redshift.port };
const stage = await openEngineStage(connection, 'shop.');

planSuite(stage, {
  'the distinct values of each group as one text, and their number': /Remove distinct/,
});
