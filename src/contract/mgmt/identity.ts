// Schemas for managing callers, keys, grants and admin tokens.
import { z } from 'zod';
import { oneLine } from '../files/file-words.ts';
import { pageQuery } from '../lens.ts';
import { role } from '../session.ts';
import { attributes, time } from './shared.ts';

const name = oneLine.min(1).max(200);
const groups = z.array(z.string().trim().min(1).max(200)).max(200);
const email = z.email().max(254);
const search = z.string().trim().min(1).max(200).optional().describe('Text in the name or email');
export const callerQuery = pageQuery.extend({
  q: search,
  group: z.string().trim().min(1).max(200).optional(),
  disabled: z.stringbool().optional(),
});
export const userQuery = pageQuery.extend({ q: search, role: role.optional() });
export const newCallerBody = z.strictObject({
  name,
  email: email.nullable().optional(),
  groups: groups.optional(),
  attributes: attributes.optional(),
});
export const changeCallerBody = newCallerBody.extend({ name: name.optional(), disabled: z.boolean().optional() });
export const caller = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  kind: z.enum(['api', 'demo']),
  disabled: z.boolean(),
  created_at: time,
  updated_at: time,
});

const expiresAt = z.iso.datetime({ offset: true });
export const mintBody = z.strictObject({
  expires_at: expiresAt.nullable().optional().describe('Absent or null: no expiry'),
  label: z.string().trim().min(1).max(200).nullable().optional(),
});
export const rotateBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400)
    .describe('Seconds until the old key expires; 0 revokes it immediately'),
  expires_at: expiresAt.nullable().optional(),
  label: z.string().trim().min(1).max(200).optional(),
});
const credential = {
  prefix: z.string(),
  last_four: z.string(),
  label: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
  last_used_at: time.nullable(),
};
export const key = z.object({ key_id: z.string(), ...credential });
export const mintedKey = key.extend({ key: z.string().describe('Shown only once') });
export const token = z.object({ id: z.string(), ...credential });
export const mintedToken = token.extend({ token: z.string().describe('Shown only once') });

const origin = z.enum(['lens_file', 'group_file', 'demo', 'lens_api', 'caller_api']);
export const callerGrantsBody = z.strictObject({ lenses: z.array(z.string().min(1).max(100)).max(5000) });
export const callerGrants = z.object({
  lenses: z.array(z.string()).describe('Lenses granted to this caller through this route'),
  effective: z.array(z.object({ lens: z.string(), origins: z.array(z.object({ origin, subject: z.string() })) })),
});
export const lensGrantsBody = z.strictObject({
  callers: z.array(name).max(5000).default([]),
  groups: groups.default([]),
});
export const lensGrants = z.object({
  callers: z.array(z.string()).describe('Granted through this route'),
  groups: z.array(z.string()).describe('Granted through this route'),
  effective: z.array(z.object({ kind: z.enum(['caller', 'group']), subject: z.string(), origin })),
});
export const lensGrantsSet = lensGrants.extend({
  warnings: z.array(z.string()).describe('Groups without members'),
});

export const ping = z.object({ ok: z.literal(true), organization: z.string() });
export const whoami = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  kind: z.enum(['admin', 'user']),
  name: z.string(),
  role,
  credential_id: z.string().nullable(),
});
