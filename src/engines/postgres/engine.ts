import { z } from 'zod';
import { databaseKeys } from '../../contract/files/connection-words.ts';
import type { OwnEngine } from '../engine.ts';
import { SERVER_STATEMENTS } from '../limits.ts';
import { port, server } from '../opened-words.ts';

const opened = z.strictObject({ kind: z.literal('postgres'), port: port.default(5432), ...server });

export const postgres: OwnEngine = {
  kind: 'postgres',
  dialect: 'postgres',
  title: 'PostgreSQL',
  experimental: false,
  testedWith: 'PostgreSQL 15 and 18',
  can: { rowPolicies: true, medians: true, lists: true, distinctLists: true, estimates: true },
  schemes: ['postgres', 'postgresql'],
  stored: [z.strictObject({ kind: z.literal('postgres'), ...databaseKeys })],
  opened: [opened],
  atOnce: SERVER_STATEMENTS,
  async open(connection: z.infer<typeof opened>, { address }) {
    const { openPostgresWarehouse } = await import('./warehouse/warehouse.ts');
    return openPostgresWarehouse({ ...connection, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).postgres,
};
