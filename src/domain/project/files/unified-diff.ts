// Writes changes to files as a diff that `git apply` accepts.
import { diffTexts } from './read-files.ts';

/** Null means that the file doesn't exist. Paths in the diff start with `prefix`. */
export async function writeUnifiedDiff(
  orgId: string,
  filesBefore: Record<string, string>,
  filesAfter: Record<string, string | null>,
  prefix: string,
): Promise<string> {
  let diff = '';
  for (const [path, text] of Object.entries(filesAfter)) {
    if ((filesBefore[path] ?? null) === text) continue;
    const fromHeader = Object.hasOwn(filesBefore, path) ? `a/${prefix}${path}` : '/dev/null';
    const patch = await diffTexts(orgId, {
      from: { path: fromHeader, text: filesBefore[path] ?? '', header: '' },
      to: { path: text === null ? '/dev/null' : `b/${prefix}${path}`, text: text ?? '', header: '' },
    });
    diff += patch.replace(/^=+\n/, '');
  }
  return diff;
}
