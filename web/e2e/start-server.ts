// Starts the server with `npm start` in an empty home, on its own port, and reads the sign-in link that it prints.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 300_000;

export default async function startServer(): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'svc-web-'));
  process.env['SVC_WEB_TEST_HOME'] = home;
  process.env['SVC_WEB_TEST_LINK'] = await startProcess();
  return async () => {
    await stopProcess();
    await rm(home, { recursive: true, force: true });
  };
}

/** A test may restart the server, so a file in the home folder has the process id. */
const findPidFile = () => join(process.env['SVC_WEB_TEST_HOME']!, 'test.pid');

export async function startProcess(): Promise<string> {
  const child = spawn(process.execPath, ['src/svc.cjs', 'start'], {
    cwd: PROJECT_FOLDER,
    env: {
      ...process.env,
      SVC_HOME: process.env['SVC_WEB_TEST_HOME']!,
      SVC_PORT: process.env['SVC_WEB_TEST_PORT']!,
      SVC_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const link = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`svc did not start:\n${said}`)), START_MS);
    child.once('exit', (code) => reject(new Error(`svc left with ${code}:\n${said}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /^ {2}(http\S+\/app\/enter#\S+)$/m.exec(said)?.[1];
      if (!found || !said.includes('Credentials:')) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  await writeFile(findPidFile(), String(child.pid));
  return link;
}

export async function stopProcess(): Promise<void> {
  const pid = Number(await readFile(findPidFile(), 'utf8'));
  process.kill(pid, 'SIGTERM');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
