// mount-operations.ts registers the routes of operations, and describes them in the OpenAPI document.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AskContext } from '../../ask/entry-points.ts';
import { idParamsSchema, lensParamsSchema } from '../../contract/mgmt/shared.ts';
import type { ProblemCode } from '../../contract/problem-codes.ts';
import type { Actor } from '../../domain/audit/audit-log.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { PageOrder } from './page.ts';

export type Revision = string | number | Date;
/** An editor returns this tag in If-Match. svc never sends weak tags. */
export const toEntityTag = (revision: Revision): string =>
  `"${revision instanceof Date ? revision.getTime() : revision}"`;

export type RequiredAccess = 'any viewer' | 'curator';

export interface OperationCall<D, Params = unknown, Query = unknown, Body = unknown> {
  deps: D;
  principal: Principal;
  orgId: string;
  /** The audit log records this actor. */
  actor: Actor;
  params: Params;
  query: Query;
  body: Body;
  /** The revision in If-Match, or null. */
  ifMatch: string | null;
  /** Aborts when the client disconnects, or when someone cancels the run of `respondAsync`. */
  signal: AbortSignal;
  run: Partial<RunContext>;
  createAskContext(): AskContext;
}

interface OperationDescription<P, Q, B, R> {
  /** `operationId` in the OpenAPI document. */
  id: string;
  summary: string;
  description: string;
  /**
   * By default, viewers with a linked caller can't send a GET, and only admins can change data. `any viewer` also lets
   * those viewers send the GET. `curator` also lets curators make the change.
   */
  access?: RequiredAccess;
  params?: P;
  query?: Q;
  body?: B;
  /** If omitted, the reply is `{"ok": true}`. */
  result?: R;
  status?: 201 | 202 | 204;
  /** The response in the OpenAPI document, if it isn't only `result` as JSON. */
  response?: object;
  /** Responses in the OpenAPI document that replace the responses of `fails`. */
  problems?: Readonly<Record<string, object>>;
  /**
   * On the data plane, lists all codes. On the control plane, omits the codes that follow from the method, path and query.
   */
  fails?: readonly ProblemCode[];
  /** Reads If-Match, and fails with 412 if the object has changed. */
  ifMatch?: true;
  /** On the data plane, reads an Idempotency-Key. On the control plane, every change reads one. */
  takesIdempotencyKey?: true;
  /** The operation changes nothing, so a client can repeat it without an Idempotency-Key. */
  readOnly?: true;
  /** The kind of run that `Prefer: respond-async` starts. */
  respondAsync?: string;
  /** The operation refuses project files that have problems, and lists the problems. */
  refusesFaultyFiles?: true;
  bodyLimit?: number;
  /** Checks the body before its schema, for errors that the schema would report once for each item. */
  checkBody?: (body: unknown) => void;
}

type OperationHandler<D, Extra, P, Q, B, Result> = (
  call: OperationCall<D, z.output<P>, z.output<Q>, z.output<B>> & Extra,
) => Promise<Result> | Result;

/** `revision` is the ETag of the reply. `send` sends a large reply in slices. */
interface PlainOperation<D, Extra, P, Q, B, R> extends OperationDescription<P, Q, B, R> {
  run: OperationHandler<D, Extra, P, Q, B, z.input<R>>;
  revision?: (reply: z.input<R>) => Revision;
  send?(request: FastifyRequest, reply: FastifyReply, output: z.input<R>): FastifyReply;
  view?: undefined;
  orderBy?: undefined;
}
interface OperationWithView<D, Extra, P, Q, B, R, Made> extends OperationDescription<P, Q, B, R> {
  result: R;
  run: OperationHandler<D, Extra, P, Q, B, Made>;
  revision?: (result: Made) => Revision;
  view: (result: Made, call: OperationCall<D> & Extra) => z.input<R> | Promise<z.input<R>>;
  orderBy?: undefined;
}
/** Lists the rows of `run` page by page. Without `view`, the rows are the items of the reply. */
interface ListOperation<D, Extra, P, Q, R, Row, Key> extends OperationDescription<P, Q, never, R> {
  result: R;
  orderBy: PageOrder<NoInfer<Row>, Key>;
  run: OperationHandler<D, Extra & { page: RowPage<Key> }, P, Q, never, Row[]>;
  view?: (row: Row, call: OperationCall<D> & Extra) => ItemOf<R>;
}
type ItemOf<R> = z.input<R> extends { items: (infer Item)[] } ? Item : never;

export type ResultOf<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;

type DefaultParams<Path extends string> = z.ZodType<
  Path extends `${string}/:name${string}`
    ? { name: string }
    : Path extends `${string}/:id${string}`
      ? { id: string }
      : unknown
>;

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The control plane manages an organization. The data plane answers callers. */
type ApiPlane = 'control' | 'data';

export interface Operation<D> extends OperationDescription<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  method: HttpMethod;
  path: string;
  tag: string;
  plane: ApiPlane;
  load?(call: OperationCall<D>): Promise<unknown>;
  run(call: OperationCall<D> & { page?: RowPage<unknown> }): unknown;
  revision?(result: unknown): Revision;
  view?(result: unknown, call: OperationCall<D>): unknown;
  orderBy?: PageOrder<unknown, unknown>;
  send?(request: FastifyRequest, reply: FastifyReply, output: unknown): FastifyReply;
}

/** `tag` groups the operations in the OpenAPI document. The members that `load` returns become members of the call. */
export function createOperationFactory<D, Extra = unknown>(
  tag: string,
  plane: ApiPlane = 'control',
  load?: (call: OperationCall<D, { name: string }>) => Promise<Extra>,
) {
  function operation<
    Path extends string,
    Q extends z.ZodType,
    R extends z.ZodType,
    Row,
    Key,
    P extends z.ZodType = DefaultParams<Path>,
  >(method: 'GET', path: Path, details: ListOperation<D, Extra, P, Q, R, Row, Key>): Operation<D>;
  function operation<
    Path extends string,
    Q extends z.ZodType,
    B extends z.ZodType,
    P extends z.ZodType = DefaultParams<Path>,
    R extends z.ZodType = z.ZodType<unknown, void>,
  >(method: HttpMethod, path: Path, details: PlainOperation<D, Extra, P, Q, B, R>): Operation<D>;
  function operation<
    Path extends string,
    Q extends z.ZodType,
    B extends z.ZodType,
    R extends z.ZodType,
    Made,
    P extends z.ZodType = DefaultParams<Path>,
  >(method: HttpMethod, path: Path, details: OperationWithView<D, Extra, P, Q, B, R, Made>): Operation<D>;
  function operation(method: HttpMethod, path: string, details: object): Operation<D> {
    const params = path.includes('/:name')
      ? { params: lensParamsSchema }
      : path.includes('/:id')
        ? { params: idParamsSchema }
        : {};
    return { method, path, tag, plane, load, ...params, ...details } as Operation<D>;
  }
  return operation;
}
