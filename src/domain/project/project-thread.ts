// The thread in which large project files are read (read-files.ts).
import { parentPort } from 'node:worker_threads';
import type { ProjectFileKind } from '../../contract/project-files.ts';
import { type ParsedYaml, parseYaml } from '../../lens/yaml-file.ts';
import { lessUrgent } from '../../platform/less-urgent.ts';
import { withoutSecrets } from './keep-secrets.ts';
import { editYaml, type YamlEdit } from './rewrite-yaml.ts';

export type ThreadRequest =
  | { work: 'parse'; kind: ProjectFileKind; path: string; text: string }
  | { work: 'hide'; text: string }
  | { work: 'edit'; text: string; edit: YamlEdit };
export type ThreadReply =
  | { parsed: Omit<ParsedYaml, 'value'>; value: string }
  | { text: string }
  | { edited: string | null | undefined }
  | { failed: true };

function answer(request: ThreadRequest): ThreadReply {
  try {
    if (request.work === 'edit') return { edited: editYaml(request.text, request.edit) };
    if (request.work === 'hide') return { text: withoutSecrets(request.text) };
    const { value, ...parsed } = parseYaml(request.kind, request.path, request.text);
    return { parsed, value: JSON.stringify(value) }; // JSON is read in a tenth of the time that a clone takes
  } catch {
    return { failed: true }; // nested too deep for any stack
  }
}

lessUrgent();
parentPort!.on('message', (request: ThreadRequest) => parentPort!.postMessage(answer(request)));
