// A YAML parser rejects the incomplete text during editing, so this module finds keys by indentation and open braces.

export interface CursorContext {
  /** The keys from the top level down. A list item is `[]`. */
  path: string[];
  word: string;
  from: number;
  /** True if a value is expected, false for a key. */
  isValue: boolean;
  /** The other keys in the map that contains the cursor. */
  siblings: string[];
}

const KEY_PATTERN = /^(\s*(?:- +)*)("[^"]*"|'[^']*'|[^\s:#{}[\],"'-][^:#{}[\],]*?)\s*:(?:\s|$)/;
const stripQuotes = (key: string): string => key.trim().replace(/^["']|["']$/g, '');

export function findCursorContext(text: string, position: number): CursorContext {
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(lineStart, position);
  const word = /[\w.-]*$/.exec(line)![0].replace(/^-+(?=$)/, '');
  const from = position - word.length;
  const blockPosition = findBlockPath(text, lineStart, line);
  const openBraces = findFlowPath(line);
  if (openBraces) {
    const keyMatch = KEY_PATTERN.exec(line);
    const path = [
      ...blockPosition.path,
      ...(/^\s*- /.test(line) ? ['[]'] : []),
      ...(keyMatch ? [stripQuotes(keyMatch[2]!)] : []),
      ...openBraces.path,
    ];
    return { path, word, from, isValue: openBraces.value, siblings: openBraces.keys };
  }
  const isItem = /^\s*(- +)+/.test(line);
  const path = isItem ? [...blockPosition.path, '[]'] : blockPosition.path;
  const keyMatch = KEY_PATTERN.exec(line);
  if (keyMatch && position - lineStart >= keyMatch[0].length)
    return { path: [...path, stripQuotes(keyMatch[2]!)], word, from, isValue: true, siblings: [] };
  return { path, word, from, isValue: false, siblings: blockPosition.siblings };
}

/** Returns the keys above the line that have less indentation, and the keys in the same map. */
function findBlockPath(text: string, lineStart: number, line: string): { path: string[]; siblings: string[] } {
  const path: string[] = [];
  const siblings: string[] = [];
  const lineColumns = measureIndentation(line);
  // `column` is the column of the keys in a map, or of the dashes in a list.
  let isList = lineColumns.dash !== null;
  let column = lineColumns.dash ?? lineColumns.key;
  let isSameMap = true;
  for (const precedingLine of text.slice(0, lineStart).split('\n').reverse()) {
    const key = KEY_PATTERN.exec(precedingLine);
    if (!key || precedingLine.trim().startsWith('#')) continue;
    const aboveColumns = measureIndentation(precedingLine);
    const startsItem = !isList && aboveColumns.key === column && aboveColumns.dash !== null;
    if (!isList && aboveColumns.key === column && isSameMap) siblings.push(stripQuotes(key[2]!));
    const isParent = isList
      ? aboveColumns.key <= column && (aboveColumns.dash ?? -1) < column
      : aboveColumns.key < column;
    if (!isParent && !startsItem) continue;
    if (isParent) path.unshift(stripQuotes(key[2]!));
    if (aboveColumns.dash !== null) path.unshift('[]');
    isList = aboveColumns.dash !== null;
    column = aboveColumns.dash ?? aboveColumns.key;
    isSameMap = false;
  }
  return { path, siblings };
}

function measureIndentation(line: string): { dash: number | null; key: number } {
  const dash = /^(\s*)- /.exec(line);
  return { dash: dash ? dash[1]!.length : null, key: /^\s*(?:- +)*/.exec(line)![0].length };
}

/** Returns the keys of the braces that are open at the end of a line such as `{a: {b: [`, or null. */
function findFlowPath(line: string): { path: string[]; value: boolean; keys: string[] } | null {
  const openBrackets: { isList: boolean; key: string | null; keys: string[] }[] = [];
  let token = '';
  for (let index = 0; index < line.length; index++) {
    const sign = line[index]!;
    const top = openBrackets.at(-1);
    if (sign === '"' || sign === "'") {
      const end = line.indexOf(sign, index + 1);
      if (end < 0) return null;
      token += line.slice(index, end + 1);
      index = end;
    } else if (sign === '{' || sign === '[') {
      openBrackets.push({ isList: sign === '[', key: null, keys: [] });
      token = '';
    } else if (sign === '}' || sign === ']') {
      openBrackets.pop();
      token = '';
    } else if (sign === ',' && top) {
      top.key = null;
      token = '';
    } else if (sign === ':' && top && !top.isList && /\s|$/.test(line[index + 1] ?? '')) {
      top.key = stripQuotes(token);
      top.keys.push(top.key);
      token = '';
    } else token += sign;
  }
  const top = openBrackets.at(-1);
  if (!top) return null;
  const path = openBrackets.flatMap(({ isList: list, key }) => (list ? ['[]'] : key === null ? [] : [key]));
  return { path, value: top.isList || top.key !== null, keys: top.keys };
}
