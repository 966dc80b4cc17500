// What is found in one statement while it is walked, and what is asked of the scope it was written for.
import type { Dialect } from '../contract/warehouse.ts';
import { type Faults, nearest } from '../dialects/faults.ts';
import type { FunctionList } from '../dialects/function-list.ts';
import { WrittenNames } from './as-written.ts';
import type { AstNode } from './ast.ts';
import type { GovernedRelation, GuardScope } from './guarded-sql.ts';
import type { OutputColumn, Source } from './name-scope.ts';
import { StatementSize } from './statement-size.ts';

export interface Constant {
  location: number;
  value: string | number | boolean | null;
}

/** A table of FROM, and how the parsed body of its relation takes its place. */
interface Replaceable {
  source: Source;
  replace: (parsed: AstNode) => void;
}

/** MySQL compares names without case, DuckDB without that of ASCII only; Postgres has folded them while parsing. */
export function foldName(dialect: Dialect, name: string): string {
  if (dialect === 'duckdb') return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return dialect === 'postgres' ? name : name.toLowerCase();
}

export class Analysis {
  readonly relations = new Set<string>();
  readonly functions = new Set<string>();
  readonly columns = new Set<string>();
  readonly policies = new Set<string>();
  readonly constants: Constant[] = [];
  readonly cteNames = new Set<string>();
  readonly references: string[][] = [];
  /** Names of raw columns that were put in. */
  readonly rawNames: string[] = [];
  readonly replaceable: Replaceable[] = [];
  readonly size: StatementSize;
  readonly written = new WrittenNames();
  /** Parameters met, where they have no numbers. */
  placeholders = 0;
  windows = false;
  subqueries = false;

  readonly faults: Faults;
  readonly governing: boolean;
  readonly dialect: Dialect;
  readonly scope: { relations: readonly GovernedRelation[]; extraColumns: readonly string[] };
  /** Expressions on their own have no FROM: every column is taken down instead of resolved. */
  readonly anyColumn: boolean;
  readonly #curated: FunctionList;
  /** Names that the bodies give to values nobody may see; only svc itself writes them. */
  readonly #reserved: ReadonlySet<string>;

  constructor(scope: GuardScope, curated: FunctionList, faults: Faults, anyColumn = false) {
    this.faults = faults;
    this.size = new StatementSize(faults);
    this.governing = scope.mode === 'govern';
    this.dialect = scope.dialect;
    this.scope = { relations: scope.relations, extraColumns: scope.extraColumns ?? [] };
    this.anyColumn = anyColumn;
    this.#curated = curated;
    const hidden = scope.relations.flatMap(({ raw }) => Object.values(raw?.columns ?? {}));
    this.#reserved = new Set(this.governing ? hidden.map((name) => this.fold(name)) : []);
  }

  fold(name: string): string {
    return foldName(this.dialect, name);
  }

  same(a: string, b: string): boolean {
    return this.fold(a) === this.fold(b);
  }

  identifier(name: string): void {
    if (Buffer.byteLength(name) > 63) {
      this.faults.add('identifier_too_long', `The name ${name.slice(0, 40)}… is longer than 63 bytes.`);
    }
    if (this.#reserved.has(this.fold(name))) {
      this.faults.add('column', `The name ${name} is kept for svc's own use; choose another.`);
    }
  }

  call(name: string): void {
    const written = this.fold(name);
    this.functions.add(written);
    if (this.#curated.has(written)) return;
    const close = nearest(written, this.#curated.names());
    this.faults.add('function', `The function ${written} is not allowed.${close.startsWith(' There') ? '' : close}`);
  }

  construct(what: string): void {
    this.faults.add('construct', `${what} is not allowed here.`);
  }

  noMasked(columns: readonly OutputColumn[], where: string): void {
    for (const { masked } of columns) {
      if (masked !== null) this.faults.add('masked', `The field ${masked} is masked and can't be used ${where}.`);
    }
  }

  /** Decided at the end: only then is it known whether the raw body is needed. */
  replaceLater(source: Source, replace: (parsed: AstNode) => void): void {
    if (this.governing) this.replaceable.push({ source, replace });
  }
}
