// The validator reports all errors of one part of the request together. A missing body counts as {}, because the errors
// then name each missing member.
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';

const REQUEST_PARTS: Record<string, string> = {
  body: 'body',
  querystring: 'query string',
  params: 'path',
  headers: 'header',
};

export const validateRequest: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) =>
  createValidator(schema, httpPart);

function createValidator(schema: z.ZodType, httpPart: string | undefined) {
  return (input: unknown): { value: unknown; error?: undefined } | { error: Problem } => {
    const givenInput = httpPart === 'body' ? (input ?? {}) : input;
    const parsedInput = schema.safeParse(givenInput);
    if (parsedInput.success) return { value: parsedInput.data };
    const details = describeFaults(parsedInput.error, schema, givenInput);
    const message = `The ${REQUEST_PARTS[httpPart ?? ''] ?? 'request'} is not valid: ${details
      .slice(0, 10)
      .map(formatFault)
      .join(' ')}`;
    // No object can have an invalid name, so the response is 404.
    const code = httpPart === 'params' ? 'not_found' : 'invalid';
    return { error: new Problem(code, message, { details, param: details[0]?.path || undefined }) };
  };
}

const readEmptyBody = createValidator(z.strictObject({}), 'body');

/** A route without a body refuses every body member, as a route with a body refuses unknown members. */
export async function refuseBodyMembers({ body }: FastifyRequest): Promise<void> {
  const { error } = readEmptyBody(body);
  if (error) throw error;
}
