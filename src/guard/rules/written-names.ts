// Checks whether a statement can run as written: nothing in its tables is hidden from the caller, and no column outside
// the lens can change what a name means.
import type { Dialect } from '../../dialects/dialect.ts';
import { foldName } from '../../dialects/fold-name.ts';
import { type AmbiguousTable, type ApprovedSql, type GovernedRelation, toQualifiedName } from '../guarded-sql.ts';
import type { NameDisambiguator, NameScope, ScopeSource } from './name-scope.ts';

/** Stands in for all column names, because `*` and NATURAL JOIN read every column. */
export const ALL_COLUMNS = '*';

export class WrittenNameChecker {
  readonly objections = new Set<string>();
  readonly #reaches = new Map<GovernedRelation, Set<string>>();

  /**
   * Records that an unlisted column with this name would change the meaning of the statement, unless `disambiguate`
   * prevents it.
   */
  noteAmbiguousName(sources: Iterable<ScopeSource>, name: string, disambiguate: NameDisambiguator | null = null): void {
    for (const source of sources) {
      this.#recordName(source, name);
      source.disambiguators.push(disambiguate);
    }
  }

  #recordName({ relation }: ScopeSource, name: string): void {
    if (!relation) return;
    const names = this.#reaches.get(relation) ?? new Set();
    this.#reaches.set(relation, names.add(name));
  }

  /** Calls `noteAmbiguousName` for each table in `scope` and its parents up to `level`, except for `excludedSource`. */
  noteAmbiguousNameUpTo(
    scope: NameScope,
    level: number,
    name: string,
    excludedSource: ScopeSource | null,
    disambiguate: NameDisambiguator | null = null,
  ): void {
    for (const [scopeLevel, { sources }] of [...scope.listLevels()].entries())
      if (scopeLevel <= level)
        this.noteAmbiguousName(
          sources.filter((source) => source !== excludedSource),
          name,
          disambiguate,
        );
  }

  toApprovedSql(tables: readonly { source: ScopeSource }[], text: string): ApprovedSql {
    for (const { source } of tables) {
      const { uses, relation } = source;
      const { policies, plain } = relation!;
      for (const policy of policies) this.objections.add(`row policy ${policy} on ${relation!.dataset}`);
      if (!plain) this.objections.add(`svc knows no column of ${relation!.dataset} that the lens leaves unchanged`);
      if (uses.raw) this.objections.add(`masked fields of ${relation!.dataset}`);
      if (uses.star || uses.natural || uses.renamed) this.#recordName(source, ALL_COLUMNS);
    }
    const reaches = [...this.#reaches].map(([relation, names]) => ({ relation, names: [...names] }));
    return { text, objections: [...this.objections], ambiguousTables: reaches };
  }
}

/** Returns the reason why a name could refer to a column outside the lens, or null if no name could. */
export function explainAmbiguity(
  { relation, names }: AmbiguousTable,
  columns: readonly string[] | null,
  dialect: Dialect,
): string | null {
  const fold = (name: string) => foldName(dialect, name);
  const table = toQualifiedName(relation);
  if (!columns) return `the columns of ${table} could not be read`;
  const plainColumns = new Set((relation.plain ?? []).map(fold));
  const unlistedNames = columns.map(fold).filter((name) => !plainColumns.has(name));
  if (names.includes(ALL_COLUMNS) && (unlistedNames.length > 0 || relation.columns.length !== columns.length))
    return `the columns of ${table} differ from the columns in the lens`;
  const hiddenNames = new Set([...unlistedNames, ...dialect.systemColumns]);
  const usesHidden = names.some((name) => hiddenNames.has(fold(name)));
  return usesHidden ? `${table} has a column outside the lens whose name the SQL uses` : null;
}
