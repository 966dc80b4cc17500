// A client is registered (RFC 7591), or its client_id is the URL of its metadata.
import { type ClientMetadata, clientMetadataSchema } from '../../contract/oauth.ts';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { createId } from '../../platform/ids.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { findAndTouchClient, insertClient, type OauthClientRow, saveDocument } from './client-repository.ts';
import { type DocumentRules, fetchDocument } from './fetch-document.ts';
import { OauthFault } from './oauth-fault.ts';
import { findRedirectUriFault, isLoopbackUrl } from './redirect-uri.ts';

export interface ClientDeps {
  tenancy: Tenancy;
  documentRules: DocumentRules;
  /** Throws if the requester has caused too many fetches. Otherwise, anyone could make svc fetch addresses. */
  beforeFetch?: () => Promise<void>;
}

const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const DOCUMENT_CACHE_SECONDS = { min: 60, max: 86_400, default: 3_600 };

export function registerClient(deps: ClientDeps, input: unknown): Promise<OauthClientRow> {
  return insertClient(deps.tenancy, createId(), parseMetadata(input));
}

/** Returns null for an unknown client_id. Throws an OauthFault if svc can't use the client's document. */
export async function findClient(deps: ClientDeps, id: string): Promise<OauthClientRow | null> {
  if (id.length > 2_000) return null;
  const knownClient = await findAndTouchClient(deps.tenancy, id);
  if (knownClient || !/^https?:\/\//.test(id)) return knownClient;
  const fault = findDocumentUrlFault(id);
  if (fault) throw new OauthFault('invalid_client', `The metadata document of the client is not valid: ${fault}.`);
  await deps.beforeFetch?.();
  try {
    const { json, freshSeconds } = await fetchDocument(id, deps.documentRules);
    if ((json as { client_id?: unknown } | null)?.client_id !== id)
      throw new Error('its client_id is not its own address');
    const metadata = parseMetadata(json);
    if (!metadata.client_name) throw new Error('it has no client_name');
    const seconds = Math.min(
      DOCUMENT_CACHE_SECONDS.max,
      Math.max(DOCUMENT_CACHE_SECONDS.min, freshSeconds ?? DOCUMENT_CACHE_SECONDS.default),
    );
    return await saveDocument(deps.tenancy, id, metadata, seconds);
  } catch (error) {
    if (!(error instanceof Error) || 'code' in error) throw error;
    throw new OauthFault('invalid_client', `The metadata document of the client is not valid: ${error.message}.`);
  }
}

function findDocumentUrlFault(id: string): string | null {
  if (!URL.canParse(id)) return 'its address is not a URL';
  const url = new URL(id);
  if (url.protocol !== 'https:' && !isLoopbackUrl(url)) return 'its address must start with https://';
  if (url.pathname === '/' || url.pathname === '') return 'its address has no path';
  if (url.hash || url.username || url.password || /\/\.\.?(\/|$)/.test(id))
    return 'its address contains more than a scheme, a host and a path';
  return null;
}

function parseMetadata(input: unknown): ClientMetadata {
  const parsedMetadata = clientMetadataSchema.safeParse(input);
  if (!parsedMetadata.success) {
    const fault = describeFaults(parsedMetadata.error, clientMetadataSchema, input)[0]!;
    throw new OauthFault(
      fault.path.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      formatFault(fault),
    );
  }
  const metadata = parsedMetadata.data;
  for (const uri of metadata.redirect_uris) {
    const fault = findRedirectUriFault(uri);
    if (fault) throw new OauthFault('invalid_redirect_uri', `A redirect URI is not valid: ${fault}.`);
  }
  const grants = metadata.grant_types ?? GRANT_TYPES;
  if (!grants.includes('authorization_code'))
    throw new OauthFault('invalid_client_metadata', 'grant_types must contain authorization_code.');
  if (metadata.response_types && !metadata.response_types.includes('code'))
    throw new OauthFault('invalid_client_metadata', 'response_types must contain code.');
  return {
    ...metadata,
    client_uri: toHttpsUri(metadata.client_uri),
    logo_uri: toHttpsUri(metadata.logo_uri),
    tos_uri: toHttpsUri(metadata.tos_uri),
    policy_uri: toHttpsUri(metadata.policy_uri),
    grant_types: grants.filter((type) => GRANT_TYPES.includes(type)),
    response_types: ['code'],
    // svc accepts only public clients and issues no client secrets.
    token_endpoint_auth_method: 'none',
  };
}

/** Accepts only https, because other schemes, such as javascript: and data:, are unsafe in links. */
const toHttpsUri = (uri: string | undefined): string | undefined =>
  uri && URL.canParse(uri) && new URL(uri).protocol === 'https:' ? uri : undefined;

export const getClientName = (client: OauthClientRow): string =>
  client.metadata.client_name?.trim() ||
  (client.kind === 'document' ? new URL(client.id).host : 'A client without a name');
