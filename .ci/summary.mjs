// Prints the end of a run: what failed, what was flaky or skipped, and the closing line. Exits with 1 if the run failed.
// Usage: node .ci/summary.mjs FOLDER [FAILED PART ...]. FOLDER contains test.json, processes.json and alone.json of
// vitest, web.json of Playwright if it ran, and left-out, which has a line for each part whose prerequisite was missing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_FLAKY = 3;
const [folder, ...parts] = process.argv.slice(2);
const read = (name) => {
  const path = join(folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
};

const found = { passed: 0, failed: [], flaky: [], skipped: [] };
const suites = {
  'npm test': read('test.json'),
  'npm run test:processes': read('processes.json'),
  'npm run test:alone': read('alone.json'),
};
for (const [part, report] of Object.entries(suites)) {
  if (!report && !parts.some((one) => one.startsWith(part))) parts.push(`${part} (no report)`);
  for (const { name, status, message, assertionResults } of report?.testResults ?? []) {
    const file = name.split('/').slice(-3).join('/');
    if (status === 'failed' && assertionResults.length === 0) found.failed.push(`${file}: ${message}`);
    for (const test of assertionResults) {
      const messages = (test.failureMessages ?? []).join('\n').slice(0, 1500);
      if (test.status === 'passed') found.passed++;
      if (test.status === 'failed') found.failed.push(`${file}: ${test.fullName}\n${messages}`);
      else if (test.status !== 'passed') found.skipped.push(test.fullName);
      else if (messages !== '') found.flaky.push(`${file}: ${test.fullName}\n${messages}`);
    }
  }
}
const web = read('web.json');
const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
for (const spec of (web?.suites ?? []).flatMap(specs))
  if (spec.tests.some(({ status }) => status === 'flaky')) found.flaky.push(`${spec.file}: ${spec.title}`);

const leftOut = existsSync(join(folder, 'left-out'))
  ? readFileSync(join(folder, 'left-out'), 'utf8').trim().split('\n')
  : [];

// A part whose failed tests are counted isn't counted itself.
const counted = (part) => part in suites && found.failed.length > 0;
const failed = [...found.failed, ...parts.filter((part) => !counted(part))];
if (found.flaky.length > MAX_FLAKY) failed.push(`${found.flaky.length} tests are flaky, but at most ${MAX_FLAKY} can be`);

for (const one of found.skipped) console.log(`skipped: ${one}`);
for (const one of leftOut) console.log(`left out: ${one}`);
for (const one of found.flaky) console.log(`flaky, passed only at the second attempt: ${one}`);
for (const one of failed) console.log(`failed: ${one}`);
const otherCounts = { skipped: found.skipped.length, flaky: found.flaky.length, 'left out': leftOut.length };
const rest = Object.entries(otherCounts).flatMap(([what, count]) => (count > 0 ? [`, ${count} ${what}`] : []));
console.log(`${found.passed} passed, ${failed.length} failed${rest.join('')}`);
process.exit(failed.length > 0 ? 1 : 0);
