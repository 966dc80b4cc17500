// Sends statements in one round trip and one implicit transaction, which ends at the only Sync. Resolves at
// ReadyForQuery, which follows the commit. An error in any statement rolls all of them back.
import pg from 'pg';

export interface PreparedStatement {
  /** Each session prepares the statement once under this name. A name always has the same SQL. */
  name: string;
  text: string;
  values?: (string | number | null)[];
}

export interface BatchResult<Row extends pg.QueryResultRow = pg.QueryResultRow> {
  rows: Row[];
  rowCount: number;
}

/** The methods of pg's connection for the extended protocol. The types of pg don't declare them. */
interface ProtocolConnection {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  sync(): void;
}

type ColumnReader = [name: string, read: (text: string) => unknown];
type BatchCallback = (fault: Error | null, answers?: BatchResult[]) => void;

/** Calls `markUnusable` if the session may contain prepared statements that svc doesn't know about. */
export function sendBatch(
  client: pg.ClientBase,
  statements: readonly PreparedStatement[],
  markUnusable: () => void,
): Promise<BatchResult[]> {
  return new Promise((resolve, reject) => {
    const batch: Batch = new Batch(statements, (fault, answers) => {
      if (!fault) return resolve(answers!);
      if (batch.pendingStatements.length > 0) markUnusable();
      reject(fault);
    });
    client.query(batch);
  });
}

/** A client in pipeline mode accepts only a pg.Query. It calls a `handle…` method for each message. */
class Batch extends pg.Query {
  readonly pendingStatements: PreparedStatement[] = [];
  callback: BatchCallback;
  readonly #statements: readonly PreparedStatement[];
  readonly #answers: BatchResult[] = [];
  #connection: ProtocolConnection | undefined;
  #rows: pg.QueryResultRow[] = [];
  #readers: ColumnReader[] = [];

  constructor(statements: readonly PreparedStatement[], callback: BatchCallback) {
    super('');
    this.#statements = statements;
    this.callback = callback;
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as ProtocolConnection;
    this.#connection = wire;
    wire.stream.cork();
    try {
      for (const statement of this.#statements) {
        if (!wire.parsedStatements[statement.name]) {
          wire.parse(statement);
          this.pendingStatements.push(statement);
        }
        wire.bind({ statement: statement.name, values: statement.values ?? [], valueMapper: toText });
        wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '', rows: 0 });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  };

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#readers = fields.map(({ name, dataTypeID }) => [name, pg.types.getTypeParser(dataTypeID, 'text')]);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const readCell = (text: string | null | undefined, readText: ColumnReader[1]) =>
      text == null ? null : readText(text);
    this.#rows.push(
      Object.fromEntries(this.#readers.map(([name, readText], index) => [name, readCell(fields[index], readText)])),
    );
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push({ rows: this.#rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    for (const { name, text } of this.pendingStatements) this.#connection!.parsedStatements[name] = text;
    this.callback(null, this.#answers);
  }

  handleError(fault: Error): void {
    this.callback(fault);
  }
}

const toText = (value: unknown): string | null => (value === null ? null : String(value));
