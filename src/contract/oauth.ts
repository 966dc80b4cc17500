// Schemas of the authorization server (RFC 7591, 7009, 8414, 9728), and of its data for admins.
import { z } from 'zod';

const lineSchema = z.string().max(200);
/** svc ignores unknown metadata, as RFC 7591 requires. */
export const clientMetadataSchema = z.object({
  redirect_uris: z.array(z.string().min(1).max(2_000)).min(1).max(10),
  client_name: lineSchema.optional(),
  client_uri: z.string().max(2_000).optional(),
  logo_uri: z.string().max(2_000).optional(),
  tos_uri: z.string().max(2_000).optional(),
  policy_uri: z.string().max(2_000).optional(),
  scope: z.string().max(1_000).optional(),
  contacts: z.array(lineSchema).max(10).optional(),
  grant_types: z.array(lineSchema).max(10).optional(),
  response_types: z.array(lineSchema).max(10).optional(),
  token_endpoint_auth_method: lineSchema.optional(),
  application_type: z.enum(['web', 'native']).optional(),
  software_id: lineSchema.optional(),
  software_version: lineSchema.optional(),
});
export type ClientMetadata = z.infer<typeof clientMetadataSchema>;

export const oauthClientSchema = z.object({
  id: z.string().describe('The client_id'),
  client_name: z.string(),
  kind: z.enum(['registered', 'document']).describe('document: a client ID metadata document'),
  redirect_uris: z.array(z.string()),
  created_at: z.string(),
  last_used_at: z.string(),
  live_grants: z.int(),
});
export type OauthClient = z.infer<typeof oauthClientSchema>;

export const oauthGrantSchema = z.object({
  id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  caller: z.string(),
  user: z.string().nullable().describe('Email of the local account that consented'),
  scope: z.string(),
  resource: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  status: z.enum(['live', 'revoked', 'expired']),
  revoked_because: z.string().nullable(),
});
export type OauthGrant = z.infer<typeof oauthGrantSchema>;
