// Converts errors of plugins to svc's own errors. A plugin can't import svc's classes, so it throws errors with a
// `code`. svc writes its own message, because the plugin's message can contain hosts, users and values.
import type { Embedder, FetchOptions, LanguageModel, Warehouse } from '../domain/ports.ts';
import type { Engine } from '../engines/engine.ts';
import { Problem } from '../platform/problem.ts';
import {
  createCancellationProblem,
  createEngineRefusalProblem,
  createTimeoutProblem,
  createUnreachableProblem,
  redactValues,
} from './warehouse/faults.ts';

type ThrownError = { code?: unknown; message?: unknown; detail?: unknown };
const readErrorText = ({ message, detail }: ThrownError): string =>
  redactValues(String(detail ?? message ?? 'no reason given'));
const toThrownError = (fault: unknown): ThrownError =>
  typeof fault === 'object' && fault !== null ? fault : { message: fault };

/** svc keeps the plugin's message for errors in configuration keys, because only the plugin knows these keys. */
function toConnectionFault(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  const { code, message } = toThrownError(fault);
  if (code === 'invalid' || code === 'not_found') return new Problem(code, String(message), { cause: fault });
  return createUnreachableProblem(fault);
}

function toStatementFault(fault: unknown, { timeoutMs, signal }: Partial<FetchOptions>): Problem {
  if (signal?.aborted) return createCancellationProblem();
  if (fault instanceof Problem) return fault;
  const { code } = toThrownError(fault);
  if (code === 'timeout') return createTimeoutProblem(timeoutMs ?? 0);
  if (code === 'unreachable') return createUnreachableProblem(fault);
  return createEngineRefusalProblem(fault, readErrorText(toThrownError(fault)));
}

async function callPlugin<T>(toFault: (fault: unknown) => Problem, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw toFault(fault);
  }
}

export const wrapEngine = (adapter: Engine): Engine => ({
  kind: adapter.kind,
  dialect: adapter.dialect,
  ...(adapter.experimental && { experimental: true }),
  open: (...request) => callPlugin(toConnectionFault, async () => wrapWarehouse(await adapter.open(...request))),
  ...(adapter.revision && {
    revision: (...request: Parameters<NonNullable<Engine['revision']>>) =>
      callPlugin(toConnectionFault, async () => adapter.revision!(...request)),
  }),
});

function wrapWarehouse(warehouse: Warehouse): Warehouse {
  const run = <T>(work: () => Promise<T>, limits: Partial<FetchOptions> = {}): Promise<T> =>
    callPlugin((fault) => toStatementFault(fault, limits), work);
  return {
    dialect: warehouse.dialect,
    fetch: (statement, options) => run(() => warehouse.fetch(statement, options), options),
    describe: (statement, options) => run(() => warehouse.describe(statement, options), options),
    estimate: (statement) => run(() => warehouse.estimate(statement)),
    catalog: (options) => run(() => warehouse.catalog(options), options),
    profile: (table, columns, options) => run(() => warehouse.profile(table, columns, options), options),
    test: () => warehouse.test(),
    close: () => warehouse.close(),
  };
}

export const wrapEmbedder = (embedder: Embedder): Embedder => ({
  name: embedder.name,
  ...(embedder.lexical !== undefined && { lexical: embedder.lexical }),
  embed: (texts) => callPlugin(toEmbedderFault, async () => embedder.embed(texts)),
});

const toEmbedderFault = (cause: unknown): Problem =>
  cause instanceof Problem ? cause : new Problem('unreachable', 'The embedding service is not responding.', { cause });

export const wrapModel = (model: LanguageModel): LanguageModel => ({
  entry: model.entry,
  provider: model.provider,
  model: model.model,
  decide: (request) => callPlugin(toModelProblem, async () => model.decide(request)),
  write: (request) => callPlugin(toModelProblem, async () => model.write(request)),
});

function toModelProblem(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  const { code } = toThrownError(cause);
  if (code === 'timeout') return new Problem('timeout', 'The language model did not answer in time.', { cause });
  const detail = readErrorText(toThrownError(cause));
  const problemCode = code === 'unreachable' ? code : 'upstream';
  return new Problem(problemCode, 'The language model did not answer.', { cause, detail });
}
