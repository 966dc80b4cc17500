// Loaded into a server (NODE_OPTIONS=--require). SIGUSR2 calls a new function 1,000 times, and writes whether V8 has
// optimized it to the file that SVC_PROBE_FILE names.
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');

const file = process.env.SVC_PROBE_FILE;
const OPTIMIZED = 16; // a bit of V8's optimization status
const ATTEMPTS = 100;

process.on('SIGUSR2', () => {
  setFlagsFromString('--allow-natives-syntax');
  const compute = new Function('a', 'b', 'return a.x * b + (a.y - b) * a.x + (a.x + a.y + b) * (b - a.y) - a.x * a.y;');
  const callOften = new Function('f', 'for (let i = 0; i < 1000; i++) f({ x: i, y: i + 1 }, i + 2);');
  const isOptimized = new Function('f', `return (%GetOptimizationStatus(f) & ${OPTIMIZED}) !== 0;`);
  new Function('f', '%NeverOptimizeFunction(f);')(callOften);
  callOften(compute);
  // V8 compiles on another thread, and the next call uses the compiled code.
  const check = (attempt) => {
    compute({ x: 1, y: 2 }, 3);
    if (!isOptimized(compute) && attempt < ATTEMPTS) return void setTimeout(check, 20, attempt + 1);
    writeFileSync(`${file}.part`, JSON.stringify(isOptimized(compute)));
    renameSync(`${file}.part`, file);
  };
  check(0);
});
