// Stored objects in the shape of the API.
import type { z } from 'zod';
import type * as identity from '../../contract/mgmt/identity.ts';
import type * as shared from '../../contract/mgmt/shared.ts';
import type { readAudit } from '../../domain/audit/audited.ts';
import type { callerGrants } from '../../domain/identity/caller-grants.ts';
import type { getCaller } from '../../domain/identity/callers.ts';
import type { listKeys, MintedCredential } from '../../domain/identity/credentials.ts';
import type { Runs } from '../../domain/runs/runs.ts';
import type { Made } from '../http/operation.ts';

type Credential = Made<typeof listKeys>[number];
type Grants = Made<typeof callerGrants>;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const callerView = (caller: Made<typeof getCaller>): z.infer<typeof identity.caller> => ({
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
export const mintedKeyView = ({ token, ...key }: MintedCredential): z.infer<typeof identity.mintedKey> => ({
  ...keyView(key),
  key: token,
});
export const tokenView = (credential: Credential): z.infer<typeof identity.token> => ({
  id: credential.id,
  ...credentialView(credential),
});

export function callerGrantsView(grants: Grants): z.infer<typeof identity.callerGrants> {
  const lenses = [...new Set(grants.map(({ lens }) => lens))].sort();
  return {
    lenses: grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens),
    effective: lenses.map((lens) => ({
      lens,
      origins: grants.filter((grant) => grant.lens === lens).map(({ origin, subject }) => ({ origin, subject })),
    })),
  };
}
export const lensGrantsView = (grants: Grants): z.infer<typeof identity.lensGrants> => ({
  callers: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'caller')
    .map(({ subject }) => subject),
  groups: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'group')
    .map(({ subject }) => subject),
  effective: grants.map(({ subjectKind, subject, origin }) => ({ kind: subjectKind, subject, origin })),
});

export const runView = (run: Made<Runs['get']>): z.infer<typeof shared.run> => ({
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

export const auditView = (entry: Made<typeof readAudit>[number]): z.infer<typeof shared.auditEntry> => ({
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
