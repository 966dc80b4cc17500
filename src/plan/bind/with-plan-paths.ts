// Adds positions in the plan to the compiler's messages, which use only the lens's names.
import type { MetricsBody } from '../../contract/ask.ts';
import { Problem } from '../../platform/problem.ts';
import { CONDITION_FAULTS } from '../sql/compilation.ts';

export async function withPlanPaths<T>(body: MetricsBody, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code !== 'invalid' || fault.details.length === 0) throw fault;
    const details = fault.details.map((detail) => ({
      ...detail,
      path: findPathOfName(body, detail.path, CONDITION_FAULTS.has(detail)) ?? detail.path,
    }));
    throw new Problem('invalid', fault.message, { details, param: details[0]!.path });
  }
}

/** Returns the first position in the plan that has this name, with or without its dataset or period. */
function findPathOfName(body: MetricsBody, name: string, ofCondition: boolean): string | null {
  if (name === '' || Object.hasOwn(body, name)) return null;
  const texts = [...listNamesWithPaths(body, '')];
  const candidates = ofCondition ? [...texts.filter(isConditionPath), ...texts] : texts;
  const field = name.split('.').at(-1)!;
  const matchers: ((text: string) => boolean)[] = [
    (text) => text === name,
    (text) => text.startsWith(`${name}.`),
    (text) => text === field || text.startsWith(`${field}.`),
    (text) => text.split('.')[0] === name,
    (text) => name.endsWith(`_${text.split('.').at(-1)}`),
  ];
  for (const matches of matchers) {
    const position = candidates.find(({ text }) => matches(text));
    if (position) return position.path;
  }
  return null;
}

const isConditionPath = ({ path }: { path: string }): boolean => /(?:^filters|\.where)\[/.test(path);
const NAME_PATH_PATTERN =
  /(?:^|\.)(?:fn|metrics|measures|dimensions|field|rows|metric|exists|not_exists|of|by|per|every|as|measure|than|through|within)(?:\[\d+\])*$/;
function* listNamesWithPaths(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') {
    if (NAME_PATH_PATTERN.test(path)) yield { path, text: value };
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* listNamesWithPaths(item, `${path}[${index}]`);
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value))
      yield* listNamesWithPaths(item, path === '' ? key : `${path}.${key}`);
}
