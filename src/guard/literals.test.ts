// Parses each written literal with the dialect's parser, which must return exactly one literal with the original value.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDialect } from '../dialects/dialects.ts';
import { FaultCollector } from '../dialects/fault-collector.ts';
import { type ConstantValue, toConstant } from '../dialects/nodes.ts';
import { analyzeExpression } from './analyze-expression.ts';
import { formatLiteral, quoteIdentifier } from './literals.ts';

/** Returns the literals that `select <text>` selects. Undefined for other expressions. */
async function parseValues(dialect: string, text: string): Promise<(ConstantValue | undefined)[]> {
  const query = await findDialect(dialect).read(`select ${text}`, new FaultCollector());
  if (query?.kind !== 'select') return [];
  const { items, from, where, groupBy, having, qualify, limit, orderBy } = query;
  if (from.length > 0 || where || groupBy || having || qualify || limit || orderBy.length > 0) return [];
  return items.map(({ value, alias }) => (alias === null ? toConstant(value) : undefined));
}
const DIALECTS = ['postgres', 'duckdb'] as const;

const hostileTexts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom("'", '"', '\\', '--', '/*', '*/', ';', '$$', '\n', 'x', ' ', ')', 'é', '%', ':a', '$1'))
    .map((parts) => parts.join('')),
);

describe.each(DIALECTS)('a literal of %s', (dialect) => {
  it('writes any string as one constant, or refuses the string', async () => {
    await fc.assert(
      fc.asyncProperty(hostileTexts, async (value) => {
        if (value.includes('\u0000') || /\p{Surrogate}/u.test(value)) {
          expect(() => formatLiteral(dialect, value, 'string')).toThrow();
          return;
        }
        expect(await parseValues(dialect, formatLiteral(dialect, value, 'string'))).toEqual([value]);
      }),
      { numRuns: 300 },
    );
  });

  it('writes numbers exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat(999), async (whole, part) => {
        const decimal = `${whole}.${String(part).padStart(3, '0')}`;
        for (const [text, datatype] of [
          [decimal, 'decimal'],
          [String(whole), 'integer'],
        ] as const) {
          const [foundValue, ...otherValues] = await parseValues(dialect, formatLiteral(dialect, text, datatype));
          expect(otherValues).toEqual([]);
          expect(String(foundValue)).toBe(text);
        }
      }),
      { numRuns: 100 },
    );
    for (const value of [0.1, -2.5, 1e21, 1e-7]) {
      expect((await parseValues(dialect, formatLiteral(dialect, value, 'float'))).map(Number)).toEqual([value]);
    }
  });

  it('writes dates, times and booleans, and refuses other values', async () => {
    expect(formatLiteral(dialect, '2016-01-01', 'date')).toBe("DATE '2016-01-01'");
    expect(formatLiteral(dialect, '2016-01-01T12:30:00', 'datetime')).toBe("TIMESTAMP '2016-01-01 12:30:00'");
    expect(await parseValues(dialect, formatLiteral(dialect, '2016-01-01', 'date'))).toEqual(['2016-01-01']);
    expect(await parseValues(dialect, formatLiteral(dialect, '2016-01-01T12:30:00Z', 'datetimetz'))).toEqual([
      '2016-01-01 12:30:00Z',
    ]);
    expect(formatLiteral(dialect, true, 'boolean')).toBe('TRUE');
    for (const [value, datatype] of [
      [Number.NaN, 'float'],
      [Number.POSITIVE_INFINITY, 'decimal'],
      ['1; drop table x', 'integer'],
      ['1.5', 'integer'],
      ['0x10', 'integer'],
      ["2016-01-01' or true", 'date'],
      ['tomorrow', 'date'],
      ['yes', 'boolean'],
      [true, 'decimal'],
      ['a\u0000b', 'string'],
    ] as const) {
      expect(() => formatLiteral(dialect, value, datatype), String(value)).toThrow();
    }
  });

  it('quotes any identifier as one name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), async (name) => {
        const { columns, fault } = await analyzeExpression(dialect, quoteIdentifier(dialect, name));
        expect(fault).toBeNull();
        expect(columns).toEqual([[name]]);
      }),
      { numRuns: 150 },
    );
  });
});
