// Settings that connections of several kinds share. Every string can contain ${NAME}.
import { z } from 'zod';

/** `kind` determines which other keys the connection has. */
export interface ConnectionConfig {
  kind: string;
  [key: string]: unknown;
}

export const variableSchema = z.string().regex(/\$\{[A-Z_][A-Z0-9_]*(:-[^}]*)?\}/, 'must be a number or a variable');
export const optionalTextSchema = z.string().min(1).optional();
export const serverSettingFields = {
  host: optionalTextSchema,
  port: z.union([z.int().min(1).max(65535), variableSchema]).optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  ssl: z
    .union([z.boolean(), z.strictObject({ ca: z.string().optional(), verify: z.boolean().default(true) })])
    .optional(),
};
export const databaseSettingFields = { ...serverSettingFields, database: optionalTextSchema };
export const readLimitSchema = z
  .union([z.int().min(1), variableSchema])
  .optional()
  .describe('Maximum data that one statement may read. The engine rejects larger statements before or while they run');
