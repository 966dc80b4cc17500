import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { runTask, type TaskName } from './file-tasks.ts';

serveWorker(async ({ name, args }: { name: TaskName; args: unknown[] }) => ({ done: runTask(name, args) }));
