import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as wire from '../../contract/mgmt/connections.ts';
import type { Deps } from '../../deps.ts';
import { saveUpload } from '../../domain/connections/uploads.ts';
import { Problem } from '../../platform/problem.ts';
import { toActor } from '../http/request-context.ts';
import { bearerSecurity, createCallerProblemResponses } from '../http/route-schema.ts';

const UPLOAD_MEDIA_TYPE = 'application/octet-stream';

export async function registerUploadRoutes(
  scope: FastifyInstance,
  deps: Pick<Deps, 'tenancy' | 'uploads' | 'clock'>,
): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(UPLOAD_MEDIA_TYPE, (_request, payload, callback) => callback(null, payload));
  scope.addContentTypeParser('*', (_request, _payload, callback) =>
    callback(new Problem('unsupported_media_type', `Send the file itself, with Content-Type: ${UPLOAD_MEDIA_TYPE}.`)),
  );
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/uploads',
    {
      schema: {
        tags: ['connections'],
        security: bearerSecurity,
        operationId: 'uploadFile',
        summary: 'Send a data file',
        description:
          'Accepts a CSV, JSON or Parquet file of at most 100 MB. An organization can store 1 GB of files. svc keeps the file in SVC_HOME, so replicas must share that folder. Within a day, use the returned `path` in the `files` of a connection. If you delete the connection, svc also deletes the file.',
        consumes: [UPLOAD_MEDIA_TYPE],
        querystring: wire.uploadQuerySchema,
        body: wire.uploadedFileSchema,
        response: {
          201: wire.uploadResultSchema,
          ...createCallerProblemResponses('forbidden', 'too_large', 'unsupported_media_type', 'invalid'),
        },
      },
    },
    async (request, reply) => {
      const { query, body } = request;
      if (typeof (body as Readable).pipe !== 'function')
        throw new Problem('invalid', 'Send the file as the body of the request.');
      reply.code(201);
      return saveUpload(deps, toActor(request), query.name, body as Readable);
    },
  );
}
