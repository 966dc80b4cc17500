import { z } from 'zod';
import { oneLineSchema } from '../files/shared-schemas.ts';
import { pageQuerySchema } from '../lens.ts';
import { roleSchema } from '../session.ts';
import { attributesSchema, timeSchema } from './shared.ts';

const nameSchema = oneLineSchema.min(1).max(200);
const groupsSchema = z.array(z.string().trim().min(1).max(200)).max(200);
const emailSchema = z.email().max(254);
const searchSchema = z.string().trim().min(1).max(200).optional().describe('Text to find in names and emails');
export const callerQuerySchema = pageQuerySchema.extend({
  q: searchSchema,
  group: z.string().trim().min(1).max(200).optional(),
  disabled: z.stringbool().optional(),
});
export const userQuerySchema = pageQuerySchema.extend({ q: searchSchema, role: roleSchema.optional() });
export const newCallerBodySchema = z.strictObject({
  name: nameSchema,
  email: emailSchema.nullable().optional(),
  groups: groupsSchema.optional(),
  attributes: attributesSchema.optional(),
});
export const changeCallerBodySchema = newCallerBodySchema.extend({
  name: nameSchema.optional(),
  disabled: z.boolean().optional(),
});
export const callerSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  kind: z.enum(['api', 'demo']),
  disabled: z.boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const expiresAtSchema = z.iso.datetime({ offset: true });
export const newKeyBodySchema = z.strictObject({
  expires_at: expiresAtSchema
    .nullable()
    .optional()
    .describe('When the credential expires. If absent or null, it does not expire'),
  label: z.string().trim().min(1).max(200).nullable().optional(),
});
export const rotateKeyBodySchema = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds until the old key expires. 0 revokes the old key immediately'),
  expires_at: expiresAtSchema
    .nullable()
    .optional()
    .describe(
      'When the new key expires. If absent, it has the same lifetime as the old key. If null, it does not expire',
    ),
  label: z.string().trim().min(1).max(200).optional(),
});
const credentialMembers = {
  prefix: z.string(),
  last_four: z.string(),
  label: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: timeSchema,
  expires_at: timeSchema.nullable(),
  revoked_at: timeSchema.nullable(),
  last_used_at: timeSchema.nullable(),
};
export const keySchema = z.object({ key_id: z.string(), ...credentialMembers });
export const mintedKeySchema = keySchema.extend({ key: z.string().describe('Shown only once') });
export const tokenSchema = z.object({ id: z.string(), ...credentialMembers });
export const mintedTokenSchema = tokenSchema.extend({ token: z.string().describe('Shown only once') });

const originSchema = z.enum(['lens_file', 'group_file', 'demo', 'lens_api', 'caller_api']);
export const callerGrantsBodySchema = z.strictObject({ lenses: z.array(z.string().min(1).max(100)).max(5000) });
export const callerGrantsSchema = z.object({
  lenses: z.array(z.string()).describe('Lenses granted to this caller through this route'),
  effective: z.array(
    z.object({ lens: z.string(), origins: z.array(z.object({ origin: originSchema, subject: z.string() })) }),
  ),
});
export const lensGrantsBodySchema = z.strictObject({
  callers: z.array(nameSchema).max(5000).default([]),
  groups: groupsSchema.default([]),
});
export const lensGrantsSchema = z.object({
  callers: z.array(z.string()).describe('Callers that this route granted access'),
  groups: z.array(z.string()).describe('Groups that this route granted access'),
  effective: z.array(z.object({ kind: z.enum(['caller', 'group']), subject: z.string(), origin: originSchema })),
});
export const changedLensGrantsSchema = lensGrantsSchema.extend({
  warnings: z.array(z.string()).describe('Groups without members'),
});

export const pingSchema = z.object({ ok: z.literal(true), organization: z.string() });
export const whoamiSchema = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  kind: z.enum(['admin', 'user']),
  name: z.string(),
  role: roleSchema,
  credential_id: z.string().nullable(),
});
