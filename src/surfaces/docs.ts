// /docs/json is the OpenAPI document, and /docs is its interactive page. The page loads nothing from other servers.

import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../contract/problem-codes.ts';
import type { Deps } from '../deps.ts';
import { Problem } from '../platform/problem.ts';
import { createExample } from './create-example.ts';
import { toProblemBody } from './http/reply-with-problem.ts';
import { EXAMPLE_ID } from './http/route-schema.ts';

type SchemaNode = { [key: string]: unknown };
interface OpenApiOperation {
  parameters?: SchemaNode[];
  responses?: Record<string, { content?: Record<string, SchemaNode> }>;
}
type OpenApiDocument = Parameters<typeof jsonSchemaTransformObject>[0];

const EXAMPLE_MESSAGES: Record<ProblemCode, string> = {
  malformed: 'The body is not valid JSON. Send one JSON document in UTF-8.',
  auth: 'Send a credential as Authorization: Bearer <token>.',
  forbidden: 'Only admins can run SQL on a connection. Name a lens instead: {"lens": "…"}.',
  not_found: 'There is no lens “superstor” that you may use. Lenses that you may use: superstore.',
  no_exact_match:
    'No certified entry matches this question exactly. Run a similar entry by its cert_id, or ask with query.',
  method_not_allowed: 'Use GET or HEAD for this URL.',
  conflict: 'The first request with this Idempotency-Key is still running. Retry shortly.',
  precondition_failed: 'The object has changed since you read it. Read it again.',
  too_large: 'The body is too large for this server. Send a smaller body.',
  unsupported_media_type: 'Send the body as application/json.',
  invalid: 'The body is not valid: q: Required.',
  guard_refused: 'The guard refused this statement: it calls pg_read_file, which is not among the allowed functions.',
  rate_limited: 'Too many requests: the limit is 6000 a minute. Retry in 12 s.',
  internal: 'Internal error in svc. Try again. If you report it, include the request ID.',
  upstream:
    'The warehouse could not run the statement. The statement needs more memory or disk than the warehouse allows. Use a shorter period, or group by fewer fields.',
  unreachable: 'The control database is not reachable. Try again shortly.',
  timeout: 'The warehouse took longer than 30 s. Ask for less data, or a shorter period.',
};

function completeOpenApiDocument(document: OpenApiDocument): ReturnType<typeof jsonSchemaTransformObject> {
  const finishedDocument = jsonSchemaTransformObject(document) as SchemaNode &
    ReturnType<typeof jsonSchemaTransformObject>;
  const paths = finishedDocument['paths'] as Record<string, Record<string, OpenApiOperation>>;
  const { schemas } = finishedDocument['components'] as { schemas: SchemaNode };
  renameWildcardParameters(paths);
  for (const path of Object.values(paths)) {
    for (const { responses } of Object.values(path)) addExamples(responses ?? {}, schemas);
  }
  deleteUnusedSchemas(finishedDocument, schemas);
  return finishedDocument;
}

/** The router names a wildcard at the end of a path `*`. The document names it `path`. */
function renameWildcardParameters(paths: Record<string, Record<string, OpenApiOperation>>): void {
  for (const [address, path] of Object.entries(paths)) {
    if (!address.endsWith('/{*}')) continue;
    delete paths[address];
    paths[address.replace('{*}', '{path}')] = path;
    for (const { parameters = [] } of Object.values(path))
      for (const parameter of parameters) if (parameter['name'] === '*') parameter['name'] = 'path';
  }
}

function addExamples(responses: NonNullable<OpenApiOperation['responses']>, schemas: SchemaNode): void {
  for (const [status, { content }] of Object.entries(responses)) {
    const media = content?.['application/json'];
    if (!media) continue;
    const code = PROBLEM_CODES.find((problemCode) => String(PROBLEMS[problemCode].status) === status);
    if (code && JSON.stringify(media).includes('#/components/schemas/Problem'))
      media['example'] = toProblemBody(new Problem(code, EXAMPLE_MESSAGES[code]), EXAMPLE_ID);
    if (status.startsWith('2') && media['example'] === undefined && media['examples'] === undefined)
      media['example'] = createExample(media['schema'] as SchemaNode | undefined, schemas);
  }
}

/** Each schema has an input form and an output form, and the document uses only one of them for most schemas. */
function deleteUnusedSchemas(document: SchemaNode, schemas: SchemaNode): void {
  for (let hasDropped = true; hasDropped; ) {
    const text = JSON.stringify(document);
    const unusedNames = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    for (const name of unusedNames) delete schemas[name];
    hasDropped = unusedNames.length > 0;
  }
}

const API_DESCRIPTION = `Governed answers about warehouse data. Every answer carries its evidence: the SQL, citations, a graded
confidence, a certification level, a data timestamp, a request ID and a signed receipt.

Errors have one shape on every route, \`{"error": {code, message, type, param, details, request_id}}\`. A message says
what to do next, and \`details\` names all faults of a request. Every response carries \`x-request-id\`.`;

export async function registerDocs(app: FastifyInstance, deps: Pick<Deps, 'config'>): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${deps.config.operator.instance?.name ?? 'svc'} API`,
        description: API_DESCRIPTION,
        version: '0.1.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'ask', description: 'Questions, plans, certified entries and guarded SQL' },
        { name: 'lenses', description: 'Lenses, definitions, values and certified entries' },
        { name: 'evidence', description: 'Receipts and reviews' },
        { name: 'threads', description: 'Saved conversations' },
        { name: 'boards', description: 'Pinned questions and plans, computed for each reader' },
        { name: 'chat', description: 'For chat-completions clients' },
        { name: 'meta', description: 'Liveness, readiness, schemas' },
        { name: 'session', description: 'Sign-in with local accounts' },
        { name: 'mgmt', description: 'Administration' },
        { name: 'oauth', description: 'Authorization for MCP clients' },
        { name: 'demo', description: 'The public demo' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A caller key (svc_), an admin token (svcadm_), an OAuth access token (svco_) or a session (svcsess_)',
          },
          session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'Session of a local account' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: completeOpenApiDocument,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
}
