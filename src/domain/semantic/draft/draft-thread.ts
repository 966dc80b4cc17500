// The thread in which lenses are drafted (draft-apart.ts).
import { parentPort } from 'node:worker_threads';
import { lessUrgent } from '../../../platform/schedule/less-urgent.ts';
import type { DraftRequest } from './draft-apart.ts';
import { draftLens } from './draft-lens.ts';

lessUrgent();
parentPort!.on('message', (request: DraftRequest) => parentPort!.postMessage(draftLens(request)));
