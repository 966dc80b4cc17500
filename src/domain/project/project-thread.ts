// The thread in which large project files are read (read-files.ts).
import { parentPort } from 'node:worker_threads';
import type { ProjectFileKind } from '../../contract/project-files.ts';
import { type ParsedYaml, parseYaml } from '../../lens/yaml-file.ts';
import { lessUrgent } from '../../platform/less-urgent.ts';
import { withoutSecrets } from './keep-secrets.ts';

export type ThreadRequest =
  | { work: 'parse'; kind: ProjectFileKind; path: string; text: string }
  | { work: 'hide'; text: string };
export type ThreadReply = { parsed: Omit<ParsedYaml, 'value'>; value: string } | { text: string } | { failed: true };

function answer(request: ThreadRequest): ThreadReply {
  try {
    if (request.work === 'hide') return { text: withoutSecrets(request.text) };
    const { value, ...parsed } = parseYaml(request.kind, request.path, request.text);
    return { parsed, value: JSON.stringify(value) }; // JSON is read in a tenth of the time that a clone takes
  } catch {
    return { failed: true }; // nested too deep for any stack
  }
}

lessUrgent();
parentPort!.on('message', (request: ThreadRequest) => parentPort!.postMessage(answer(request)));
