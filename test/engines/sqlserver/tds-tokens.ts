// Response tokens of [MS-TDS] 2.2.7 that the tests need, in little-endian order.

export type ColumnType =
  | {
      name:
        | 'int'
        | 'bigint'
        | 'bit'
        | 'float'
        | 'nvarchar'
        | 'date'
        | 'time'
        | 'datetime2'
        | 'datetimeoffset'
        | 'money'
        | 'varbinary';
    }
  | { name: 'decimal'; precision: number; scale: number };
export interface Column {
  name: string;
  type: ColumnType;
}
/**
 * Numbers: integers, and decimals and money without the decimal point; days since 0001-01-01; times of day in 100 ns;
 * timestamps in 100 ns since 0001-01-01, in UTC if they have an offset.
 */
export type Value = null | bigint | number | boolean | string | Buffer;

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const littleEndian = (value: bigint, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  for (let index = 0, rest = value; index < size; index++, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  return bytes;
};
const shortString = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'ucs2')]);

const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);
const DAY = 864_000_000_000n;

function typeInfo(type: ColumnType): Buffer {
  switch (type.name) {
    case 'int':
      return Buffer.from([0x26, 4]);
    case 'bigint':
      return Buffer.from([0x26, 8]);
    case 'bit':
      return Buffer.from([0x68, 1]);
    case 'float':
      return Buffer.from([0x6d, 8]);
    case 'money':
      return Buffer.from([0x6e, 8]);
    case 'decimal':
      return Buffer.from([0x6a, 17, type.precision, type.scale]);
    case 'nvarchar':
      return Buffer.concat([Buffer.from([0xe7, 0xff, 0xff]), COLLATION]);
    case 'varbinary':
      return Buffer.from([0xa5, 0xff, 0xff]);
    case 'date':
      return Buffer.from([0x28]);
    case 'time':
      return Buffer.from([0x29, 7]);
    case 'datetime2':
      return Buffer.from([0x2a, 7]);
    case 'datetimeoffset':
      return Buffer.from([0x2b, 7]);
  }
}

const withSize = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([bytes.length]), bytes]);
const toChunks = (bytes: Buffer): Buffer =>
  Buffer.concat([
    littleEndian(BigInt(bytes.length), 8),
    ...(bytes.length > 0 ? [u32(bytes.length), bytes] : []),
    u32(0),
  ]);

function cellBytes({ name }: ColumnType, value: Value): Buffer {
  if (value === null) return name === 'nvarchar' || name === 'varbinary' ? Buffer.alloc(8, 0xff) : Buffer.from([0]);
  const toBigInt = (): bigint => BigInt(value as bigint);
  switch (name) {
    case 'int':
      return withSize(littleEndian(BigInt.asUintN(32, toBigInt()), 4));
    case 'bigint':
      return withSize(littleEndian(BigInt.asUintN(64, toBigInt()), 8));
    case 'bit':
      return withSize(Buffer.from([value ? 1 : 0]));
    case 'float': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(Number(value));
      return withSize(bytes);
    }
    case 'money': {
      const bits = BigInt.asUintN(64, toBigInt());
      return withSize(Buffer.concat([littleEndian(bits >> 32n, 4), littleEndian(bits & 0xffffffffn, 4)]));
    }
    case 'decimal': {
      const number = toBigInt();
      return withSize(
        Buffer.concat([Buffer.from([number < 0n ? 0 : 1]), littleEndian(number < 0n ? -number : number, 16)]),
      );
    }
    case 'nvarchar':
      return toChunks(Buffer.from(String(value), 'ucs2'));
    case 'varbinary':
      return toChunks(value as Buffer);
    case 'date':
      return withSize(littleEndian(toBigInt(), 3));
    case 'time':
      return withSize(littleEndian(toBigInt(), 5));
    case 'datetime2':
      return withSize(Buffer.concat([littleEndian(toBigInt() % DAY, 5), littleEndian(toBigInt() / DAY, 3)]));
    case 'datetimeoffset':
      return withSize(Buffer.concat([littleEndian(toBigInt() % DAY, 5), littleEndian(toBigInt() / DAY, 3), u16(60)]));
  }
}

export const columnMetadata = (columns: readonly Column[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x81]),
    u16(columns.length),
    ...columns.flatMap(({ name, type }) => [u32(0), u16(1), typeInfo(type), shortString(name)]),
  ]);
export const rowToken = (columns: readonly Column[], row: readonly Value[]): Buffer =>
  Buffer.concat([Buffer.from([0xd1]), ...row.map((value, index) => cellBytes(columns[index]!.type, value))]);

export function doneToken({ rows, error, attention }: { rows?: number; error?: boolean; attention?: boolean }): Buffer {
  const status = (error ? 0x02 : 0) | (rows === undefined ? 0 : 0x10) | (attention ? 0x20 : 0);
  return Buffer.concat([Buffer.from([0xfd]), u16(status), u16(0), littleEndian(BigInt(rows ?? 0), 8)]);
}
export function errorToken(number: number, message: string): Buffer {
  const body = Buffer.concat([
    u32(number),
    Buffer.from([1, number === 18_456 ? 14 : 16]),
    u16(message.length),
    Buffer.from(message, 'ucs2'),
    shortString('test'),
    shortString(''),
    u32(1),
  ]);
  return Buffer.concat([Buffer.from([0xaa]), u16(body.length), body]);
}
export function loginAck(): Buffer {
  const body = Buffer.concat([
    Buffer.from([1, 0x74, 0, 0, 4]),
    shortString('Microsoft SQL Server'),
    Buffer.from([16, 0, 0, 0]),
  ]);
  return Buffer.concat([Buffer.from([0xad]), u16(body.length), body]);
}
