// The running time grows with the square or cube of the number of changed lines. For large files, call the functions in
// read-files.ts, which use another process.
import { createTwoFilesPatch } from 'diff';
import { diff3Merge, diffIndices } from 'node-diff3';

export interface ComparedTexts {
  from: { path: string; text: string; header: string };
  to: { path: string; text: string; header: string };
}

export const createPatch = ({ from, to }: ComparedTexts): string =>
  createTwoFilesPatch(from.path, to.path, from.text, to.text, from.header, to.header);

export type MergeResult = { text: string } | { conflictLine: number };

export function mergeLines(base: string, editedText: string, theirText: string): MergeResult {
  const regions = diff3Merge(editedText.split('\n'), base.split('\n'), theirText.split('\n'));
  const firstConflict = regions.find(({ conflict }) => conflict !== undefined)?.conflict;
  return firstConflict
    ? { conflictLine: firstConflict.bIndex + 1 }
    : { text: regions.flatMap(({ ok }) => ok ?? []).join('\n') };
}

/** Returns the lines' numbers in the other version, from 1. A missing line gets the position where it would be. */
export function mapSameLines(text: string, otherText: string, lineNumbers: readonly number[]): number[] {
  const otherLines = otherText.split('\n');
  const changes = diffIndices(text.split('\n'), otherLines);
  return lineNumbers.map((line) => {
    let lineShift = 0; // removed lines so far, minus added lines
    for (const { buffer1, buffer2 } of changes) {
      const [start, length] = buffer1;
      if (start >= line) break;
      if (start + length >= line) return Math.min(buffer2[0] + 1, otherLines.length);
      lineShift = start + length - (buffer2[0] + buffer2[1]);
    }
    return line - lineShift;
  });
}
