// The identity behind a verified credential. Surfaces authorize requests by this identity, never by the token itself.

import type { Role } from '../../contract/session.ts';
import type { Caller } from '../../lens/model/lens.ts';
import type { AnswerOwner } from '../../platform/http/unread-answers.ts';
import { Problem } from '../../platform/problem.ts';

export interface Principal extends Omit<Caller, 'superuser'> {
  orgId: string;
  orgName: string;
  /**
   * caller: svc_ key, svco_ token or demo identity. admin: svcadm_ token. user: svcsess_ session of a local account.
   */
  kind: 'caller' | 'admin' | 'user';
  credentialKind: 'caller_key' | 'admin_token' | 'oauth' | 'session' | 'demo';
  credentialId: string | null;
  /** Null for admins. For a user, the id of the linked caller, if any. */
  callerId: string | null;
  userId: string | null;
  /** The name of the principal in traces: the caller's name, the admin token's label, or the user's email address. */
  name: string;
  /** Set only for users. */
  role: Role | null;
  /**
   * The lenses granted to this caller. Ignored for admins and curators, who can use every lens of their organization.
   */
  lenses: string[];
  demo: boolean;
}

/** svc itself as an admin of an organization, for asks that no person sends. */
export const createInternalAdmin = (orgId: string, name: string): Principal => ({
  ...{ orgId, orgName: '', kind: 'admin', credentialKind: 'admin_token', name, role: null, demo: false },
  ...{ credentialId: null, callerId: null, userId: null, groups: [], attributes: {}, lenses: [] },
});

export const isAdmin = ({ kind, role }: Principal): boolean =>
  kind === 'admin' || (kind === 'user' && role === 'admin');

export const isCurator = ({ kind, role }: Principal): boolean => kind === 'user' && role === 'curator';

/**
 * Whether the principal can use every lens and sees all rows. A person who defines a lens must see the rows that the
 * lens hides from others.
 */
export const isSuperuser = (principal: Principal): boolean => isAdmin(principal) || isCurator(principal);

export const mayUseLens = (principal: Principal, lens: string): boolean =>
  isSuperuser(principal) || principal.lenses.includes(lens);

/** Whether the principal is a viewer with a linked caller, who sees only what that caller can see. */
export const isLinkedViewer = ({ kind, role, callerId }: Principal): boolean =>
  kind === 'user' && role === 'viewer' && callerId !== null;

/**
 * The owner of conversations and boards: the person, regardless of how they signed in, otherwise the caller or the
 * credential.
 */
export function getOwnerId({ userId, callerId, credentialId }: Principal): string {
  const owner = userId ?? callerId ?? credentialId;
  if (owner === null) throw new Problem('forbidden', 'Sign in to keep conversations and boards.');
  return owner;
}

/** The caller and the tenant whose memory limits apply to the unread answers of this principal. */
export const toAnswerOwner = ({ orgId, callerId, name }: Principal): AnswerOwner => ({
  tenant: orgId,
  caller: `${orgId}/${callerId ?? name}`,
});

export const toCaller = (principal: Principal): Caller => ({
  name: principal.name,
  groups: principal.groups,
  attributes: principal.attributes,
  superuser: isSuperuser(principal),
});
