// Reads a statement through the extended query protocol. svc describes new SQL before it executes it, so statements
// without rows (COMMIT, SET, DISCARD, …) never run.
import type pg from 'pg';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import type { PreparedStatements } from './prepared-statements.ts';

export interface ResultField {
  name: string;
  dataTypeID: number;
}
export type RawRow = (string | null)[];

export interface ReadRequest {
  before: readonly string[];
  after: readonly string[];
  text: string;
  values: RawRow;
  /** The maximum number of rows. If null, svc describes the statement and doesn't run it. */
  maxRows: number | null;
  /** True if svc knows from an earlier execution that the SQL returns rows. */
  returnsRows: boolean;
  /** For SQL that svc has run before: the session's prepared statements, and the name of this statement. */
  prepared?: { statements: PreparedStatements; name: string } | undefined;
  onFields?(fields: ResultField[]): void;
  onRow?(row: RawRow): void;
}

interface ProtocolConnection {
  stream: { cork(): void; uncork(): void };
  once(event: 'noData', listener: () => void): void;
  off(event: 'noData', listener: () => void): void;
  parse(message: { name?: string; text: string }): void;
  bind(message: { portal: string; statement?: string | undefined; values: RawRow }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'P' | 'S'; name: string }): void;
  flush(): void;
  sync(): void;
}

const PORTAL_NAME = 'svc'; // Redshift requires a portal name

/** Runs a statement in a transaction. If the promise rejects, the session may still be in the transaction. */
export const readInTransaction = (client: pg.ClientBase, reading: ReadRequest): Promise<ResultField[]> =>
  new Promise((resolve, reject) => {
    client.query(new ExtendedQuery(reading, resolve, reject) as unknown as pg.Submittable);
  });

class ExtendedQuery {
  readonly #reading: ReadRequest;
  readonly #resolve: (fields: ResultField[]) => void;
  readonly #reject: (fault: Error) => void;
  #wire!: ProtocolConnection;
  #fields: ResultField[] | null = null;
  #completedCount = 0;
  #isSynced = false;
  #isFailed = false;

  constructor(reading: ReadRequest, resolve: (fields: ResultField[]) => void, reject: (fault: Error) => void) {
    this.#reading = reading;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: unknown): null {
    this.#wire = connection as ProtocolConnection;
    const { before, text, values, maxRows, returnsRows, prepared } = this.#reading;
    this.#wire.once('noData', this.#handleNoData);
    this.#sendInOneWrite((wire) => {
      for (const statement of before) sendStatement(wire, statement);
      if (prepared) prepared.statements.prepare(wire, prepared.name, text);
      else wire.parse({ text });
      wire.bind({ portal: PORTAL_NAME, statement: prepared?.name, values });
      wire.describe({ type: 'P', name: PORTAL_NAME });
      if (returnsRows || maxRows === null) this.#finish(wire, returnsRows);
      else wire.flush();
    });
    return null;
  }

  handleRowDescription({ fields }: { fields: ResultField[] }): void {
    this.#wire.off('noData', this.#handleNoData);
    this.#fields = fields;
    const { prepared } = this.#reading;
    prepared?.statements.markPrepared(prepared.name);
    this.#reading.onFields?.(fields);
    if (!this.#isSynced) this.#sendInOneWrite((wire) => this.#finish(wire, true));
  }

  handleDataRow({ fields }: { fields: RawRow }): void {
    if (this.#completedCount === this.#reading.before.length) this.#reading.onRow?.(fields);
  }

  handleCommandComplete(): void {
    this.#completedCount++;
  }

  handlePortalSuspended(): void {
    this.#completedCount++;
  }

  handleEmptyQuery(): void {
    this.#completedCount++;
  }

  handleReadyForQuery(): void {
    if (this.#isFailed) return;
    if (this.#fields) this.#resolve(this.#fields);
    else this.#reject(createEngineRefusalProblem('the statement returns no rows'));
  }

  handleError(fault: Error): void {
    this.#isFailed = true;
    this.#wire?.off('noData', this.#handleNoData);
    if (this.#wire && !this.#isSynced) this.#wire.sync();
    this.#isSynced = true;
    this.#reject(fault);
  }

  #handleNoData = (): void => {
    if (!this.#isSynced) this.#sendInOneWrite((wire) => this.#finish(wire, false));
  };

  #finish(wire: ProtocolConnection, execute: boolean): void {
    const { maxRows, after } = this.#reading;
    if (execute && maxRows !== null) wire.execute({ portal: PORTAL_NAME, rows: maxRows });
    wire.close({ type: 'P', name: PORTAL_NAME });
    for (const statement of after) sendStatement(wire, statement);
    wire.sync();
    this.#isSynced = true;
  }

  #sendInOneWrite(send: (wire: ProtocolConnection) => void): void {
    this.#wire.stream.cork();
    try {
      send(this.#wire);
    } finally {
      this.#wire.stream.uncork();
    }
  }
}

function sendStatement(wire: ProtocolConnection, text: string): void {
  wire.parse({ text });
  wire.bind({ portal: '', values: [] });
  wire.execute({ portal: '', rows: 0 });
}
