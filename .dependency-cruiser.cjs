/** The import rules of ARCHITECTURE.md. test/architecture.test.ts asserts that modules were really cruised. */
const only = (name, from, allowed, comment, files = '') => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^src/${from}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[from, ...allowed].join('|')})/${files}` },
});
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'types count too',
      from: {},
      to: { circular: true },
    },
    only('contract-imports-nothing', 'contract', [], 'wire shapes import zod only'),
    only('platform-knows-no-business', 'platform', ['contract'], 'platform has no business words'),
    only('dialects-know-no-law', 'dialects', ['contract', 'platform'], 'how an engine speaks, as data and trees'),
    only('lens-is-a-model', 'lens', ['contract', 'platform', 'guard', 'dialects'], 'the lens model knows no HTTP, no tenant'),
    only('guard-is-pure', 'guard', ['contract', 'platform', 'dialects'], 'the guard knows statements and scopes only'),
    only('planner-is-pure', 'planner', ['contract', 'platform', 'lens'], 'question -> intent, nothing else'),
    only('words-know-no-question', 'planner/words', ['contract', 'platform', 'lens'], 'what words mean, and what the lens calls things'),
    only('grammar-binds-nothing', 'planner/grammar', ['contract', 'platform', 'lens', 'planner/words'], 'a question to a draft'),
    only('assembly-reads-no-words', 'planner/assembly', ['contract', 'platform', 'lens', 'planner/words', 'planner/grammar'], 'a draft to an intent'),
    only('domain-knows-no-door', 'domain', ['contract', 'platform', 'lens', 'guard', 'dialects', 'planner'], 'operations and repositories'),
    only('ask-is-the-heart', 'ask', ['contract', 'platform', 'dialects', 'lens', 'guard', 'planner', 'domain'], 'no HTTP, no adapters'),
    only('adapters-implement-ports', 'adapters', ['contract', 'platform', 'lens', 'guard', 'dialects', 'domain'], 'only app.ts wires adapters'),
    // deps.ts is the type of what app.ts hands them.
    only('surfaces-call-operations', 'surfaces', ['contract', 'platform', 'lens', 'guard', 'planner', 'domain', 'ask'], 'surfaces never see adapters', '|^src/(deps|config)\\.ts$'),
    {
      name: 'the-app-is-a-client',
      severity: 'error',
      comment: 'it knows the server by its OpenAPI document only',
      from: { path: '^web/' },
      to: { path: '^src/' },
    },
    {
      name: 'the-server-knows-no-app',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'shared-parts-know-no-page',
      severity: 'error',
      from: { path: '^web/src/(ui|api)/' },
      to: { path: '^web/src/(features|shell)/' },
    },
    {
      name: 'kit-serves-nobody',
      severity: 'error',
      comment: 'it makes statements that no guard has seen',
      from: { path: '^src/', pathNot: '^src/(adapters/plugin-kit/|cli/plugin-command\\.ts$)' },
      to: { path: '^src/adapters/plugin-kit/' },
    },
    {
      name: 'no-http-inside',
      severity: 'error',
      from: { path: '^src/(lens|guard|planner|domain|ask|platform|contract)/' },
      to: { path: 'node_modules/(fastify|@fastify|@modelcontextprotocol)/' },
    },
    {
      name: 'one-door-to-the-database',
      severity: 'error',
      comment: 'only platform and the Postgres warehouse talk pg',
      from: { path: '^src/', pathNot: '^src/(platform/|adapters/|main\\.ts)|\\.test\\.ts$' },
      to: { path: 'node_modules/pg/' },
    },
  ],
  options: { doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' } },
};
