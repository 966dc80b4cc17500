// Loads what svc loads with the first connection of a kind, so that tests may call the parts of a dialect directly.
import { loadDialect } from '../../src/dialects/dialects.ts';
import { ENGINES } from '../../src/engines/engines.ts';

await Promise.all(ENGINES.map(({ dialect }) => loadDialect(dialect)));
