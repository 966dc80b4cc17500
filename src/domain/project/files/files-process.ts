import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { runFileTaskInline, type TaskName } from './file-tasks.ts';

serveWorker(async ({ name, args }: { name: TaskName; args: unknown[] }) => ({ done: runFileTaskInline(name, args) }));
