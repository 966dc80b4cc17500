// The change of files as a diff that git applies.
import { createTwoFilesPatch } from 'diff';

/** Null: the file is not there. Paths are said below `prefix`. */
export const unifiedDiff = (
  before: Record<string, string>,
  after: Record<string, string | null>,
  prefix: string,
): string =>
  Object.entries(after)
    .filter(([path, text]) => (before[path] ?? null) !== text)
    .map(([path, text]) =>
      createTwoFilesPatch(
        Object.hasOwn(before, path) ? `a/${prefix}${path}` : '/dev/null',
        text === null ? '/dev/null' : `b/${prefix}${path}`,
        before[path] ?? '',
        text ?? '',
        '',
        '',
      ).replace(/^=+\n/, ''),
    )
    .join('');
