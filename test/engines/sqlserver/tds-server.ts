// The part of SQL Server's protocol that tedious uses: Tabular Data Stream 7.4 of [MS-TDS], without TLS. It implements
// sessions, parameters, cells, errors and cancellation. `run` executes the statements.
import net from 'node:net';
import { listenLocally } from '../../support/local-server.ts';
import { untilFileEnds } from '../../support/until-file-ends.ts';
import { type Column, columnMetadata, doneToken, errorToken, loginAck, rowToken, type Value } from './tds-tokens.ts';

export interface Asked {
  sql: string;
  /** Parameters by name, without @. */
  parameters: Readonly<Record<string, string | Buffer | null>>;
  user: string;
}
export interface Given {
  columns: Column[];
  rows: Value[][];
}
export class TdsError extends Error {
  readonly number: number;
  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}
export interface TdsServer {
  port: number;
  /** Batches and statements in order. */
  log: Asked[];
  /** The number of attention signals received and of open sessions. */
  attentions: number;
  sessions: number;
  /** The last login. */
  login: { user: string; app: string; database: string; readOnly: boolean } | null;
}

const PRELOGIN = 0x12;
const LOGIN = 0x10;
const BATCH = 0x01;
const RPC = 0x03;
const ATTENTION = 0x06;
const NEVER = new Promise<never>(() => undefined);
const ROWS_AT_ONCE = 100;
const DATABASE = 'shop';

/**
 * `password` is the password of every login. `run` returns rows, or null for a statement without rows, or throws a
 * TdsError. If it never returns, the statement waits for the attention signal.
 */
export async function startTdsServer(
  password: string,
  run: (asked: Asked) => Promise<Given | null>,
): Promise<TdsServer> {
  const state: TdsServer = { port: 0, log: [], attentions: 0, sessions: 0, login: null };
  const sockets = new Set<net.Socket>();

  function serve(socket: net.Socket): void {
    sockets.add(socket);
    state.sessions++;
    let user = '';
    // The server also acknowledges an attention signal that arrives after the statement ended.
    const idle = (): void => void send([doneToken({ attention: true })]);
    let stopped: () => void = idle;
    const send = (tokens: Buffer[]): Promise<void> =>
      new Promise((sent) => {
        for (const packet of packets(Buffer.concat(tokens))) socket.write(packet);
        if (socket.writableNeedDrain) socket.once('drain', sent);
        else sent();
      });
    async function answer(statement: Asked): Promise<void> {
      state.log.push(statement);
      let isStopped = false;
      const attention = new Promise<'attention'>((resolve) => {
        stopped = () => {
          isStopped = true;
          resolve('attention');
        };
      });
      try {
        const given = await Promise.race([run(statement), attention]);
        if (given === 'attention') return await send([doneToken({ attention: true })]);
        if (!given) return await send([doneToken({})]);
        let first: Buffer[] = [columnMetadata(given.columns)];
        for (let at = 0; at < given.rows.length && !isStopped; at += ROWS_AT_ONCE) {
          const rows = given.rows.slice(at, at + ROWS_AT_ONCE).map((row) => rowToken(given.columns, row));
          socket.write(packet(Buffer.concat([...first, ...rows]), false));
          first = [];
          await new Promise((next) => setImmediate(next));
          while (socket.writableNeedDrain && !isStopped)
            await Promise.race([new Promise((d) => socket.once('drain', d)), attention]);
        }
        // A started result ends in its own message, before the reply to the attention signal.
        await send([...first, isStopped ? doneToken({ error: true }) : doneToken({ rows: given.rows.length })]);
        if (isStopped) await send([doneToken({ attention: true })]);
      } catch (error) {
        const number = error instanceof TdsError ? error.number : 50_000;
        await send([errorToken(number, (error as Error).message), doneToken({ error: true })]);
      } finally {
        stopped = idle;
      }
    }
    function take(type: number, body: Buffer): void {
      if (type === PRELOGIN) void send([PRELOGIN_ANSWER]);
      else if (type === LOGIN) {
        const login = readLogin(body);
        user = login.user;
        state.login = login;
        const failed = errorToken(18_456, `Login failed for user '${user}'.`);
        const loginError = errorToken(4060, `Cannot open database "${login.database}" requested by the login.`);
        const faults = login.password !== password ? [failed] : login.database !== DATABASE ? [loginError, failed] : [];
        void send(faults.length > 0 ? [...faults, doneToken({ error: true })] : [loginAck(), doneToken({})]);
      } else if (type === ATTENTION) {
        state.attentions++;
        stopped();
      } else if (type === BATCH)
        void answer({ sql: body.subarray(body.readUInt32LE(0)).toString('ucs2'), parameters: {}, user });
      else if (type === RPC) void answer({ ...readRpc(body), user });
      else socket.destroy();
    }
    let receivedBytes = Buffer.alloc(0);
    let message: Buffer[] = [];
    socket.on('data', (data) => {
      receivedBytes = Buffer.concat([receivedBytes, data]);
      while (receivedBytes.length >= 8 && receivedBytes.length >= receivedBytes.readUInt16BE(2)) {
        const length = receivedBytes.readUInt16BE(2);
        const [type, status] = [receivedBytes[0]!, receivedBytes[1]!];
        message.push(receivedBytes.subarray(8, length));
        receivedBytes = receivedBytes.subarray(length);
        if ((status & 1) === 0) continue;
        const body = Buffer.concat(message);
        message = [];
        take(type, body);
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      state.sessions--;
      if (stopped !== idle) stopped();
      sockets.delete(socket);
    });
  }

  const server = net.createServer(serve);
  state.port = (await listenLocally(server)).port;
  untilFileEnds(() => {
    for (const socket of sockets) socket.destroy();
  });
  return state;
}
export { NEVER };

const MOST = 4_000;
function packet(body: Buffer, last: boolean): Buffer {
  const packetList: Buffer[] = [];
  for (let at = 0; at < body.length || at === 0; at += MOST) {
    const part = body.subarray(at, at + MOST);
    const header = Buffer.from([0x04, last && at + MOST >= body.length ? 1 : 0, 0, 0, 0, 0, 1, 0]);
    header.writeUInt16BE(part.length + 8, 2);
    packetList.push(header, part);
  }
  return Buffer.concat(packetList);
}
const packets = (body: Buffer): Buffer[] => [packet(body, true)];

/** Announces the server's version, and that the server doesn't support encryption. */
const PRELOGIN_ANSWER = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2]);

