// Stored things in the words of the wire.
import type { z } from 'zod';
import type * as identity from '../../contract/mgmt/identity.ts';
import type * as shared from '../../contract/mgmt/shared.ts';
import type { StoredAuditEntry } from '../../domain/audit/audit-repository.ts';
import type { Caller } from '../../domain/identity/caller-repository.ts';
import type { Credential } from '../../domain/identity/credential-repository.ts';
import type { EffectiveGrant } from '../../domain/identity/grant-repository.ts';
import type { Run } from '../../domain/runs/run-repository.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const callerView = (caller: Caller): z.infer<typeof identity.caller> => ({
  id: caller.id,
  name: caller.name,
  email: caller.email,
  groups: caller.groups,
  attributes: caller.attributes,
  kind: caller.kind,
  disabled: caller.disabledAt !== null,
  created_at: caller.createdAt.toISOString(),
  updated_at: caller.updatedAt.toISOString(),
});

const credentialView = (credential: Credential) => ({
  prefix: credential.prefix,
  last_four: credential.lastFour,
  label: credential.label,
  created_by: credential.createdBy,
  created_at: credential.createdAt.toISOString(),
  expires_at: iso(credential.expiresAt),
  revoked_at: iso(credential.revokedAt),
  last_used_at: iso(credential.lastUsedAt),
});
export const keyView = (credential: Credential): z.infer<typeof identity.key> => ({
  key_id: credential.id,
  ...credentialView(credential),
});
export const tokenView = (credential: Credential): z.infer<typeof identity.token> => ({
  id: credential.id,
  ...credentialView(credential),
});

export function callerGrantsView(grants: EffectiveGrant[]): z.infer<typeof identity.callerGrants> {
  const lenses = [...new Set(grants.map(({ lens }) => lens))].sort();
  return {
    lenses: grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens),
    effective: lenses.map((lens) => ({
      lens,
      origins: grants.filter((grant) => grant.lens === lens).map(({ origin, subject }) => ({ origin, subject })),
    })),
  };
}
export const lensGrantsView = (grants: EffectiveGrant[]): z.infer<typeof identity.lensGrants> => ({
  callers: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'caller')
    .map(({ subject }) => subject),
  groups: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'group')
    .map(({ subject }) => subject),
  effective: grants.map(({ subjectKind, subject, origin }) => ({ kind: subjectKind, subject, origin })),
});

export const runView = (run: Run): z.infer<typeof shared.run> => ({
  run_id: run.id,
  kind: run.kind,
  state: run.state,
  progress: run.progress,
  result: run.result,
  error: run.error,
  actor: run.actor,
  created_at: run.createdAt.toISOString(),
  updated_at: run.updatedAt.toISOString(),
});

export const auditView = (entry: StoredAuditEntry): z.infer<typeof shared.auditEntry> => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  object_kind: entry.objectKind,
  object_id: entry.objectId,
  before: entry.before,
  after: entry.after,
  request_id: entry.requestId,
});
