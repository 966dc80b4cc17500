// The folder where `npm run engines` installs the engines. None of them is a dependency of svc.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ENGINES_FOLDER = process.env['SVC_ENGINES'] ?? join(tmpdir(), 'svc-engines');
export const isThere = (path: string): boolean => existsSync(join(ENGINES_FOLDER, path));
