// Editing a shared definition republishes the lenses that use it, or changes nothing if a lens would have problems.
import { parse, stringify } from 'yaml';
import { type DefinitionFile, definitionFileSchema } from '../../contract/files/lens-file.ts';
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import { requireValidDraft, type ValidDraft } from '../lenses/check-draft.ts';
import { publishVersion } from '../lenses/lens-draft-repository.ts';
import { getVersion } from '../lenses/lens-versions.ts';
import { requireLensToChange } from '../lenses/lenses.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { writeUnifiedDiff } from '../project/files/read-files.ts';
import { updateSemanticRow } from '../semantic/semantic-objects.ts';
import { listAllSemanticObjects, readLiveLensFiles } from '../semantic/semantic-repository.ts';
import { changeDefinitions, findChangedTerm } from './change-files.ts';

export interface ApiDefinitionEdit {
  id: string;
  revision: string;
  body: DefinitionFile;
  diff: string;
  /** All shared definitions after the change, as YAML. */
  allDefinitions: string;
  lenses: string[];
}

/** Null if the change isn't about a term created through the API. */
export async function editApiDefinition(
  deps: { tenancy: Tenancy },
  orgId: string,
  change: PatchChange,
): Promise<ApiDefinitionEdit | null> {
  const { rows, served } = await deps.tenancy.inTenant(orgId, async (db) => ({
    rows: (await listAllSemanticObjects(db)).filter(({ kind }) => kind === 'definition'),
    served: await readLiveLensFiles(db),
  }));
  const term = findChangedTerm(change)?.toLowerCase();
  for (const row of rows.filter(({ origin, name }) => origin === 'api' && name.toLowerCase() === term)) {
    const { name } = row;
    const previousText = stringify([row.body], { lineWidth: 0 });
    const changedText = changeDefinitions(previousText, change);
    if (changedText === null) continue;
    const body = definitionFileSchema.parse((parse(changedText) as unknown[])[0]);
    return {
      id: row.id,
      revision: String(row.updatedAt.getTime()),
      body,
      diff: await writeUnifiedDiff(orgId, { [name]: previousText }, { [name]: changedText }, 'shared definition '),
      // JSON is valid YAML, and writing it takes a hundredth of the time.
      allDefinitions: JSON.stringify(rows.map((item) => (item === row ? body : item.body))),
      lenses: served.filter((lens) => lens.origin === 'api' && lens.terms.includes(name)).map((lens) => lens.name),
    };
  }
  return null;
}

export async function publishApiDefinition(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory },
  actor: Actor,
  { id, revision, body, allDefinitions, lenses }: ApiDefinitionEdit,
): Promise<string> {
  const drafts: { name: string; version: number; files: Record<string, string>; checkedDraft: ValidDraft }[] = [];
  for (const name of lenses) {
    const { version, files } = await getVersion(deps, actor.orgId, name, null);
    const refusal = `The definition was not changed, because lens ${name} would have problems`;
    const checkedDraft = await requireValidDraft(deps, actor.orgId, name, files, {
      sharedDefinitions: allDefinitions,
      refusal,
    });
    if (!checkedDraft.lens.definitions.some(({ term }) => term === body.term))
      throw new Problem(
        'invalid',
        `The definition was not changed, because lens ${name} does not have the metric, field or filter of the definition. Draft a patch that fits ${lenses.join(', ')}.`,
        { param: 'change' },
      );
    drafts.push({ name, version, files, checkedDraft });
  }
  const publishedLenses = await deps.tenancy.inTenant(actor.orgId, async (db) => {
    await recordAudit(db, actor, await updateSemanticRow(db, 'definition', { id, ifMatch: revision }, body));
    const results: string[] = [];
    for (const { name, version, files, checkedDraft } of drafts) {
      const lens = await requireLensToChange(db, name);
      if (lens.activeVersion !== version)
        throw new Problem(
          'conflict',
          `Nothing changed, because lens ${name} was published during the check. Check the preview and approve the patch again.`,
        );
      const nextVersion = await publishVersion(db, lens, { ...checkedDraft, files, actor: actor.name });
      const [before, after] = [{ version }, { version: nextVersion, restored: version }];
      await recordAudit(db, actor, { action: 'lens.restore', objectId: name, before, after });
      results.push(`${name} as version ${nextVersion}`);
    }
    return results;
  });
  return `The shared definition was changed.${publishedLenses.length > 0 ? ` Published with it: ${publishedLenses.join(', ')}.` : ''}`;
}
