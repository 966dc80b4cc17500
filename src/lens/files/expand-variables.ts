// Replaces ${NAME} and ${NAME:-default} in svc.config.yaml. Only variables that the operator allows are replaced.
import { isPair, LineCounter, parseDocument, visit } from 'yaml';

export interface ExpandedText {
  text: string;
  /** Names that project files can't read. svc doesn't replace variables with these names. */
  refusedNames: string[];
  /** Allowed variables without a value or a default. svc replaces each of them with an empty string. */
  missingNames: string[];
}

const VARIABLE_PATTERN = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The operator `:-` also applies the default to an empty value, as in a shell. */
export function expandVariables(
  text: string,
  allowedNames: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ExpandedText {
  const refusedNames = new Set<string>();
  const missingNames = new Set<string>();
  const expandedText = text.replace(VARIABLE_PATTERN, (match, name: string, fallback: string | undefined) => {
    if (!allowedNames.includes(name)) {
      refusedNames.add(name);
      return match;
    }
    const value = env[name];
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) missingNames.add(name);
    return value ?? '';
  });
  return { text: expandedText, refusedNames: [...refusedNames], missingNames: [...missingNames] };
}

export const findVariables = (text: string): string[] =>
  [...text.matchAll(VARIABLE_PATTERN)].map((match) => match[1] ?? '');

interface Variables {
  allowed: readonly string[];
  values: Readonly<Record<string, string | undefined>>;
}
/** If one of these variables is unset, svc ignores the entry of `models` that uses it. */
const OPTIONAL_VARIABLES = ['OPENAI_API_KEY', 'OPENAI_BASE_URL'];

/** `keys` contains the top-level keys to check. */
export function findVariableFaults(
  path: string,
  text: string,
  keys: readonly string[],
  variables: Variables,
): string[] {
  const lines = new LineCounter();
  const faults: string[] = [];
  visit(parseDocument(text, { lineCounter: lines, uniqueKeys: false }), {
    Scalar(key, node, [, , top]) {
      if (key === 'key' || typeof node.value !== 'string' || !isPair(top) || !keys.includes(String(top.key))) return;
      const { missingNames, refusedNames } = expandVariables(node.value, variables.allowed, variables.values);
      const location = `${path}:${lines.linePos(node.range?.[0] ?? 0).line}`;
      for (const name of missingNames)
        if (String(top.key) !== 'models' || !OPTIONAL_VARIABLES.includes(name))
          faults.push(
            `${location}: ${name} is not set. Set it in the environment of svc, or write \${${name}:-} if it may be empty.`,
          );
      for (const name of refusedNames)
        faults.push(`${location}: ${name} is not available to project files. Add it to SVC_PROJECT_ENV.`);
    },
  });
  return faults;
}
