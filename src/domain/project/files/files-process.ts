// The process that reads, edits, compares and merges large project files (in-files-process.ts).
import { parseYaml } from '../../../lens/files/yaml-file.ts';
import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { changeDefinitions, changeFiles } from '../../patches/change-files.ts';
import { createPatch, mapSameLines, mergeLines } from './compare-lines.ts';
import { editYaml } from './rewrite-yaml.ts';
import { withoutSecrets } from './without-secrets.ts';

const TASKS = {
  parse: (...args: Parameters<typeof parseYaml>) => {
    const { value, ...parsed } = parseYaml(...args);
    // sends JSON, because parsing JSON takes a tenth of the time of a structured clone
    return { parsed, value: JSON.stringify(value) };
  },
  hide: withoutSecrets,
  edit: editYaml,
  diff: createPatch,
  merge: mergeLines,
  lines: mapSameLines,
  changeFiles,
  changeDefinitions,
};
export type FileTasks = typeof TASKS;

serveWorker(async ({ name, given: args }: { name: keyof FileTasks; given: unknown[] }) => ({
  done: (TASKS[name] as (...args: unknown[]) => unknown)(...args),
}));
