// Loads the modules that svc loads with the first connection of a kind, so that tests can call parts of a dialect
// directly.
import { loadDialect } from '../../src/dialects/dialects.ts';
import { ENGINES } from '../../src/engines/engines.ts';

await Promise.all(ENGINES.map(({ dialect }) => loadDialect(dialect)));
