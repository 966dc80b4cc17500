// The process that reads, edits, compares and merges large project files (read-files.ts).
import type { ProjectFileKind } from '../../../contract/files/project-files.ts';
import { type ParsedYaml, parseYaml } from '../../../lens/files/yaml-file.ts';
import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { type MergedLines, mergeLines, patchOf, sameLines, type TextPair } from './compare-lines.ts';
import { editYaml, type YamlEdit } from './rewrite-yaml.ts';
import { withoutSecrets } from './without-secrets.ts';

export type FilesRequest =
  | { work: 'parse'; kind: ProjectFileKind; path: string; text: string }
  | { work: 'hide'; text: string }
  | { work: 'edit'; text: string; edit: YamlEdit }
  | { work: 'diff'; pair: TextPair }
  | { work: 'merge'; base: string; edited: string; theirs: string }
  | { work: 'lines'; text: string; other: string; wanted: readonly number[] };
export type FilesReply =
  | { parsed: Omit<ParsedYaml, 'value'>; value: string }
  | { text: string }
  | { edited: string | null | undefined }
  | { patch: string }
  | { merged: MergedLines }
  | { lines: number[] };

serveWorker(async (request: FilesRequest): Promise<FilesReply> => {
  if (request.work === 'edit') return { edited: editYaml(request.text, request.edit) };
  if (request.work === 'diff') return { patch: patchOf(request.pair) };
  if (request.work === 'merge') return { merged: mergeLines(request.base, request.edited, request.theirs) };
  if (request.work === 'lines') return { lines: sameLines(request.text, request.other, request.wanted) };
  if (request.work === 'hide') return { text: withoutSecrets(request.text) };
  const { value, ...parsed } = parseYaml(request.kind, request.path, request.text);
  return { parsed, value: JSON.stringify(value) }; // parsing JSON takes a tenth of the time of a structured clone
});