function readLogin(body: Buffer): { user: string; password: string; app: string; database: string; readOnly: boolean } {
  const text = (at: number): Buffer => {
    const [from, signs] = [body.readUInt16LE(at), body.readUInt16LE(at + 2)];
    return body.subarray(from, from + signs * 2);
  };
  const password = Buffer.from(
    text(44).map((byte) => {
      const plain = byte ^ 0xa5;
      return ((plain << 4) | (plain >> 4)) & 0xff;
    }),
  );
  return {
    user: text(40).toString('ucs2'),
    password: password.toString('ucs2'),
    app: text(48).toString('ucs2'),
    database: text(68).toString('ucs2'),
    readOnly: (body[26]! & 0x20) !== 0,
  };
}

/** Reads sp_executesql: the statement, the declared parameters, and their values. */
function readRpc(body: Buffer): { sql: string; parameters: Asked['parameters'] } {
  let at = body.readUInt32LE(0);
  const named = body.readUInt16LE(at);
  at += 2 + (named === 0xffff ? 2 : named * 2) + 2;
  const values: [string, string | Buffer | null][] = [];
  while (at < body.length) {
    const signs = body[at]!;
    const name = body
      .subarray(at + 1, at + 1 + signs * 2)
      .toString('ucs2')
      .replace('@', '');
    at += 1 + signs * 2 + 1;
    const type = body[at]!;
    const maxLength = body.readUInt16LE(at + 1);
    at += 3 + (type === 0xe7 ? 5 : 0);
    let value: Buffer | null;
    if (maxLength === 0xffff) {
      const chunks: Buffer[] = [];
      const isNull = body.readBigUInt64LE(at) === 0xffffffffffffffffn;
      at += 8;
      for (let size = isNull ? 0 : body.readUInt32LE(at); !isNull; size = body.readUInt32LE(at)) {
        at += 4;
        if (size === 0) break;
        chunks.push(body.subarray(at, at + size));
        at += size;
      }
      value = isNull ? null : Buffer.concat(chunks);
    } else {
      const size = body.readUInt16LE(at);
      value = size === 0xffff ? null : body.subarray(at + 2, at + 2 + size);
      at += 2 + (value?.length ?? 0);
    }
    values.push([name, type === 0xe7 ? (value?.toString('ucs2') ?? null) : value]);
  }
  const [[, sql] = ['', ''], , ...given] = values;
  return { sql: String(sql), parameters: Object.fromEntries(given) };
}
