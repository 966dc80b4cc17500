// Locates the files of a connection, which are in the project folder, its node_modules or SVC_HOME. svc refuses
// credential files, and its own data in SVC_HOME, because that data may belong to another organization.
import { realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { Problem } from '../../../platform/problem.ts';
import { isUpload, resolveUploadPath } from '../../../platform/uploads.ts';
import type { FileRoots } from '../../engine.ts';

export const findBuiltWarehousesFolder = (roots: FileRoots) => join(resolve(roots.home), 'warehouses');
const SVC_DATA_PATTERN = /^(postgres|credentials|secret|uploads|warehouses)/i;
const SECRET_FILE_PATTERN = /^(\.env.*|credentials\.json|.*secret.*|.*\.(key|pem))$/i;

/** `owner` consists of the organization and the connection name. */
export type FileRootsOfOwner = FileRoots & { owner: string };

/** Returns the real path of a file. Throws `invalid` for a forbidden path and `not_found` for a missing file. */
export async function locateFile(path: string, roots: FileRootsOfOwner): Promise<string> {
  if (isUpload(path)) return locateUpload(path, roots);
  const requestedPath = resolve(roots.projectFolder, path);
  const bounds = [roots.projectFolder, join(roots.projectFolder, 'node_modules'), roots.home];
  const realPath = await findRealPath(requestedPath);
  const realBounds = (await Promise.all(bounds.map(findRealPath))).map(
    (bound, index) => bound ?? resolve(bounds[index]!),
  );
  const effectivePath = realPath ?? requestedPath;
  const isInside = (bound: string) => effectivePath.startsWith(bound.endsWith(sep) ? bound : bound + sep);
  const homeFolder = (await findRealPath(roots.home)) ?? resolve(roots.home);
  const isSvcData = isInside(homeFolder) ? SVC_DATA_PATTERN.test(effectivePath.slice(homeFolder.length + 1)) : false;
  if (![...realBounds, ...(realPath ? [] : bounds.map((bound) => resolve(bound)))].some(isInside))
    throw new Problem(
      'invalid',
      `The file "${path}" is outside the project folder. Move the file into the folder, and name it by its relative path.`,
    );
  const builtFolder = (await findRealPath(findBuiltWarehousesFolder(roots))) ?? findBuiltWarehousesFolder(roots);
  if (isSvcData || isInside(builtFolder) || SECRET_FILE_PATTERN.test(basename(effectivePath)))
    throw new Problem(
      'invalid',
      `The file "${path}" can't be used as warehouse data, because svc reserves its name or folder for secrets and for svc's own data. Move the data to another file.`,
    );
  const fileStat = realPath ? await stat(realPath) : null;
  if (fileStat?.isDirectory()) throw new Problem('invalid', `"${path}" is a folder. Name a file in this folder.`);
  if (!realPath || !fileStat?.isFile())
    throw new Problem(
      'not_found',
      `The file "${path}" does not exist. Put it there, or correct its path in the connection.`,
    );
  return realPath;
}

/**
 * Returns the path of an uploaded file. A reference to an upload doesn't name an organization, so it can't lead to
 * another organization's uploads.
 */
async function locateUpload(path: string, { home, owner }: FileRootsOfOwner): Promise<string> {
  const uploadPath = resolveUploadPath(home, owner.split('/')[0]!, path);
  const realUploadPath = uploadPath ? await findRealPath(uploadPath) : undefined;
  if (realUploadPath) return realUploadPath;
  throw new Problem('not_found', `The file "${path}" does not exist. Upload it again, and change the connection.`);
}

async function findRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

export async function readFileStamp(realPath: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(realPath);
  return `${size}:${mtimeMs}:${ino}`;
}
