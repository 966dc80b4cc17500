// svc introspect CONNECTION: a drafted lens, ready for the project folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { connect } from './client.ts';
import { Failure } from './failure.ts';

interface Run {
  state: 'running' | 'succeeded' | 'failed' | 'cancelled';
  progress: { step?: string; done?: number; total?: number };
  result: { lens: string; files: Record<string, string>; tables: number; left_out: string[] };
  error: { message: string } | null;
}
const POLL_MS = 200;

export async function introspectCommand(
  connection: string,
  options: { lens?: string; table?: string[]; out?: string; json?: boolean },
): Promise<void> {
  const client = await connect('admin');
  const { run_id } = await client.call<{ run_id: string }>('POST', '/mgmt/semantic/introspect/draft', {
    connection,
    name: options.lens,
    tables: options.table,
  });
  const { result } = await follow(() => client.call<Run>('GET', `/mgmt/runs/${run_id}`));
  if (options.json) return console.log(JSON.stringify(result, null, 2));
  const [[path, text] = ['', '']] = Object.entries(result.files);
  if (!options.out) return console.log(text);
  const target = resolve(options.out, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text, { flag: 'wx' }).catch((fault: NodeJS.ErrnoException) => {
    throw fault.code === 'EEXIST'
      ? new Failure(`${target} is there already. Move it away, or name another lens with --lens.`)
      : fault;
  });
  console.log(`Lens "${result.lens}" over ${result.tables} tables written to ${target}.`);
  for (const left of result.left_out) console.log(`Left out: ${left}`);
  console.log(`Read it through, then: svc apply ${options.out}`);
}

async function follow(read: () => Promise<Run>): Promise<Run> {
  for (;;) {
    const run = await read();
    const { step, done, total } = run.progress;
    if (process.stderr.isTTY) process.stderr.write(step ? `\r\u001b[K${step} ${done}/${total}` : '');
    if (run.state === 'running') {
      await new Promise((go) => setTimeout(go, POLL_MS));
      continue;
    }
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    if (run.state !== 'succeeded') throw new Failure(run.error?.message ?? 'The introspection did not finish.');
    return run;
  }
}
