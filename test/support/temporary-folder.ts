import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilFileEnds } from './until-file-ends.ts';

/** Creates a folder, which is removed when the test file ends. */
export async function temporaryFolder(within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, 'svc-test-'));
  untilFileEnds(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
