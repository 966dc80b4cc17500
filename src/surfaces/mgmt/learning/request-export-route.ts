// The response isn't one JSON document, so this route isn't an operation.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import * as wire from '../../../contract/mgmt/observe.ts';
import type { Deps } from '../../../deps.ts';
import { iterateRequests } from '../../../domain/observe/observe.ts';
import { toStream } from '../../../platform/http/write-json.ts';
import { escapeFormula, toCsvCell } from '../../http/csv.ts';
import { bearerSecurity, createCallerProblemResponses } from '../../http/route-schema.ts';
import { recheckAccess } from '../require-access.ts';
import { toRequestView } from './observe-routes.ts';

type RequestRows = ReturnType<typeof iterateRequests>;

export function registerRequestExport(
  scope: FastifyInstance,
  deps: Pick<Deps, 'tenancy' | 'authenticator' | 'baseUrl'>,
): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/observe/export',
    {
      schema: {
        tags: ['observe'],
        security: bearerSecurity,
        operationId: 'exportRequests',
        summary: 'Export matching requests as CSV or NDJSON',
        description:
          'Streams the requests with the same filters and members as the list. The stream ends when the credential is revoked. In CSV, an apostrophe precedes each cell that a spreadsheet would treat as a formula.',
        querystring: wire.exportQuerySchema,
        response: {
          ...createCallerProblemResponses('forbidden', 'invalid'),
          200: {
            description: 'One line for each request, newest first',
            content: {
              'text/csv': {
                schema: z
                  .string()
                  .meta({ examples: ['request_id,at,caller\n0192f0c1-…,2026-01-31T09:30:00.000Z,ada\n'] }),
              },
              'application/x-ndjson': {
                schema: z.string().meta({ examples: ['{"request_id": "0192f0c1-…", "caller": "ada"}\n'] }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = iterateRequests(deps, request.principal.orgId, filter, () => recheckAccess(deps, request));
      reply.header('content-disposition', `attachment; filename="requests.${format}"`);
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      const lines = format === 'csv' ? writeCsvLines(rows) : writeJsonLines(rows);
      return reply.type(`${type}; charset=utf-8`).send(toStream(lines) as never);
    },
  );
}

async function* writeJsonLines(rows: RequestRows): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(toRequestView(row))}\n`;
}

async function* writeCsvLines(rows: RequestRows): AsyncGenerator<string> {
  const names = Object.keys(wire.requestSummarySchema.shape) as (keyof ReturnType<typeof toRequestView>)[];
  yield `${names.join(',')}\n`;
  for await (const row of rows) {
    const view = toRequestView(row);
    const cells = names.map((name) => view[name]);
    yield `${cells.map((cell) => toCsvCell(typeof cell === 'string' ? escapeFormula(cell) : cell)).join(',')}\n`;
  }
}
