// Schemas that several project files share, such as names and descriptions.
import { z } from 'zod';
import { DATATYPES } from '../warehouse.ts';

export const lowercaseNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,62}$/, 'must be lowercase letters, digits, "_" or "-", starting with a letter');
export const newLensNameSchema = lowercaseNameSchema.refine(
  (name) => name !== 'auto',
  'auto is reserved: the model svc/auto picks a lens. Choose another name',
);
export const identifierSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be letters, digits or "_", not starting with a digit');
export const entryIdSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_.-]{0,99}$/,
    'must be lowercase letters, digits, "-", "_" or ".", starting with a letter or a digit',
  );
export const textSchema = z.string().trim().min(1).max(4000);
/** One line of text that svc repeats to others, so it must not start a paragraph, a code fence or a heading. */
export const oneLineSchema = z
  .string()
  .trim()
  .regex(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/, 'must be one line of visible text');
export const wordsSchema = z.array(z.string().trim().min(1).max(200)).max(200);
export const sqlTextSchema = z.string().trim().min(1).max(100_000);
export const datatypeSchema = z.enum(DATATYPES);
export const durationSchema = z
  .string()
  .regex(
    /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/,
    'must be an ISO 8601 duration, like P400D',
  );
/** YAML 1.2 reads dates as strings. */
export const plainValueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** The JSON Schema that zod generates can't express a limit for the number of members. */
export const createMaxEntriesRule = (maxCount: number, noun: string): [(record: object) => boolean, string] => [
  (record) => Object.keys(record).length <= maxCount,
  `must have at most ${maxCount} ${noun}`,
];
