// Walks a parsed YAML document once, records the position of each key and value, and checks the limits.
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';

export type YamlPath = readonly (string | number)[];
export interface FilePosition {
  line: number;
  column: number;
}
/** The positions of all keys and values, in a form that processes can quickly send to one another. */
export interface FilePositions {
  /** JSON pointers. Each pointer ends with a NUL, which no key contains. */
  pointers: string;
  /** Line and column of the key and of the value for each pointer. 0 if the pointer has no key or no value. */
  numbers: Int32Array;
}
export interface YamlFault extends FilePosition {
  code: 'duplicate_key' | 'invalid' | 'too_large' | 'yaml';
  message: string;
}

const MAX_ENTRIES = 50_000; // enough for 200 tables with 40 columns
const MAX_DEPTH = 100;
const MAX_ALIASES = 50;
const MAX_FAULTS = 200;
const MAX_PROPERTIES = 100;
const MAX_KEY_LENGTH = 500; // characters
const MAX_PATH_CHARACTERS = 16_000_000; // characters of all pointers, because longer pointers would use too much memory
/** Matches characters that no database can store. They can come from escapes in double quotes. */
const UNSTORABLE_CHARACTER_PATTERN = /\0|[\ud800-\udfff]/u;

export const YAML_LIMITS = { entries: MAX_ENTRIES, aliases: MAX_ALIASES, faults: MAX_FAULTS };

export const toPointer = (path: YamlPath): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Reports a long sequence of anchors and tags, because the time to parse it grows with the cube of their number. */
export function findPropertiesFault(text: string): string | null {
  let consecutiveCount = 0;
  for (const [word] of text.matchAll(/#.*|\S+/g)) {
    if (word.startsWith('#')) continue;
    consecutiveCount = word.startsWith('&') || word.startsWith('!') ? consecutiveCount + 1 : 0;
    if (consecutiveCount > MAX_PROPERTIES)
      return `The file has more than ${MAX_PROPERTIES} anchors and tags in a row. A value can have one of each.`;
  }
  return null;
}

/** Records positions and reports faults, in time that is linear in the size of the document. */
export function walkYaml(doc: Document, lines: LineCounter): { places: FilePositions; faults: YamlFault[] } {
  const pointers: string[] = [];
  const numbers: number[] = [];
  const faults: YamlFault[] = [];
  let entries = 0;
  let aliases = 0;
  let totalPathLength = 0;
  const positionOfNode = (node: unknown): FilePosition | null =>
    toPosition(lines, isNode(node) ? node.range?.[0] : undefined);
  const addFault = (node: unknown, code: YamlFault['code'], message: string): void => {
    if (faults.length < MAX_FAULTS) faults.push({ ...(positionOfNode(node) ?? { line: 1, column: 1 }), code, message });
  };
  const checkText = (node: unknown): void => {
    if (isScalar(node) && typeof node.value === 'string' && UNSTORABLE_CHARACTER_PATTERN.test(node.value))
      addFault(node, 'invalid', 'This text contains a NUL character or half of a surrogate pair. Remove it.');
  };
  const walk = (node: unknown, key: unknown, pointer: string, depth: number): void => {
    const [keyPlace, valuePlace] = [positionOfNode(key), positionOfNode(node)];
    pointers.push(pointer);
    numbers.push(keyPlace?.line ?? 0, keyPlace?.column ?? 0, valuePlace?.line ?? 0, valuePlace?.column ?? 0);
    if (++entries === MAX_ENTRIES + 1)
      addFault(node, 'too_large', `The file has more than ${MAX_ENTRIES} keys and list items. Split it.`);
    if (entries > MAX_ENTRIES) return;
    totalPathLength += pointer.length;
    if (totalPathLength > MAX_PATH_CHARACTERS) {
      if (totalPathLength - pointer.length <= MAX_PATH_CHARACTERS)
        addFault(
          node,
          'too_large',
          `The paths to all keys and list items of this file have more than ${MAX_PATH_CHARACTERS} characters in total. Shorten the keys that have many values below them.`,
        );
      return;
    }
    if (depth > MAX_DEPTH) {
      addFault(node, 'yaml', `This value is nested more than ${MAX_DEPTH} levels deep. Use fewer levels.`);
      return;
    }
    if (isAlias(node) && ++aliases === MAX_ALIASES + 1)
      addFault(node, 'yaml', 'The file uses too many YAML aliases. Write the values out.');
    if (isAlias(node) && aliases <= MAX_ALIASES && !node.resolve(doc))
      addFault(
        node,
        'yaml',
        `There is no anchor "&${node.source}" before this alias. Add the anchor, or write the value out.`,
      );
    checkText(node);
    if (isSeq(node))
      for (const [index, item] of node.items.entries()) walk(item, null, `${pointer}/${index}`, depth + 1);
    if (!isMap(node)) return;
    const seenKeys = new Set<unknown>();
    for (const pair of node.items) {
      if (!isScalar(pair.key)) {
        addFault(pair.key, 'yaml', 'A key must be a word, not a map, a list or an alias.');
        continue;
      }
      const name = pair.key.value;
      if (String(name).length > MAX_KEY_LENGTH) {
        addFault(pair.key, 'too_large', `A key is longer than ${MAX_KEY_LENGTH} characters. Shorten it.`);
        continue;
      }
      if (name === '<<') {
        addFault(
          pair.key,
          'yaml',
          'svc does not read merge keys (<<). Write the keys out, or use an alias as the value.',
        );
        continue;
      }
      if (node.flow && pair.value === null) {
        const hint = 'In braces, a comma ends a value, so a value with a comma needs quotation marks.';
        addFault(pair.key, 'yaml', `The key "${String(name)}" has no value. ${hint}`);
        continue;
      }
      if (seenKeys.has(name))
        addFault(pair.key, 'duplicate_key', `The key "${String(name)}" occurs more than once. Remove one.`);
      seenKeys.add(name);
      checkText(pair.key);
      walk(pair.value, pair.key, pointer + toPointer([String(name)]), depth + 1);
    }
  };
  walk(doc.contents, null, '', 0);
  const positions = { pointers: pointers.map((pointer) => `${pointer}\0`).join(''), numbers: Int32Array.from(numbers) };
  return { places: positions, faults };
}

export function toPosition(lines: LineCounter, offset: number | undefined): FilePosition | null {
  if (offset === undefined) return null;
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Returns a function that finds the position of a path, or of its closest ancestor in the file. */
export function createPositionFinder({
  pointers,
  numbers,
}: FilePositions): (path: YamlPath, key: boolean) => FilePosition {
  let indexByPointer: Map<string, number> | undefined;
  const positionAt = (index: number, offset: 0 | 2): FilePosition | null => {
    const line = numbers[index * 4 + offset] ?? 0;
    return line === 0 ? null : { line, column: numbers[index * 4 + offset + 1]! };
  };
  return (keyPath, key) => {
    indexByPointer ??= new Map(pointers.split('\0').map((pointer, index) => [pointer, index]));
    for (let depth = keyPath.length; depth >= 0; depth--) {
      const index = indexByPointer.get(toPointer(keyPath.slice(0, depth)));
      if (index === undefined) continue;
      const position = ((key || depth < keyPath.length) && positionAt(index, 0)) || positionAt(index, 2);
      if (position) return position;
    }
    return { line: 1, column: 1 };
  };
}
