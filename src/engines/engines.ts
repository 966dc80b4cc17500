import type { BuiltInEngine } from './engine.ts';
import * as table from './table.ts';

export const ENGINES: readonly BuiltInEngine[] = Object.values(table);

export const findEngine = (kind: string): BuiltInEngine | undefined => ENGINES.find((item) => item.kind === kind);
