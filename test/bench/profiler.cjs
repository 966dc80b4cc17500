// Loaded into the measured process (NODE_OPTIONS=--require): SIGUSR2 starts a CPU profile, the next one writes it with the
// processor time in between to the file that SVC_BENCH_PROFILE names.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');

const file = process.env.SVC_BENCH_PROFILE;
const session = new Session();
let since = null;
if (file) {
  session.connect();
  process.on('SIGUSR2', () => {
    if (since === null) {
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 100 });
      session.post('Profiler.start');
      since = process.cpuUsage();
      return;
    }
    const { user, system } = process.cpuUsage(since);
    since = null;
    session.post('Profiler.stop', (_fault, { profile }) => {
      writeFileSync(`${file}.part`, JSON.stringify({ cpuMicros: user + system, profile }));
      renameSync(`${file}.part`, file);
    });
  });
}
