// The dialects of svc and of its plugins, by name.
import { ENGINES } from '../engines/engines.ts';
import type { Dialect } from './dialect.ts';
import { createForeignDialect } from './foreign/foreign.ts';
import { FunctionList } from './function-list.ts';
import * as nodes from './make-nodes.ts';

const loadedDialects = new Map<string, Dialect>();

/** Loads a dialect, at most once. Call this function before `findDialect`. */
export async function loadDialect(name: string): Promise<Dialect> {
  const loadedDialect = loadedDialects.get(name);
  if (loadedDialect) return loadedDialect;
  const engine = ENGINES.find(({ dialect }) => dialect === name);
  if (!engine) throw new Error(`No dialect is called ${name}.`);
  const dialect = await engine.loadDialect();
  loadedDialects.set(name, dialect);
  return dialect;
}

/** Returns a dialect that `loadDialect` or `addDialects` has loaded. Throws for any other name. */
export function findDialect(name: string): Dialect {
  const dialect = loadedDialects.get(name);
  if (!dialect) throw new Error(`No dialect is called ${name}.`);
  return dialect;
}

/** Returns true if every svc process can load this dialect without plugins. */
export const isBuiltInDialect = (name: string): boolean => ENGINES.some(({ dialect }) => dialect === name);

/** The functions that svc passes to a plugin that defines dialects, because a plugin can't import svc's modules. */
const DIALECT_TOOLS = {
  foreign: createForeignDialect,
  nodes,
  functionList: (...args: ConstructorParameters<typeof FunctionList>) => new FunctionList(...args),
};
export type DialectTools = typeof DIALECT_TOOLS;

/** Returns the dialects of a plugin. If a dialect lacks members of `template`, throws an error that names them. */
export function createPluginDialects(make: (tools: DialectTools) => Dialect[], template: Dialect): Dialect[] {
  const pluginDialects = make(DIALECT_TOOLS);
  for (const dialect of pluginDialects) {
    if (isBuiltInDialect(dialect.name))
      throw new Error(`svc already has a dialect ${dialect.name}, so this dialect needs another name`);
    const missing = findMissingMembers(dialect, template, '');
    if (missing.length > 0) throw new Error(`the dialect ${dialect.name} lacks ${missing.join(', ')}`);
  }
  return pluginDialects;
}

/**
 * Registers dialects. Replaces a dialect with the same name, because several apps in one process can register the same
 * dialect.
 */
export function addDialects(newDialects: readonly Dialect[]): void {
  for (const dialect of newDialects) loadedDialects.set(dialect.name, dialect);
}

/** Returns the paths of the members that `template` has and `candidate` lacks. */
function findMissingMembers(candidate: unknown, template: object, path: string): string[] {
  return Object.entries(template).flatMap(([key, value]) => {
    const actual = (candidate as Record<string, unknown> | null)?.[key];
    const name = path + key;
    if (actual === undefined || (value !== null && actual !== null && typeof actual !== typeof value)) return [name];
    const isPlainObject = value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isPlainObject ? findMissingMembers(actual, value as object, `${name}.`) : [];
  });
}
