// Checks the callers and groups in grants. An API grant needs an existing caller, but files can name a caller that
// doesn't exist yet. A group exists if the project declares it or if it has a caller.
import { nearestNames, unknownName } from '../../lens/files/project-problem.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { findSetting } from '../cockpit/settings-repository.ts';

const SELECT_CALLERS = 'select name from svc.callers';

/** Returns a message for each name without a caller, in the given order. */
export async function unknownCallers(db: TenantClient, names: string[]): Promise<Map<string, string>> {
  const { absent, all } = await missingNames(db, names, SELECT_CALLERS);
  return new Map(absent.map((name) => [name, unknownName('caller', name, all)]));
}

/**
 * Warns about grants in files to callers that don't exist. They apply once the caller exists, but may be typing errors.
 */
export async function unknownCallerWarnings(
  db: TenantClient,
  grants: readonly { lens: string; subjectKind: 'caller' | 'group'; subject: string }[],
): Promise<string[]> {
  const granted = grants.filter(({ subjectKind }) => subjectKind === 'caller');
  const { absent, all } = await missingNames(db, [...new Set(granted.map(({ subject }) => subject))], SELECT_CALLERS);
  return absent.map((name) => {
    const lenses = granted.filter(({ subject }) => subject === name).map(({ lens }) => lens);
    return `No caller is named "${name}" yet, but ${lenses.join(', ')} is granted to it.${didYouMean(name, all)}`;
  });
}

/** Returns a warning for each group that has no callers and that no file declares. */
export async function emptyGroups(db: TenantClient, groups: string[]): Promise<string[]> {
  const declared = Object.keys((await findSetting<object>(db, 'groups'))?.body ?? {});
  const further = groups.filter((group) => group !== 'demo' && !declared.includes(group));
  const { absent, all } = await missingNames(db, further, 'select distinct unnest(groups) as name from svc.callers');
  return absent.map(
    (group) => `No caller is in the group "${group}" yet.${didYouMean(group, [...new Set([...all, ...declared])])}`,
  );
}

async function missingNames(
  db: TenantClient,
  names: string[],
  from: string,
): Promise<{ absent: string[]; all: string[] }> {
  if (names.length === 0) return { absent: [], all: [] };
  const here = await db.rows<{ name: string }>(`select name from (${from}) known where name = any($1)`, [names]);
  const absent = names.filter((name) => !here.some((row) => row.name === name));
  const all = absent.length > 0 ? await db.rows<{ name: string }>(`${from} order by 1 limit 10000`) : [];
  return { absent, all: all.map(({ name }) => name) };
}

function didYouMean(name: string, knownNames: string[]): string {
  const similarNames = nearestNames(name, knownNames);
  return similarNames.length > 0 ? ` Did you mean ${similarNames.join(' or ')}?` : '';
}
