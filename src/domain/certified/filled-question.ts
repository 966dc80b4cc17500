// An approved question with the values of its parameters in its placeholders.
import type { JsonValue } from '../../contract/ask.ts';

const PLACEHOLDER = /\{([a-z_][a-z0-9_]*)\}/gi;

export const fillQuestion = (question: string, parameters: Record<string, JsonValue>): string =>
  question.replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : placeholder,
  );
