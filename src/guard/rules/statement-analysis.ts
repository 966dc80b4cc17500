// Collects what the guard finds in one statement, and looks up names in the guard's scope.
import type { Dialect } from '../../dialects/dialect.ts';
import { type FaultCollector, suggestNames } from '../../dialects/fault-collector.ts';
import { foldName } from '../../dialects/fold-name.ts';
import type { ConstantValue } from '../../dialects/nodes.ts';
import type { DerivedTable, Select, SelectItem, Star, Table } from '../../dialects/tree.ts';
import type { GovernedRelation, GuardScope } from '../guarded-sql.ts';
import { StatementSize } from '../statement-size.ts';
import type { NameScope, OutputColumn, ScopeSource } from './name-scope.ts';
import { WrittenNameChecker } from './written-names.ts';

/** A table in FROM, and how to replace it with the governed body of its relation. */
export interface ReplaceableTable {
  source: ScopeSource;
  table: Table;
  replace: (body: Pick<DerivedTable, 'query'>) => void;
}

/**
 * A `*` with the tables that it covers. `itemList` is the select list in which the guard can replace the `*` with
 * columns, or null.
 */
export interface StarUse {
  sources: readonly ScopeSource[];
  itemList: { items: SelectItem[]; star: Star } | null;
}

/** A SELECT with GROUP BY, and the scope in which its names are resolved. */
export interface GroupedSelect {
  select: Select;
  scope: NameScope;
}

export class StatementAnalysis {
  readonly relations = new Set<string>();
  readonly functions = new Set<string>();
  readonly columns = new Set<string>();
  readonly policies = new Set<string>();
  readonly constants: ConstantValue[] = [];
  readonly cteNames = new Set<string>();
  readonly references: string[][] = [];
  readonly metrics = new Set<string>();
  /**
   * Masked columns inside count(distinct …), each with its name in the source. The guarded statement reads them under
   * other names.
   */
  readonly countedColumns: string[] = [];
  readonly replaceableTables: ReplaceableTable[] = [];
  readonly stars: StarUse[] = [];
  readonly groupedSelects: GroupedSelect[] = [];
  readonly size: StatementSize;
  readonly writtenNames = new WrittenNameChecker();
  hasWindows = false;
  hasSubqueries = false;

  readonly dialect: Dialect;
  readonly faults: FaultCollector;
  readonly isGoverning: boolean;
  readonly scope: { relations: readonly GovernedRelation[]; extraColumns: readonly string[] };
  /** True if the SQL is a lens expression, which has no FROM. The guard records its columns without resolving them. */
  readonly allowsAnyColumn: boolean;
  /** The names of the columns that hold unmasked values in the governed subqueries. Only svc can use these names. */
  readonly #reservedNames: ReadonlySet<string>;

  constructor(dialect: Dialect, scope: Omit<GuardScope, 'dialect'>, faults: FaultCollector, allowsAnyColumn = false) {
    this.dialect = dialect;
    this.faults = faults;
    this.size = new StatementSize(faults);
    this.isGoverning = scope.mode === 'govern';
    this.scope = { relations: scope.relations, extraColumns: scope.extraColumns ?? [] };
    this.allowsAnyColumn = allowsAnyColumn;
    const rawNames = scope.relations.flatMap(({ raw }) => Object.values(raw?.columns ?? {}));
    this.#reservedNames = new Set(this.isGoverning ? rawNames.map((name) => this.fold(name)) : []);
  }

  fold(name: string): string {
    return foldName(this.dialect, name);
  }

  isSameName(a: string, b: string): boolean {
    return this.fold(a) === this.fold(b);
  }

  checkIdentifier(name: string): void {
    if (Buffer.byteLength(name) > 63) {
      this.faults.add('identifier_too_long', `The name ${name.slice(0, 40)}… is longer than 63 bytes.`);
    }
    if (this.#reservedNames.has(this.fold(name))) {
      this.faults.add('column', `The name ${name} is reserved for svc. Choose another.`);
    }
  }

  checkCall(name: string): void {
    const { list } = this.dialect.functions;
    if (list.kind(name) === 'grammar') return;
    this.functions.add(name);
    if (list.has(name)) return;
    const suggestion = suggestNames(name, list.names());
    this.faults.add(
      'function',
      `The function ${name} is not allowed.${suggestion.startsWith(' There') ? '' : suggestion}`,
    );
  }

  refuseConstruct(construct: string): void {
    this.faults.add('construct', `${construct} is not allowed here.`);
  }

  refuseMasked(columns: readonly OutputColumn[], clause: string): void {
    for (const { masked } of columns) {
      if (masked !== null) this.faults.add('masked', `The field ${masked} is masked and can't be used ${clause}.`);
    }
  }

  /**
   * Marks a table for replacement after the guard has walked the whole statement, because only then does the guard know
   * whether the statement needs the raw body.
   */
  scheduleReplacement(replaceable: ReplaceableTable): void {
    if (this.isGoverning) this.replaceableTables.push(replaceable);
  }
}
