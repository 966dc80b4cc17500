// Replaces ${NAME} and ${NAME:-default} in svc.config.yaml, only with names that the operator allows.
export interface Expansion {
  text: string;
  /** Names that project files can't read. svc doesn't replace them. */
  refused: string[];
  /** Allowed names without a value or a default. An empty string replaces them. */
  missing: string[];
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** As in a shell, `:-` also uses the default for an empty value. */
export function expandVariables(
  text: string,
  allowedNames: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Expansion {
  const refused = new Set<string>();
  const missing = new Set<string>();
  const expanded = text.replace(VARIABLE, (match, name: string, fallback: string | undefined) => {
    if (!allowedNames.includes(name)) {
      refused.add(name);
      return match;
    }
    const value = env[name];
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) missing.add(name);
    return value ?? '';
  });
  return { text: expanded, refused: [...refused], missing: [...missing] };
}

export const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map((match) => match[1] ?? '');
