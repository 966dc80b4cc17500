// The link itself: the token in the fragment, which browsers send to no one. Null where it would not work.
import { mintSignInLink } from './domain/users/sign-in-link.ts';
import { isLoopbackUrl } from './platform/http/loopback.ts';
import type { Tenancy } from './platform/tenancy/tenant.ts';

export async function signInLink(tenancy: Tenancy, orgId: string, baseUrl: string): Promise<string | null> {
  if (!isLoopbackUrl(baseUrl)) return null;
  const minted = await mintSignInLink(tenancy, orgId);
  return minted && `${baseUrl}/app/enter#${minted.token}`;
}
