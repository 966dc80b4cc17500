// An API grant needs an existing caller, but a file can name a caller that doesn't exist yet.
import { createUnknownNameMessage, findClosestNames } from '../../platform/closest-names.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { findSetting } from '../cockpit/settings.ts';

const SELECT_CALLERS = 'select name from svc.callers';

/** Returns a message for each name without a caller, in the given order. */
export async function findUnknownCallers(db: TenantClient, names: string[]): Promise<Map<string, string>> {
  const { absentNames, allNames } = await findMissingNames(db, names, SELECT_CALLERS);
  return new Map(absentNames.map((name) => [name, createUnknownNameMessage('caller', name, allNames)]));
}

/** A grant in a file applies once its caller exists, but the name may be a typo. */
export async function findCallerWarnings(
  db: TenantClient,
  grants: readonly { lens: string; subjectKind: 'caller' | 'group'; subject: string }[],
): Promise<string[]> {
  const callerGrants = grants.filter(({ subjectKind }) => subjectKind === 'caller');
  const { absentNames, allNames } = await findMissingNames(
    db,
    [...new Set(callerGrants.map(({ subject }) => subject))],
    SELECT_CALLERS,
  );
  return absentNames.map((name) => {
    const lenses = callerGrants.filter(({ subject }) => subject === name).map(({ lens }) => lens);
    return `A grant gives caller "${name}" access to ${lenses.join(', ')}, but no caller has this name yet.${suggestName(name, allNames)}`;
  });
}

/** Ignores groups that a file declares, because these groups can be empty. */
export async function findEmptyGroups(db: TenantClient, groups: string[]): Promise<string[]> {
  const declaredGroups = Object.keys((await findSetting<object>(db, 'groups'))?.body ?? {});
  const otherGroups = groups.filter((group) => group !== 'demo' && !declaredGroups.includes(group));
  const { absentNames, allNames } = await findMissingNames(
    db,
    otherGroups,
    'select distinct unnest(groups) as name from svc.callers',
  );
  return absentNames.map(
    (group) =>
      `No caller is in the group "${group}" yet.${suggestName(group, [...new Set([...allNames, ...declaredGroups])])}`,
  );
}

async function findMissingNames(
  db: TenantClient,
  names: string[],
  sourceSql: string,
): Promise<{ absentNames: string[]; allNames: string[] }> {
  if (names.length === 0) return { absentNames: [], allNames: [] };
  const existingRows = await db.rows<{ name: string }>(`select name from (${sourceSql}) known where name = any($1)`, [
    names,
  ]);
  const absentNames = names.filter((name) => !existingRows.some((row) => row.name === name));
  const allRows = absentNames.length > 0 ? await db.rows<{ name: string }>(`${sourceSql} order by 1 limit 10000`) : [];
  return { absentNames, allNames: allRows.map(({ name }) => name) };
}

function suggestName(name: string, knownNames: string[]): string {
  const similarNames = findClosestNames(name, knownNames);
  return similarNames.length > 0 ? ` Did you mean ${similarNames.join(' or ')}?` : '';
}
