// Responds with 422, the usual error, and the problems of project files, each with its file, line and column.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { projectProblem } from '../../contract/mgmt/project.ts';
import { problemBody } from '../../contract/problem.ts';
import { ProjectRefusal } from '../../domain/project/apply-project.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { EXAMPLE_ID } from '../openapi-document.ts';
import { toProblemBody } from './reply-with-problem.ts';

const problemsExample = {
  ...toProblemBody(new Problem('invalid', 'The project has problems; nothing changed.'), EXAMPLE_ID),
  problems: [
    {
      ...{ path: 'lenses/superstore/lens.yaml', line: 14, column: 7, pointer: '/metrics/revenue/expression' },
      ...{ code: 'unknown_name', message: 'There is no field "sale" in orders. Nearest: sales.' },
    },
  ],
  warnings: [],
};

export const refusalResponse = {
  422: {
    description:
      'The request is not valid, or the files have problems, each listed with its file, line and column; nothing changed',
    content: {
      'application/json': {
        schema: problemBody
          .extend({ problems: z.array(projectProblem).optional(), warnings: z.array(z.string()).optional() })
          .meta({ examples: [problemsExample] }),
      },
    },
  },
};

export async function replyIfRefused<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProjectRefusal)) throw error;
    request.log.info({ code: error.code, problems: error.problems.length }, 'request refused');
    reply
      .code(422)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .serializer((body: unknown) => JSON.stringify(body));
    return refusalOf(error, request.id) as T;
  }
}

/** Returns the response for problems of project files, or undefined for any other fault. */
export const refusalOf = (error: unknown, requestId: string) =>
  error instanceof ProjectRefusal
    ? {
        ...toProblemBody(error, requestId),
        problems: error.problems.map(problemView),
        warnings: error.warnings,
      }
    : undefined;

export const problemView = ({
  path,
  line,
  column,
  pointer,
  code,
  message,
}: ProjectProblem): z.infer<typeof projectProblem> => ({ path, line, column, pointer, code, message });
