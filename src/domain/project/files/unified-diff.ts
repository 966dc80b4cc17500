// Writes changes of files as a diff for git apply.
import { diffTexts } from './read-files.ts';

/** Null means that the file doesn't exist. Paths in the diff start with `prefix`. */
export async function unifiedDiff(
  orgId: string,
  before: Record<string, string>,
  after: Record<string, string | null>,
  prefix: string,
): Promise<string> {
  let diff = '';
  for (const [path, text] of Object.entries(after)) {
    if ((before[path] ?? null) === text) continue;
    const from = Object.hasOwn(before, path) ? `a/${prefix}${path}` : '/dev/null';
    const patch = await diffTexts(orgId, {
      from: { path: from, text: before[path] ?? '', header: '' },
      to: { path: text === null ? '/dev/null' : `b/${prefix}${path}`, text: text ?? '', header: '' },
    });
    diff += patch.replace(/^=+\n/, '');
  }
  return diff;
}
