// Decodes decimals and money again from their bytes to keep every digit, because tedious reads them as floats.
export interface ValueParser {
  readValue(
    buffer: Buffer,
    offset: number,
    metadata: { type: { name: string }; scale?: number },
    options: unknown,
  ): { value: unknown; offset: number };
}

const exactValueParsers = new WeakSet<ValueParser>();

export function patchToKeepDigits(parser: ValueParser): void {
  if (exactValueParsers.has(parser)) return;
  exactValueParsers.add(parser);
  const { readValue } = parser;
  parser.readValue = (buffer, offset, metadata, options) => {
    const readValueResult = readValue(buffer, offset, metadata, options);
    const { name } = metadata.type;
    if (readValueResult.value === null) return readValueResult;
    // A value of a nullable type starts with its length.
    const bytes = buffer.subarray(name.endsWith('N') ? offset + 1 : offset, readValueResult.offset);
    if (name === 'NumericN' || name === 'DecimalN')
      return { ...readValueResult, value: decodeDecimal(bytes, metadata.scale ?? 0) };
    return /^(?:Small)?MoneyN?$/.test(name) ? { ...readValueResult, value: decodeMoney(bytes) } : readValueResult;
  };
}

/**
 * Decodes a decimal. The first byte is the sign. Then come the digits without the decimal point, least significant byte
 * first.
 */
function decodeDecimal(bytes: Buffer, scale: number): string {
  let digits = 0n;
  for (let index = bytes.length - 1; index > 0; index--) digits = (digits << 8n) | BigInt(bytes[index]!);
  return insertDecimalPoint(bytes[0] === 0 ? -digits : digits, scale);
}

/**
 * Decodes an amount of money, which is stored as a number of ten-thousandths. If there are eight bytes, the upper four
 * come first.
 */
const decodeMoney = (bytes: Buffer): string =>
  insertDecimalPoint(
    bytes.length === 4
      ? BigInt(bytes.readInt32LE(0))
      : (BigInt(bytes.readInt32LE(0)) << 32n) | BigInt(bytes.readUInt32LE(4)),
    4,
  );

function insertDecimalPoint(number: bigint, scale: number): string {
  const digits = String(number < 0n ? -number : number).padStart(scale + 1, '0');
  const integer = digits.slice(0, digits.length - scale);
  return `${number < 0n ? '-' : ''}${integer}${scale > 0 ? `.${digits.slice(digits.length - scale)}` : ''}`;
}
