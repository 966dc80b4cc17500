// Edits a file-based lens in the current files of the project.
import type { ReportProgress } from '../../lens/compile/checked-warehouse.ts';
import { Problem } from '../../platform/problem.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { Actor } from '../audit/audited.ts';
import { findLastDeployment } from '../project/deployment-repository.ts';
import { editProject } from '../project/edit-project.ts';
import { mergeFileVersions } from '../project/merge-edits.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import type { Files } from './lenses.ts';

/** The current files of a lens, including certified entries and evals. */
export const readDeployedLensFiles = async (db: TenantClient, name: string): Promise<Files> =>
  filesBelow(`lenses/${name}/`, (await findLastDeployment(db))?.files ?? {});

/** Merges a draft that was created at `createdAt` into the current files. Keeps other files. */
export async function publishToFiles(
  deps: ProjectDeps,
  actor: Actor,
  name: string,
  draft: { files: Files; createdAt: Date; message: string | null },
  report?: ReportProgress,
): Promise<{ warnings: string[] }> {
  const prefix = `lenses/${name}/`;
  const deployment = await deps.tenancy.inTenant(actor.orgId, (db) => findLastDeployment(db, draft.createdAt));
  const base = filesBelow(prefix, deployment?.files ?? {});
  return editProject(
    deps,
    actor,
    async (files) => {
      const currentFiles = filesBelow(prefix, files);
      const changedFiles: Record<string, string | null> = {};
      for (const [path, text] of Object.entries(draft.files)) {
        if (text === base[path]) continue;
        const fullPath = prefix + path;
        changedFiles[fullPath] = await mergeFile(
          actor.orgId,
          fullPath,
          base[path] ?? null,
          text,
          currentFiles[path] ?? null,
        );
      }
      return changedFiles;
    },
    { message: draft.message ?? `Publish a draft of lens ${name}`, report },
  );
}

async function mergeFile(
  orgId: string,
  path: string,
  base: string | null,
  text: string,
  currentText: string | null,
): Promise<string | null> {
  if (currentText === text) return text;
  const result = await mergeFileVersions(orgId, path, { base, edited: text, theirs: currentText });
  if ('text' in result) return result.text;
  throw new Problem(
    'conflict',
    `${path} was changed at line ${result.conflictLine} after this draft was created, and the draft changes the same place. Create a new draft.`,
  );
}

export const filesBelow = (prefix: string, files: Files): Files =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, text]) => [path.slice(prefix.length), text]),
  );
