// Finds each ${NAME} in svc.config.yaml that has no value, with its line. At startup, svc reports all these variables
// instead of running with, for example, an empty password.
import { isPair, LineCounter, parseDocument, visit } from 'yaml';
import { expandVariables } from './expand-variables.ts';

interface Variables {
  allowed: readonly string[];
  values: Readonly<Record<string, string | undefined>>;
}
/** Without these variables, an entry of `models` isn't configured. */
const OPTIONAL_VARIABLES = ['OPENAI_API_KEY', 'OPENAI_BASE_URL'];

/** `keys`: the top-level keys to check. */
export function findUnsetVariables(
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
