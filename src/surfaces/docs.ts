// The OpenAPI document at /docs/json and its interactive page at /docs. The page loads nothing from other servers.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Deps } from '../deps.ts';
import { finishDocument } from './openapi-document.ts';

const DESCRIPTION = `Governed answers about warehouse data. Every answer carries its evidence: the SQL, citations, a graded
confidence, a certification level, a data timestamp, a request ID and a signed receipt.

Errors have one shape on every route, \`{"error": {code, message, type, param, details, request_id}}\`; a message says what
to do next, and \`details\` names all faults of a request at once. Every response carries \`x-request-id\`.`;

export async function registerDocs(app: FastifyInstance, deps: Pick<Deps, 'config'>): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${deps.config.operator.instance?.name ?? 'svc'} API`,
        description: DESCRIPTION,
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
    transformObject: finishDocument,
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
}
