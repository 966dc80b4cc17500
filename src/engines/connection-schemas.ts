// Schemas of connection fields that several engines share. A connection consists of separate fields, so no variable can
// contain a connection string, libpq options or a socket.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const hostSchema = z
  .string({ error: 'is required' })
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$/, 'must be a host name or an address')
  .refine(
    (value) => !value.includes(':') || ipaddr.isValid(value),
    'must be a host name or an address, with the port in `port`',
  );
export const portSchema = z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65_535);
const sslSchema = z
  .union([z.boolean(), z.strictObject({ ca: z.string().optional(), verify: z.boolean().default(true) })])
  .default(false)
  .transform((value) => (value === true ? { verify: true } : value));
export const requiredStringSchema = z.string({ error: 'is required' }).min(1);
export const loginFields = {
  host: hostSchema,
  user: requiredStringSchema,
  password: z.string().default(''),
  ssl: sslSchema,
};
export const serverFields = { ...loginFields, database: requiredStringSchema };
export const scanLimitSchema = z.coerce.number({ error: 'must be a number' }).int().min(1).optional();
