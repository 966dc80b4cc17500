// What an apply may not say in svc.config.yaml: operator-only keys over HTTP, and variables that are not its to read.
import type { ConfigFile } from '../../contract/config-file.ts';
import { variablesIn } from '../../lens/expand-variables.ts';
import { type ProjectProblem, unknownName } from '../../lens/project-problem.ts';
import type { Complain } from '../../lens/yaml-file.ts';
import { KEPT } from '../connections/connection-secrets.ts';
import { canonicalJson } from '../receipts/canonical-json.ts';

export const OPERATOR_KEYS = ['server', 'models', 'plugins', 'limits', 'sign_in', 'demo'] as const;
/** The model provider's key is the operator's: a connection that arrives over HTTP could send it to any host. */
const OPERATORS_OWN = ['OPENAI_API_KEY', 'OPENAI_BASE_URL'];

/** CONTRACT 2: these keys take effect only from the operator's file. A key that is left out changes nothing. */
export function operatorOnlyProblems(
  config: ConfigFile,
  operator: Partial<ConfigFile> | null,
  complain: Complain,
): ProjectProblem[] {
  return OPERATOR_KEYS.filter((key) => {
    const asked = config[key];
    if (asked === undefined || (Array.isArray(asked) && asked.length === 0)) return false;
    return !sameButKept(asked, operator?.[key]);
  }).map((key) =>
    complain(
      [key],
      'operator_only',
      `"${key}" takes effect only from the operator's svc.config.yaml at start. Remove it here, or leave it as the operator has it.`,
      { key: true },
    ),
  );
}

function sameButKept(asked: unknown, is: unknown): boolean {
  if (asked === KEPT) return typeof is === 'string';
  if (asked === null || typeof asked !== 'object') return asked === is;
  if (is === null || typeof is !== 'object' || Array.isArray(asked) !== Array.isArray(is)) return false;
  const [left, right] = [asked as Record<string, unknown>, is as Record<string, unknown>];
  const keys = new Set(
    [...Object.keys(left), ...Object.keys(right)].filter((key) => left[key] !== undefined || right[key] !== undefined),
  );
  return [...keys].every((key) => sameButKept(left[key], right[key]));
}

export function variableProblems(
  config: ConfigFile,
  allowed: readonly string[],
  fromOperator: boolean,
  complain: Complain,
): ProjectProblem[] {
  const problems: ProjectProblem[] = [];
  const walk = (value: unknown, at: (string | number)[]): void => {
    if (typeof value === 'string') {
      const readable =
        fromOperator || at[0] !== 'connections' ? allowed : allowed.filter((name) => !OPERATORS_OWN.includes(name));
      for (const name of variablesIn(value))
        if (!readable.includes(name))
          problems.push(
            complain(
              at,
              'variable',
              `${unknownName('readable variable', name, readable)} The operator lists readable variables in SVC_PROJECT_ENV.`,
            ),
          );
    } else if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...at, Array.isArray(value) ? Number(key) : key]);
    }
  };
  walk(config, []);
  return problems;
}

export const sameJson = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null);
