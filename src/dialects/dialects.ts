// The dialects that this process has loaded, by name: those of svc's engines, and those that plugins bring.
import { ENGINES } from '../engines/engines.ts';
import type { Dialect } from './dialect.ts';
import { foreign } from './foreign/foreign.ts';
import { FunctionList } from './function-list.ts';
import * as nodes from './make-nodes.ts';

const dialects = new Map<string, Dialect>();

/** Whoever gets the name of a dialect from outside, by a lens, a connection or a statement, loads it once. */
export async function loadDialect(name: string): Promise<Dialect> {
  const known = dialects.get(name);
  if (known) return known;
  const engine = ENGINES.find(({ dialect }) => dialect === name);
  if (!engine) throw new Error(`No dialect is called ${name}.`);
  const dialect = await engine.loadDialect();
  dialects.set(name, dialect);
  return dialect;
}

/** A dialect that was loaded before. */
export function dialectOf(name: string): Dialect {
  const dialect = dialects.get(name);
  if (!dialect) throw new Error(`No dialect is called ${name}.`);
  return dialect;
}

/** Every process of svc can load it. */
export const isOurs = (name: string): boolean => ENGINES.some(({ dialect }) => dialect === name);

/** What a plugin makes its dialects of; it imports nothing of ours. */
export interface DialectTools {
  foreign: typeof foreign;
  /** Makes nodes of trees. */
  nodes: typeof nodes;
  functionList(...given: ConstructorParameters<typeof FunctionList>): FunctionList;
}
const TOOLS: DialectTools = { foreign, nodes, functionList: (groups) => new FunctionList(groups) };

/** The dialects that a plugin brings, each with every member that `whole` has; throws, naming what is wrong with one. */
export function dialectsFrom(make: (tools: DialectTools) => Dialect[], whole: Dialect): Dialect[] {
  const made = make(TOOLS);
  for (const dialect of made) {
    if (isOurs(dialect.name)) throw new Error(`the dialect ${dialect.name} is svc's own`);
    const missing = unsaid(dialect, whole, '');
    if (missing.length > 0) throw new Error(`the dialect ${dialect.name} does not say ${missing.join(', ')}`);
  }
  return made;
}

/** It may come again: each app loads its plugins. */
export function addDialects(made: readonly Dialect[]): void {
  for (const dialect of made) dialects.set(dialect.name, dialect);
}

/** What `whole` says and this does not, however deep. */
function unsaid(found: unknown, whole: object, path: string): string[] {
  return Object.entries(whole).flatMap(([key, value]) => {
    const said = (found as Record<string, unknown> | null)?.[key];
    const name = path + key;
    if (said === undefined || (value !== null && said !== null && typeof said !== typeof value)) return [name];
    const plain = value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return plain ? unsaid(said, value as object, `${name}.`) : [];
  });
}
