// Surfaces authorize a request by its principal, never by the token.

import type { Role } from '../../contract/session.ts';
import type { Caller } from '../../lens/model/lens.ts';
import type { AnswerOwner } from '../../platform/http/unread-answers.ts';
import { Problem } from '../../platform/problem.ts';

export interface Principal extends Omit<Caller, 'superuser'> {
  orgId: string;
  orgName: string;
  /** caller: svc_ key, svco_ token or demo identity. admin: svcadm_ token. user: svcsess_ session of an account. */
  kind: 'caller' | 'admin' | 'user';
  credentialKind: 'caller_key' | 'admin_token' | 'oauth' | 'session' | 'demo';
  credentialId: string | null;
  /** Null for admins. For a user, the id of the linked caller, if any. */
  callerId: string | null;
  userId: string | null;
  /** The caller's name, the admin token's label, or the user's email address. */
  name: string;
  /** Only users have a role. */
  role: Role | null;
  /** Admins and curators can use every lens of their organization, regardless of this list. */
  lenses: string[];
  demo: boolean;
}

/** The principal for asks that svc sends itself. */
export const createInternalAdmin = (orgId: string, name: string): Principal => ({
  ...{ orgId, orgName: '', kind: 'admin', credentialKind: 'admin_token', name, role: null, demo: false },
  ...{ credentialId: null, callerId: null, userId: null, groups: [], attributes: {}, lenses: [] },
});

export const isAdmin = ({ kind, role }: Principal): boolean =>
  kind === 'admin' || (kind === 'user' && role === 'admin');

export const isCurator = ({ kind, role }: Principal): boolean => kind === 'user' && role === 'curator';

/**
 * Admins and curators see every row, because a person who defines a lens must see the rows that the lens hides from
 * others.
 */
export const isSuperuser = (principal: Principal): boolean => isAdmin(principal) || isCurator(principal);

export const canUseLens = (principal: Principal, lens: string): boolean =>
  isSuperuser(principal) || principal.lenses.includes(lens);

/** A viewer with a linked caller sees only what that caller can see. */
export const isLinkedViewer = ({ kind, role, callerId }: Principal): boolean =>
  kind === 'user' && role === 'viewer' && callerId !== null;

/**
 * The caller that a request belongs to. A request of an admin or curator belongs to no caller, because a linked caller
 * sees fewer rows.
 */
export const getAskingCallerId = (principal: Principal): string | null =>
  isSuperuser(principal) ? null : principal.callerId;

/**
 * Admins and curators can access every request of their organization. A caller can access its own requests, as long as
 * it has access to their lens.
 */
export const canAccessRequest = (
  principal: Principal,
  { callerId, lens }: { callerId: string | null; lens: string | null },
): boolean =>
  isSuperuser(principal) ||
  (callerId !== null && callerId === principal.callerId && (lens === null || canUseLens(principal, lens)));

/** Conversations and boards belong to the person, if known, otherwise to the caller or the credential. */
export function getOwnerId({ userId, callerId, credentialId }: Principal): string {
  const owner = userId ?? callerId ?? credentialId;
  if (owner === null) throw new Problem('forbidden', 'Sign in to keep conversations and boards.');
  return owner;
}

/** The memory limits for unread answers apply to this caller and tenant. */
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
