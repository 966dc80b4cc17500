import { z } from 'zod';

const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');
const passwordSchema = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(256, 'must have at most 256 characters');
export const roleSchema = z
  .enum(['admin', 'curator', 'viewer'])
  .describe(
    'admin: may do everything. curator: sees all rows of all lenses and may change what the lenses mean, but not who may see what. viewer: may ask and read',
  );
export type Role = z.infer<typeof roleSchema>;

export const loginBodySchema = z.strictObject({
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

export const redeemLinkBodySchema = z.strictObject({
  token: z.string().min(1).max(200).describe('The part of the link after #'),
});

export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  caller: z
    .string()
    .nullable()
    .describe('Name of the caller that svc uses for the asks of this person. Required to consent to an OAuth client'),
  disabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type User = z.infer<typeof userSchema>;

export const loginReplySchema = z.object({
  token: z.string().describe('svcsess_ session token, also set as the cookie svc_session'),
  expires_at: z.string(),
  user: userSchema,
});
export const redeemLinkReplySchema = z.object({ expires_at: z.string(), user: userSchema });
export const logoutReplySchema = z.object({ ok: z.literal(true) });
export const meReplySchema = z.object({
  user: userSchema.nullable().describe('The local account of this session. Null for other credentials'),
  kind: z.enum(['user', 'admin', 'caller']),
  name: z.string(),
  organization: z.object({ id: z.string(), name: z.string() }),
  lenses: z
    .array(z.string())
    .nullable()
    .describe('The lenses that this session may use. Null means all lenses of the organization'),
  expires_at: z.string().nullable(),
});

export const newUserBodySchema = z.strictObject({
  email: emailSchema,
  password: passwordSchema,
  role: roleSchema.default('viewer'),
  caller: z.string().min(1).max(200).nullable().optional(),
});
export type NewUserBody = z.infer<typeof newUserBodySchema>;
export const changeUserBodySchema = z.strictObject({
  email: emailSchema.optional(),
  role: roleSchema.optional(),
  caller: z.string().min(1).max(200).nullable().optional(),
  disabled: z.boolean().optional(),
});
export type ChangeUserBody = z.infer<typeof changeUserBodySchema>;
export const newPasswordBodySchema = z.strictObject({ password: passwordSchema });
