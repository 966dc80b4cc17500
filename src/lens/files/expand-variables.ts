// Replaces ${NAME} and ${NAME:-default} in svc.config.yaml, only with names that the operator allows.
export interface Expansion {
  text: string;
  /** Names that project files can't read. svc doesn't replace variables with these names. */
  refusedNames: string[];
  /** Allowed names without a value or a default. An empty string replaces each such variable. */
  missingNames: string[];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** As in a shell, `:-` also uses the default for an empty value. */
export function expandVariables(
  text: string,
  allowedNames: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Expansion {
  const refusedNames = new Set<string>();
  const missingNames = new Set<string>();
  const expandedText = text.replace(VARIABLE, (match, name: string, fallback: string | undefined) => {
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

export const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map((match) => match[1] ?? '');
