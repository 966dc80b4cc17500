// Starts the server of an engine as a process. It prints its port first and ends with the test file.
import { spawn } from 'node:child_process';
import { untilFileEnds } from '../support/until-file-ends.ts';

/** Starts a server process. Set ENGINE_FAULTS to show the errors of the server. */
export async function startServer(
  [command, ...args]: readonly [string, ...string[]],
  { input = '', signal = 'SIGTERM' as NodeJS.Signals } = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = untilFileEnds(() => {
    child.kill(signal);
    return exit;
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (process.env['ENGINE_FAULTS']) process.stderr.write(chunk);
  });
  child.stdin.on('error', () => undefined).end(input);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(Number(line)));
    child.once('exit', () => reject(new Error(`The server did not start: ${output.slice(-2_000)}`)));
  });
  return { port, stop };
}
