/** The import rules of ARCHITECTURE.md. */
const only = (name, from, allowed, comment, files = '') => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^src/${from}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[from, ...allowed].join('|')})/${files}` },
});
/** What the engines of svc are called and can do. */
const TABLE = '|^src/engines/(engines|engine)\\.ts$';
const never = (name, from, to, comment, but) => ({
  name,
  severity: 'error',
  comment,
  from: but === undefined ? { path: from } : { path: from, pathNot: but },
  to: { path: to },
});
module.exports = {
  forbidden: [
    // An engine is loaded when it is used: an import() in its engine.ts closes no cycle.
    { name: 'no-circular', severity: 'error', comment: 'types count too', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } } },
    {
      name: 'the-table-of-engines-is-light',
      severity: 'error',
      comment: 'every process loads it: an engine loads its dialect and its client in an import()',
      from: { path: '^src/engines/([^/]+|[^/]+/engine)\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/|node_modules', pathNot: '^src/(contract/|engines/([^/]+|[^/]+/engine)\\.ts$)|node_modules/(zod|ipaddr)', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    only('contract-imports-nothing', 'contract', [], 'wire shapes import zod only, and the table of engines', TABLE),
    only('platform-knows-no-business', 'platform', ['contract'], 'platform has no business words'),
    only('dialects-know-no-law', 'dialects', ['contract', 'platform'], 'what all engines share: trees, and how they are read and written', TABLE),
    only('an-engines-sql-knows-no-law', 'engines/[^/]+/dialect', ['contract', 'platform', 'dialects'], 'how an engine speaks, as data and trees'),
    only('an-engines-adapter-implements-ports', 'engines/[^/]+/warehouse', ['contract', 'platform', 'dialects', 'guard', 'lens', 'domain', 'adapters/warehouse', 'engines/[^/]+/dialect', 'engines/postgres/warehouse'], 'how an engine is reached', '|^src/engines/[^/]+\\.ts$'),
    only('lens-is-a-model', 'lens', ['contract', 'platform', 'guard', 'dialects', 'plan'], 'the lens knows no HTTP, no tenant; compiling one tries its metrics as plans'),
    only('lens-files-know-no-lens', 'lens/files', ['contract', 'platform'], 'project files as text, and their faults'),
    only('lens-model-knows-no-plan', 'lens/model', ['contract', 'platform', 'dialects', 'guard', 'lens/files'], 'what a lens is'),
    only('lens-policies-know-no-plan', 'lens/policies', ['contract', 'platform', 'dialects', 'guard', 'lens/files', 'lens/model'], 'which rows an asker sees'),
    only('plan-compiles-no-lens', 'plan', ['contract', 'platform', 'dialects', 'guard', 'lens/files', 'lens/model', 'lens/policies'], 'plans: their names, sentences and SQL'),
    only('plan-sql-binds-no-names', 'plan/sql', ['contract', 'platform', 'dialects', 'guard', 'lens/files', 'lens/model', 'lens/policies'], 'a plan to SQL', '|^src/plan/[\\w-]+\\.ts$'),
    only('schedule-knows-no-tenancy', 'platform/schedule', ['contract'], 'who runs next', '|^src/platform/[\\w-]+\\.ts$'),
    only('tenancy-knows-no-http', 'platform/tenancy', ['contract', 'platform/schedule'], 'the control database', '|^src/platform/[\\w-]+\\.ts$'),
    only('guard-is-pure', 'guard', ['contract', 'platform', 'dialects'], 'the guard knows statements and scopes only'),
    only('reader-is-pure', 'reader', ['contract', 'platform', 'lens', 'plan'], 'question -> plan, nothing else'),
    only('words-know-no-question', 'reader/words', ['contract', 'platform', 'lens', 'reader/english'], 'what words mean, and what the lens calls things'),
    only('chart-knows-no-language', 'reader/chart', [], 'words are forms, terms are keys'),
    only('english-is-data', 'reader/english', ['lens', 'reader/words'], 'data, and how words are inflected and joined'),
    only('hypotheses-choose-nothing', 'reader/hypotheses', ['contract', 'platform', 'lens', 'reader/english', 'reader/words', 'reader/meaning'], 'hypotheses'),
    only('meaning-knows-no-question', 'reader/meaning', ['contract', 'lens', 'plan', 'reader/english', 'reader/words'], 'terms to a plan'),
    only('domain-knows-no-door', 'domain', ['contract', 'platform', 'lens', 'plan', 'guard', 'dialects', 'reader'], 'operations and repositories', TABLE),
    only('ask-is-the-heart', 'ask', ['contract', 'platform', 'dialects', 'lens', 'plan', 'guard', 'reader', 'domain'], 'no HTTP, no adapters'),
    only('adapters-implement-ports', 'adapters', ['contract', 'platform', 'lens', 'guard', 'dialects', 'domain', 'engines'], 'only app.ts wires adapters'),
    // deps.ts is the type of what app.ts hands them.
    only('surfaces-call-operations', 'surfaces', ['contract', 'platform', 'lens', 'guard', 'reader', 'domain', 'ask'], 'surfaces never see adapters', '|^src/(deps|config)\\.ts$'),
    never('surfaces-import-no-repository', '^src/surfaces/', '-repository\\.ts$', 'an operation of domain or ask reads and writes for them; types of rows are the results of operations', '\\.test\\.ts$'),
    never('the-app-is-a-client', '^web/', '^src/', 'it knows the server by its OpenAPI document only'),
    never('the-server-knows-no-app', '^src/', '^web/', 'the app is another program'),
    never('shared-parts-know-no-page', '^web/src/(ui|api)/', '^web/src/(features|shell)/', 'pages stand on them'),
    never('no-http-inside', '^src/(lens|plan|guard|reader|domain|ask|platform|contract)/', 'node_modules/(fastify|@fastify|@modelcontextprotocol)/', 'doors only'),
    never('one-door-to-the-database', '^src/', 'node_modules/pg/', 'only platform and the Postgres warehouse talk pg', '^src/(platform/|adapters/|engines/|main\\.ts)|\\.test\\.ts$'),
  ],
  options: { doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' } },
};
