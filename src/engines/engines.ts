import type { OwnEngine } from './engine.ts';
import * as table from './table.ts';

export const ENGINES: readonly OwnEngine[] = Object.values(table);

export const findEngine = (kind: string): OwnEngine | undefined => ENGINES.find((item) => item.kind === kind);
