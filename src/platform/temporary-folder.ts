// Only the user of the process can read the folder, because its files contain rows of warehouses. A killed process
// leaves its folder, so a later process removes it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from './is-process-alive.ts';

const FOLDER_NAME_PATTERN = /^svc-temporary-(\d+)-/;
let createdFolder: string | null = null;

/** Null if the system's temporary folder isn't writable. */
export function getTemporaryFolder(): string | null {
  try {
    createdFolder ??= createFolder();
  } catch {
    return null;
  }
  return createdFolder;
}

function createFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const owner = FOLDER_NAME_PATTERN.exec(name)?.[1];
    if (owner && !isProcessAlive(Number(owner))) removeFolder(join(tmpdir(), name));
  }
  const created = mkdtempSync(join(tmpdir(), `svc-temporary-${process.pid}-`));
  process.once('exit', () => removeFolder(created));
  return created;
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The folder belongs to another user, or another process is removing the file.
  }
}
