// Loaded into the counted process (NODE_OPTIONS=--require). SIGUSR2 starts counting, and writes an empty object to the
// file that SVC_WORK_FILE names. The next SIGUSR2 writes how often each function was called and how many characters
// JSON.stringify made.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');

const file = process.env.SVC_WORK_FILE;
if (file) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { stringify } = JSON;
  const write = (value) => {
    writeFileSync(`${file}.part`, stringify(value));
    renameSync(`${file}.part`, file);
  };
  let counting = false;
  let characters = 0;
  JSON.stringify = (...given) => {
    const text = stringify(...given);
    characters += text?.length ?? 0;
    return text;
  };
  process.on('SIGUSR2', () => {
    counting = !counting;
    if (counting) {
      session.post('Profiler.takePreciseCoverage'); // starts again at zero
      characters = 0;
      write({});
      return;
    }
    const written = characters;
    session.post('Profiler.takePreciseCoverage', (_fault, { result }) => {
      const calls = result.flatMap(({ url, functions }) =>
        functions.map(({ functionName, ranges }) => ({ url, name: functionName, count: ranges[0].count })),
      );
      write({ characters: written, calls: calls.filter(({ count }) => count > 0) });
    });
  });
}
