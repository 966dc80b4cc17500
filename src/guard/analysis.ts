// The dialect-free half of the guard: which table, column and function a name means, what masks forbid, what was used.
import type { Dialect } from '../contract/warehouse.ts';
import type { AstNode } from './ast.ts';
import { type Faults, nearest } from './faults.ts';
import type { FunctionList } from './function-list.ts';
import type { GovernedRelation, GuardScope } from './guarded-sql.ts';
import { makeSource, type NameScope, type OutputColumn, type Source } from './name-scope.ts';

/** shown: a bare output column of the outermost SELECT. counted: the one argument of count(distinct …). */
export type Position = 'shown' | 'counted' | 'used';
/** Whether output names of the same SELECT count too, as in ORDER BY (first) or GROUP BY (also). */
export type Outputs = 'no' | 'first' | 'also';

export interface Constant {
  location: number;
  value: string | number | boolean | null;
}

export interface ColumnUse {
  masked: string | null;
  /** The reference to write instead. */
  parts: string[] | null;
}

interface Replaceable {
  source: Source;
  replace: (parsed: AstNode) => void;
}

const FREE: ColumnUse = { masked: null, parts: null };
/** Each CTE of a chain may double the columns of the one before it; no engine shows that many anyway. */
const MOST_STARRED = 5_000;
/** An engine puts a common table expression in wherever it is named and orders all joins before it can be stopped. */
const MOST_JOINED = 40;
const MOST_READ = 400;

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
  windows = false;
  subqueries = false;
  #starred = 0;
  #reads = 0;

  readonly faults: Faults;
  readonly governing: boolean;
  readonly dialect: Dialect;
  readonly #curated: FunctionList;
  readonly #relations: readonly GovernedRelation[];
  readonly #extra: readonly string[];
  readonly #replaceable: Replaceable[] = [];
  /** Expressions on their own have no FROM: every column is taken down instead of resolved. */
  readonly #anyColumn: boolean;

  constructor(scope: GuardScope, curated: FunctionList, faults: Faults, anyColumn = false) {
    this.faults = faults;
    this.governing = scope.mode === 'govern';
    this.dialect = scope.dialect;
    this.#curated = curated;
    this.#relations = scope.relations;
    this.#extra = scope.extraColumns ?? [];
    this.#anyColumn = anyColumn;
  }

  /** DuckDB and MySQL compare names without case; Postgres has folded them while parsing. */
  fold(name: string): string {
    return this.dialect === 'postgres' ? name : name.toLowerCase();
  }

  identifier(name: string): void {
    if (Buffer.byteLength(name) > 63) {
      this.faults.add('identifier_too_long', `The name ${name.slice(0, 40)}… is longer than 63 bytes.`);
    }
  }

  /** The source that a table name in FROM stands for; null (and a fault) when the scope has no such table. */
  table(name: { catalog: string; schema: string; table: string; alias: string }): Source | null {
    const written = [name.catalog, name.schema, name.table].filter((part) => part !== '').join('.');
    const found = this.#find(name);
    if (found.length === 0) {
      const known = this.#relations.flatMap((relation) => [qualified(relation), relation.dataset]);
      this.faults.add('table', `The table ${written} is not in scope.${nearest(written, known)}`);
      return null;
    }
    if (found.length > 1 && this.governing) {
      const names = found.map(({ dataset }) => dataset).join(', ');
      this.faults.add('table', `The table ${written} stands for several datasets; name one of them: ${names}.`);
      return null;
    }
    const relation = found[0]!;
    this.read(1);
    this.relations.add(qualified(relation));
    const columns: OutputColumn[] = this.governing
      ? relation.columns.map((column) => ({
          name: column,
          masked: relation.masked.includes(column) ? `${relation.dataset}.${column}` : null,
        }))
      : [...new Set([...found.flatMap((one) => [...one.columns, ...one.masked]), ...this.#extra])].map((column) => ({
          name: column,
          masked: null,
        }));
    return makeSource(name.alias || name.table, columns, {
      relation,
      schema: name.alias === '' ? (relation.source.schema ?? this.#defaultSchema()) : null,
    });
  }

  /** Tables read so far, those of common table expressions counted at each of their uses. */
  get reads(): number {
    return this.#reads;
  }

  read(tables: number): void {
    this.#reads += tables;
    if (this.#reads > MOST_READ) this.#tooManyTables(`${MOST_READ} in all`);
  }

  joined(readsBefore: number): void {
    if (this.#reads - readsBefore > MOST_JOINED) this.#tooManyTables(`${MOST_JOINED} in one FROM`);
  }

  #tooManyTables(most: string): void {
    this.faults.add(
      'too_many_tables',
      `The statement reads too many tables, those of WITH counted at each use; ${most} are allowed.`,
    );
  }

  #defaultSchema(): string {
    return { postgres: 'public', duckdb: 'main', mysql: '' }[this.dialect];
  }

  #find({ catalog, schema, table }: { catalog: string; schema: string; table: string }): GovernedRelation[] {
    const same = (a: string, b: string) => this.fold(a) === this.fold(b);
    const byTable = this.#relations.filter(({ source }) => {
      if (!same(source.table, table)) return false;
      if (catalog !== '' && !same(catalog, source.catalog ?? '')) return false;
      if (schema === '' || same(schema, source.schema ?? this.#defaultSchema())) return true;
      return this.dialect === 'duckdb' && catalog === '' && source.catalog !== null && same(schema, source.catalog);
    });
    const byDataset =
      this.governing && schema === '' ? this.#relations.filter(({ dataset }) => same(dataset, table)) : [];
    if (byTable.length === 1) return byTable;
    // Like the engine: without a schema, the default one comes first.
    const byDefault = byTable.filter(
      ({ source }) => schema === '' && (source.schema ?? null) === this.#defaultSchema(),
    );
    if (byDefault.length === 1) return byDefault;
    // Datasets that share one table are told apart by their own names.
    return byDataset.length === 1 ? byDataset : byTable;
  }

  /** Decided at the end: only then is it known whether the raw body is needed. */
  replaceLater(source: Source, replace: (parsed: AstNode) => void): void {
    if (this.governing) this.#replaceable.push({ source, replace });
  }

  /** The governed body of each table reference, and where its parsed form goes. */
  replacements(): { body: string; replace: (parsed: AstNode) => void }[] {
    const found: { body: string; replace: (parsed: AstNode) => void }[] = [];
    for (const { source, replace } of this.#replaceable) {
      const relation = source.relation!;
      const { raw, star, natural } = source.uses;
      if (raw && (star || natural)) {
        const what = star ? '*' : 'NATURAL JOIN';
        this.faults.add(
          'masked',
          `A SELECT that counts a masked field of ${relation.dataset} can't use ${what} on it.`,
        );
      }
      for (const policy of relation.policies) this.policies.add(policy);
      found.push({ body: raw ? relation.raw!.body : relation.body, replace });
    }
    return found;
  }

  column(scope: NameScope, parts: string[], position: Position, outputs: Outputs): ColumnUse {
    for (const part of parts) this.identifier(part);
    if (this.#anyColumn) {
      this.references.push(parts);
      return FREE;
    }
    const [first] = parts as [string, ...string[]];
    if (parts.length === 1) {
      const output = this.#column(scope.outputs, first);
      if (output && outputs === 'first') return this.#use(null, output, position, null, 0);
      for (const [level, at] of [...scope.levels()].entries()) {
        if (at.locals.has(this.fold(first))) return FREE;
        const hit = this.#inSources(at.sources, first);
        if (hit) {
          if (output?.masked && outputs === 'also') return this.#use(null, output, position, null, level);
          return this.#use(hit.source, hit.column, position, null, level);
        }
      }
      if (output && outputs === 'also') return this.#use(null, output, position, null, 0);
      return this.#unknown(scope, parts);
    }
    return this.#qualified(scope, parts, position) ?? this.#unknown(scope, parts);
  }

  /** A column of some source, rather than an output name or nothing. */
  resolves(scope: NameScope, parts: string[]): boolean {
    if (parts.length > 1 || this.#anyColumn) return true;
    const output = this.#column(scope.outputs, parts[0]!);
    const hit = [...scope.levels()].some(({ sources }) => this.#inSources(sources, parts[0]!) !== null);
    return hit || output === undefined;
  }

  #qualified(scope: NameScope, parts: string[], position: Position): ColumnUse | null {
    const structs = this.dialect === 'duckdb';
    for (const [level, at] of [...scope.levels()].entries()) {
      for (const source of at.sources) {
        const byAlias = this.fold(source.alias) === this.fold(parts[0]!);
        if (byAlias && (structs || parts.length === 2)) {
          const column = this.#column(source.columns, parts[1]!);
          if (column) return this.#use(source, column, position, parts, level);
          if (source.open && !/^\w+$/.test(parts[1]!)) return FREE;
        }
        const bySchema =
          source.schema !== null &&
          this.fold(source.schema) === this.fold(parts[0]!) &&
          this.fold(source.alias) === this.fold(parts[1]!) &&
          (structs ? parts.length >= 3 : parts.length === 3);
        const column = bySchema ? this.#column(source.columns, parts[2]!) : undefined;
        if (column) return this.#use(source, column, position, parts.slice(1), level);
      }
      const hit = structs ? this.#inSources(at.sources, parts[0]!) : null;
      if (hit) return this.#use(hit.source, hit.column, 'used', null, level);
      if (structs && at.locals.has(this.fold(parts[0]!))) return FREE;
    }
    const output = structs ? this.#column(scope.outputs, parts[0]!) : undefined;
    return output ? this.#use(null, output, 'used', null, 0) : null;
  }

  #column(columns: OutputColumn[], name: string): OutputColumn | undefined {
    const same = columns.filter((column) => this.fold(column.name) === this.fold(name));
    return same.find(({ masked }) => masked !== null) ?? same[0];
  }

  #inSources(sources: Source[], name: string): { source: Source; column: OutputColumn } | null {
    let hit: { source: Source; column: OutputColumn } | null = null;
    for (const source of sources) {
      const column = this.#column(source.columns, name);
      if (column && (hit === null || column.masked !== null)) hit = { source, column };
    }
    const open = sources.find((source) => source.open);
    if (hit === null && open && !/^\w+$/.test(name)) return { source: open, column: { name, masked: null } };
    return hit;
  }

  #use(
    source: Source | null,
    column: OutputColumn,
    position: Position,
    parts: string[] | null,
    level: number,
  ): ColumnUse {
    const relation = source?.relation ?? null;
    if (relation && this.#hasColumn(relation, column.name)) this.columns.add(`${relation.dataset}.${column.name}`);
    if (column.masked === null || position === 'shown') return { masked: column.masked, parts };
    const raw = relation?.raw?.columns[column.masked.slice(relation.dataset.length + 1)];
    if (position === 'counted' && source !== null && raw !== undefined && level === 0) {
      source.uses.raw = true;
      if (!this.rawNames.includes(raw)) this.rawNames.push(raw);
      return { masked: null, parts: [source.alias, raw] };
    }
    this.faults.add(
      'masked',
      `The field ${column.masked} is masked: it may only be listed by itself in the outermost SELECT, where it is null, or counted with count(distinct …) directly over its dataset.`,
    );
    return { masked: null, parts };
  }

  #hasColumn(relation: GovernedRelation, name: string): boolean {
    return relation.columns.some((column) => this.fold(column) === this.fold(name));
  }

  #unknown(scope: NameScope, parts: string[]): ColumnUse {
    const sources = [...scope.levels()].flatMap((level) => level.sources);
    const written = parts.join('.');
    const last = parts.at(-1)!;
    const whole = sources.find(({ alias }) => parts.length === 1 && this.fold(alias) === this.fold(last));
    if (whole) {
      this.faults.add('whole_row', `${written} names a whole row; list its columns instead.`);
      return FREE;
    }
    const alias = parts.length > 1 ? parts.at(-2)! : null;
    const ofAlias = alias === null ? [] : sources.filter((source) => this.fold(source.alias) === this.fold(alias));
    if (alias !== null && ofAlias.length === 0) {
      const aliases = sources.map((source) => source.alias).filter((name) => name !== '');
      this.faults.add(
        'column',
        `The column ${written} names ${alias}, which is not in FROM.${nearest(alias, aliases)}`,
      );
      return FREE;
    }
    const known = (ofAlias.length > 0 ? ofAlias : sources).flatMap((source) => source.columns.map(({ name }) => name));
    this.faults.add('column', `The column ${written} is not in scope.${nearest(last, known)}`);
    return FREE;
  }

  /** `*` or `t.*`: the columns it stands for. */
  star(scope: NameScope, qualifier: string[], except: readonly string[] = []): OutputColumn[] {
    if (this.#anyColumn) {
      this.faults.add('star', "An expression can't hold *; name the field.");
      return [];
    }
    let sources = scope.sources;
    if (qualifier.length > 0) {
      const alias = qualifier.at(-1)!;
      sources =
        [...scope.levels()]
          .map((level) => level.sources.filter((source) => this.fold(source.alias) === this.fold(alias)))
          .find((found) => found.length > 0) ?? [];
      if (sources.length === 0)
        this.faults.add('column', `${qualifier.join('.')}.* names ${alias}, which is not in FROM.`);
    }
    const left = new Set(except.map((name) => this.fold(name)));
    this.#starred += sources.reduce((total, { columns }) => total + columns.length, 0);
    if (this.#starred > MOST_STARRED) {
      this.faults.add(
        'too_many_columns',
        `Every * together stands for more than ${MOST_STARRED} columns; name those you need.`,
      );
      return [];
    }
    return sources.flatMap((source) => {
      source.uses.star = true;
      const columns = source.columns.filter(({ name }) => !left.has(this.fold(name)));
      if (source.relation) for (const { name } of columns) this.columns.add(`${source.relation.dataset}.${name}`);
      return columns;
    });
  }

  /** JOIN … USING and NATURAL JOIN compare columns of both sides. */
  joinColumns(left: Source[], right: Source[], using: string[], natural: boolean): void {
    if (natural) for (const source of [...left, ...right]) source.uses.natural = true;
    const shared = natural
      ? left
          .flatMap(({ columns }) => columns)
          .filter(({ name }) => this.#inSources(right, name) !== null)
          .map(({ name }) => name)
      : using;
    for (const name of shared) {
      for (const side of [left, right]) {
        const hit = this.#inSources(side, name);
        if (hit) this.#use(hit.source, hit.column, 'used', null, 0);
        else this.faults.add('column', `The column ${name} of USING is not on both sides of the join.`);
      }
    }
  }

  noMasked(columns: readonly OutputColumn[], where: string): void {
    for (const { masked } of columns) {
      if (masked !== null) this.faults.add('masked', `The field ${masked} is masked and can't be used ${where}.`);
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
}

export const qualified = ({ source }: GovernedRelation): string =>
  [source.catalog, source.schema, source.table].filter((part) => part !== null).join('.');
