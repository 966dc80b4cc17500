// Schemas of local accounts and their sign-in.
import { z } from 'zod';

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');
const password = z.string().min(8, 'must have at least 8 characters').max(256, 'must have at most 256 characters');
export const role = z
  .enum(['admin', 'curator', 'viewer'])
  .describe(
    'admin: may do everything. curator: sees all rows of all lenses and may change what the lenses mean, but not who may see what. viewer: may ask and read',
  );
export type Role = z.infer<typeof role>;

export const loginBody = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(256),
  organization: z
    .string()
    .trim()
    .max(63)
    .optional()
    .transform((name) => name || undefined)
    .describe('Needed if this email has accounts in several organizations'),
});

export const enterBody = z.strictObject({
  token: z.string().min(1).max(200).describe('The part of the link after #'),
});

export const user = z.object({
  id: z.string(),
  email: z.string(),
  role,
  caller: z
    .string()
    .nullable()
    .describe('Name of the caller that svc uses for the asks of this person; required to consent to an OAuth client'),
  disabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type User = z.infer<typeof user>;

export const loginReply = z.object({
  token: z.string().describe('svcsess_ session token, also set as the cookie svc_session'),
  expires_at: z.string(),
  user,
});
export const enterReply = z.object({ expires_at: z.string(), user });
export const logoutReply = z.object({ ok: z.literal(true) });
export const meReply = z.object({
  user: user.nullable().describe('The local account of this session; null for other credentials'),
  kind: z.enum(['user', 'admin', 'caller']),
  name: z.string(),
  organization: z.object({ id: z.string(), name: z.string() }),
  lenses: z
    .array(z.string())
    .nullable()
    .describe('The lenses that this session may use. Null means all lenses of the organization'),
  expires_at: z.string().nullable(),
});

export const newUserBody = z.strictObject({
  email,
  password,
  role: role.default('viewer'),
  caller: z.string().min(1).max(200).nullable().optional(),
});
export type NewUserBody = z.infer<typeof newUserBody>;
export const changeUserBody = z.strictObject({
  email: email.optional(),
  role: role.optional(),
  caller: z.string().min(1).max(200).nullable().optional(),
  disabled: z.boolean().optional(),
});
export type ChangeUserBody = z.infer<typeof changeUserBody>;
export const passwordBody = z.strictObject({ password });
