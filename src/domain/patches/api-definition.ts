// A term that was defined by API for all lenses made by API: it is changed where it is kept, and the lenses that took it
// up are published anew, so that the change is served. Nothing changes where one of them would not hold.
import { parse, stringify } from 'yaml';
import { type DefinitionFile, definitionFile } from '../../contract/lens-file.ts';
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import type { Actor } from '../audit/audited.ts';
import { checkDraft } from '../lenses/check-draft.ts';
import { getVersion, restoreVersion } from '../lenses/lens-versions.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { RefusedProject } from '../project/apply-project.ts';
import { changeSemantic } from '../semantic/semantic-objects.ts';
import { allSemantic, lensFilesInService } from '../semantic/semantic-repository.ts';
import { changedDefinitions, unifiedDiff } from './change-files.ts';

export interface ApiDefinitionEdit {
  id: string;
  revision: string;
  body: DefinitionFile;
  diff: string;
  /** Every shared definition, this one as it would be. */
  all: string;
  /** Lenses made by API that take the term. */
  lenses: string[];
}

/** Null when the change is about no term that was made by API. */
export async function editApiDefinition(
  deps: { tenancy: Tenancy },
  orgId: string,
  change: PatchChange,
): Promise<ApiDefinitionEdit | null> {
  const { rows, served } = await deps.tenancy.inTenant(orgId, async (db) => ({
    rows: (await allSemantic(db)).filter(({ kind }) => kind === 'definition'),
    served: await lensFilesInService(db),
  }));
  for (const row of rows.filter(({ origin }) => origin === 'api')) {
    const before = textOf(row.body);
    const after = changedDefinitions(before, change);
    if (after === null) continue;
    const body = definitionFile.parse((parse(after) as unknown[])[0]);
    return {
      id: row.id,
      revision: String(row.updatedAt.getTime()),
      body,
      diff: unifiedDiff({ [row.name]: before }, { [row.name]: after }, 'shared definition '),
      all: stringify(rows.map((one) => (one === row ? body : one.body))),
      lenses: served
        .filter(({ origin, terms }) => origin === 'api' && terms.includes(row.name))
        .map(({ name }) => name),
    };
  }
  return null;
}

export async function takeApiDefinition(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory },
  actor: Actor,
  { id, revision, body, all, lenses }: ApiDefinitionEdit,
): Promise<string> {
  const versions = await Promise.all(lenses.map((lens) => getVersion(deps, actor.orgId, lens, null)));
  for (const [at, { files }] of versions.entries()) {
    const { lens, problems, warnings } = await checkDraft(deps, actor.orgId, lenses[at]!, files, all);
    if (!lens) throw new RefusedProject(problems, warnings, `The definition was not changed, for lens ${lenses[at]}`);
    if (!lens.definitions.some(({ term }) => term === body.term))
      throw new Problem(
        'invalid',
        `The definition was not changed: as it would be, lens ${lenses[at]} could not take it, since its metric, field or filter is none of that lens. Draft a patch that fits ${lenses.join(', ')}.`,
        { param: 'change' },
      );
  }
  await changeSemantic(deps, actor, 'definition', id, body, revision);
  const published: string[] = [];
  for (const [at, { version }] of versions.entries()) {
    const anew = await restoreVersion(deps, actor, lenses[at]!, version);
    published.push(`${lenses[at]} as version ${anew.version}`);
  }
  return `The shared definition was changed.${published.length > 0 ? ` Published with it: ${published.join(', ')}.` : ''}`;
}

const textOf = (body: object): string => stringify([body], { lineWidth: 0 });
