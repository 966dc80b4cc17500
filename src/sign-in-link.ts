// The token is in the fragment of the link, which browsers don't send to servers. Null if the link wouldn't work.
import { mintFirstAdminToken } from './domain/users/sign-in-link.ts';
import { isLoopbackUrl } from './platform/http/loopback.ts';
import type { Tenancy } from './platform/tenancy/tenant.ts';

export async function createSignInLink(tenancy: Tenancy, orgId: string, baseUrl: string): Promise<string | null> {
  if (!isLoopbackUrl(baseUrl)) return null;
  const mintedToken = await mintFirstAdminToken(tenancy, orgId);
  return mintedToken && `${baseUrl}/app/enter#${mintedToken.token}`;
}
