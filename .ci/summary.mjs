// The end of a run: what failed, what was flaky or skipped, and the closing line. Exits with 1 where the run failed.
// node .ci/summary.mjs FOLDER [FAILED PART ...]: test.json and alone.json of vitest, web.json of Playwright where it ran, and left-out:
// a line for each part that a prerequisite was missing for.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_FLAKY = 3;
const [folder, ...parts] = process.argv.slice(2);
const read = (name) => {
  const path = join(folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
};

const found = { passed: 0, failed: [], flaky: [], skipped: [] };
const suites = { 'npm test': read('test.json'), 'npm run test:alone': read('alone.json') };
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

// A part whose tests are counted one by one is not counted beside them.
const counted = (part) => part in suites && found.failed.length > 0;
const failed = [...found.failed, ...parts.filter((part) => !counted(part))];
if (found.flaky.length > MOST_FLAKY) failed.push(`${found.flaky.length} tests are flaky; ${MOST_FLAKY} may be`);

for (const one of found.skipped) console.log(`skipped: ${one}`);
for (const one of leftOut) console.log(`left out: ${one}`);
for (const one of found.flaky) console.log(`flaky, passed only at the second attempt: ${one}`);
for (const one of failed) console.log(`failed: ${one}`);
const beside = { skipped: found.skipped.length, flaky: found.flaky.length, 'left out': leftOut.length };
const rest = Object.entries(beside).flatMap(([what, count]) => (count > 0 ? [`, ${count} ${what}`] : []));
console.log(`${found.passed} passed, ${failed.length} failed${rest.join('')}`);
process.exit(failed.length > 0 ? 1 : 0);
