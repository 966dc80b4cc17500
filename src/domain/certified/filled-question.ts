// An approved question as it was asked: each place holds its parameter's value.
import type { JsonValue } from '../../contract/ask.ts';

const PLACE = /\{([a-z_][a-z0-9_]*)\}/gi;

export const filledQuestion = (question: string, parameters: Record<string, JsonValue>): string =>
  question.replaceAll(PLACE, (place, name: string) =>
    Object.hasOwn(parameters, name) ? String(parameters[name]) : place,
  );
