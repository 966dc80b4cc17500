import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../contract/receipt.ts';
import { runWithoutPauses } from '../../platform/schedule/in-turns.ts';
import { computeSha256, hashRowsInSteps, toCanonicalJson } from './canonical-json.ts';
import { checkSignature, type ReceiptKey, signReceipt } from './receipt.ts';

const createReceiptKey = (text: string): ReceiptKey => ({
  id: text.slice(0, 4),
  raw: Buffer.from(text.padEnd(32, '-')),
});
const [k1, k2] = [createReceiptKey('first'), createReceiptKey('second')];
const unsignedReceipt: Receipt = {
  v: 1,
  request_id: '0199c2a0-0000-7000-8000-000000000000',
  lens: 'superstore',
  lens_version: 3,
  served_at: '2026-01-31T12:00:00.000Z',
  confidence: 'verified',
  certification: 'assisted',
  sql_sha256: 'a'.repeat(64),
  parameters_sha256: null,
  result_sha256: 'b'.repeat(64),
  row_count: 1,
  data_as_of: null,
};

describe('a signed receipt', () => {
  const signedReceipt = signReceipt(unsignedReceipt, [k1]);

  it('RCP-02 carries the hex HMAC-SHA256 of the canonical JSON of its other members', () => {
    const { digest, ...members } = signedReceipt;
    expect(digest).toBe(createHmac('sha256', k1.raw).update(toCanonicalJson(members)).digest('hex'));
    expect(checkSignature(signedReceipt, [k1])).toBe('valid');
  });

  it('RCP-03 is invalid after any edit, addition or removal of a member', () => {
    const members = Object.keys(signedReceipt).filter((name) => name !== 'digest');
    fc.assert(
      fc.property(
        fc.constantFrom(...members),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        (name, value) => {
          fc.pre((signedReceipt as Record<string, unknown>)[name] !== value);
          const outcome = name === 'key_id' && typeof value === 'string' ? 'unkeyed' : 'invalid';
          expect(checkSignature({ ...signedReceipt, [name]: value }, [k1])).toBe(outcome);
        },
      ),
    );
    for (const name of members) {
      const { [name]: _gone, ...rest } = signedReceipt as Record<string, unknown>;
      expect(checkSignature(rest, [k1]), name).toBe('invalid');
    }
    expect(checkSignature({ ...signedReceipt, extra: 1 }, [k1])).toBe('invalid');
    expect(checkSignature({ ...signedReceipt, digest: `${signedReceipt.digest!.slice(0, -1)}x` }, [k1])).toBe(
      'invalid',
    );
  });

  it('RCP-03 is unsigned without its digest, and unkeyed if svc holds no key', () => {
    const { digest: _digest, ...rest } = signedReceipt;
    expect(checkSignature(rest, [k1])).toBe('unsigned');
    expect(checkSignature(signedReceipt, [])).toBe('unkeyed');
  });

  it('RCP-04, Z10 verifies under any key of the list, and is unkeyed if its key is missing', () => {
    expect(checkSignature(signedReceipt, [k2, k1])).toBe('valid');
    expect(checkSignature(signedReceipt, [k2])).toBe('unkeyed');
    expect(checkSignature({ ...signedReceipt, key_id: k2.id }, [k2])).toBe('invalid');
    expect(signReceipt(unsignedReceipt, [k2, k1]).key_id).toBe(k2.id);
  });

  it('has no digest, alg or key_id if no key is configured', () => {
    expect(signReceipt(unsignedReceipt, [])).toEqual(unsignedReceipt);
  });
});

describe('canonical JSON', () => {
  it('RCP-01 doesn’t depend on the order of members, and keeps the values that JSON keeps', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null))), (members) => {
        const reversedMembers = Object.fromEntries(Object.entries(members).reverse());
        expect(toCanonicalJson(reversedMembers)).toBe(toCanonicalJson(members));
        expect(JSON.parse(toCanonicalJson(members))).toEqual(JSON.parse(JSON.stringify(members)));
      }),
    );
  });

  it('RCP-01 writes the example of RFC 8785 section 3.2.2', () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: the example of the RFC, digit for digit
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(toCanonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });
});

describe('the hash of a result', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const names = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 5 });

  it('equals the hash of its canonical JSON, for any number of rows and any names', () => {
    const results = names.chain((columns) =>
      fc.array(fc.tuple(...columns.map(() => cell)), { maxLength: 250, size: 'max' }).map((rows) =>
        rows.map((cells) => {
          const row: Record<string, unknown> = {};
          for (const [index, name] of columns.entries()) row[name] = cells[index];
          return row;
        }),
      ),
    );
    fc.assert(
      fc.property(results, (rows) => {
        expect(runWithoutPauses(hashRowsInSteps(rows))).toBe(computeSha256(toCanonicalJson(rows)));
      }),
      { numRuns: 60 },
    );
  });

  it('is refused for text that isn’t valid Unicode', () => {
    expect(() => runWithoutPauses(hashRowsInSteps([{ a: '\ud800' }]))).toThrow(/surrogate/);
  });
});
