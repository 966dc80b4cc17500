// Converts stored objects to the shape of the API.

import type { z } from 'zod';
import type * as identity from '../../contract/mgmt/identity.ts';
import type * as shared from '../../contract/mgmt/shared.ts';
import type { getCaller, listCallerGrants } from '../../domain/identity/callers.ts';
import type { listKeys, MintedCredential } from '../../domain/identity/credentials.ts';
import type { Runs } from '../../domain/runs/runs.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import type { ResultOf } from '../http/operation.ts';

type Credential = ResultOf<typeof listKeys>[number];
type Grants = ResultOf<typeof listCallerGrants>;

export const callerView = (caller: ResultOf<typeof getCaller>): z.infer<typeof identity.caller> => ({
  ...wireOf(caller),
  disabled: caller.disabledAt !== null,
});

export const keyView = ({ id, ...key }: Credential): z.infer<typeof identity.key> => ({ key_id: id, ...wireOf(key) });
export const mintedKeyView = ({ token, ...key }: MintedCredential): z.infer<typeof identity.mintedKey> => ({
  ...keyView(key),
  key: token,
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

export const runView = ({ id, ...run }: ResultOf<Runs['get']>): z.infer<typeof shared.run> => ({
  run_id: id,
  ...wireOf(run),
});
