// The datatype that each {caller.attribute} of a policy needs: that of the value it is compared with.
// Otherwise an engine that casts implicitly would read `region = 0` as true for every text, or `id = 'x'` as
// `id = 0`.
import type { Datatype } from '../../contract/warehouse.ts';
import { datasetOfPath } from '../model/join-paths.ts';
import { findField, type Lens, type RowPolicy } from '../model/lens.ts';
import { attributesIn } from '../model/sql-words.ts';

/** `any`: it is only tested, as by IS NULL. Null: unknown. */
export type AttributeType = Datatype | 'any' | null;
export interface AttributeUse {
  name: string;
  type: AttributeType;
}
type Model = Pick<Lens, 'datasets' | 'relationships'>;

/** The type of an expression, and the attributes that share it, because they are compared with it. */
interface Typed {
  type: Datatype | null;
  /** A constant; the other operand decides the type. */
  loose?: boolean;
  open: AttributeUse[];
}

const FILTER_TOKENS =
  /\s+|'(?:[^']|'')*'|\{\s*caller\.[A-Za-z_]\w*\s*\}|\d+(?:\.\d+)?|(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|[\p{L}_][\p{L}\p{N}_$]*)|::|<=>|[<>!]=|<>|\|\||[!~*]+|./gsu;
const COMPARISONS = new Set('= <> != < <= > >= <=>'.split(' '));
const PATTERN_OPERATORS = new Set('~ ~* !~ !~* ~~ ~~* like ilike rlike regexp similar'.split(' '));
const SEPARATORS = new Set(', from for both leading trailing using order separator'.split(' '));
const words = (text: string): Set<string> => new Set(text.split(/\s+/));
const TEXT_FUNCTIONS =
  words(`lower upper lcase ucase trim ltrim rtrim btrim concat concat_ws replace initcap reverse translate
  md5 strip_accents unaccent starts_with ends_with contains prefix suffix regexp_matches regexp_full_match regexp_like
  length char_length character_length octet_length len strlen strpos instr position locate find_in_set string_split
  str_split split string_to_array`);
const FIRST_IS_TEXT = words('substring substr left right split_part lpad rpad substring_index mid');
const GIVES_NUMBER = words(`length char_length character_length octet_length len strlen strpos instr position locate
  find_in_set abs round floor ceil ceiling mod year month day quarter week hour minute second date_part extract datediff
  date_diff`);
const GIVES_TEXT =
  words(`lower upper lcase ucase trim ltrim rtrim btrim concat concat_ws replace initcap reverse translate
  md5 strip_accents unaccent substring substr left right split_part lpad rpad substring_index mid to_char date_format`);
const NUMBER_FUNCTIONS = words('abs round floor ceil ceiling mod');
const SAME_TYPE_FUNCTIONS = words('coalesce ifnull nullif greatest least any some all array');
const CASTS: [RegExp, Datatype][] = [
  [/^(?:text|varchar|char|character|string|bpchar|nchar)$/, 'string'],
  [/^(?:int\w*|integer|bigint|smallint|tinyint|hugeint|signed|unsigned|u\w+int)$/, 'integer'],
  [/^(?:decimal|numeric)$/, 'decimal'],
  [/^(?:double|float\w*|real)$/, 'float'],
  [/^bool(?:ean)?$/, 'boolean'],
  [/^date$/, 'date'],
  [/^time$/, 'time'],
  [/^(?:timestamp|datetime)$/, 'datetime'],
  [/^timestamptz$/, 'datetimetz'],
];
const castType = (word: string): Datatype | null => CASTS.find(([pattern]) => pattern.test(word))?.[1] ?? null;

const known = new WeakMap<RowPolicy, AttributeUse[]>();

/** In order of appearance. */
export function attributeTypes(model: Model, policy: RowPolicy): AttributeUse[] {
  let uses = known.get(policy);
  if (!uses) {
    uses = new PolicyReader(model, policy).read();
    known.set(policy, uses);
  }
  return uses;
}

class PolicyReader {
  readonly #model: Model;
  readonly #policy: RowPolicy;
  readonly #tokens: string[];
  readonly #uses: AttributeUse[] = [];
  #at = 0;

  constructor(model: Model, policy: RowPolicy) {
    this.#model = model;
    this.#policy = policy;
    this.#tokens = (policy.filter.match(FILTER_TOKENS) ?? []).filter((piece) => piece.trim() !== '');
  }

  read(): AttributeUse[] {
    const names = attributesIn(this.#policy.filter);
    const all = this.#condition();
    const isRead = this.#at === this.#tokens.length && this.#uses.length === names.length;
    this.#settle([all], 'boolean');
    return isRead ? this.#uses : names.map((name) => ({ name, type: null }));
  }

  #peek = (ahead = 0): string => (this.#tokens[this.#at + ahead] ?? '').toLowerCase();
  #take(...wanted: string[]): boolean {
    if (!wanted.includes(this.#peek())) return false;
    this.#at++;
    return true;
  }

  /** Gives the untyped sides this type, or the type of the others. */
  #settle(sides: Typed[], type?: AttributeType): Typed {
    const typed = sides.find((side) => side.type && !side.loose) ?? sides.find((side) => side.type);
    const given = type ?? typed?.type ?? null;
    for (const use of sides.flatMap(({ open }) => open)) use.type = given;
    return { type: typed?.type ?? null, open: [] };
  }

  /** The common type of these sides, which may stay open. */
  #same(sides: Typed[]): Typed {
    const typed = sides.find((side) => side.type && !side.loose) ?? sides.find((side) => side.type);
    if (typed && !typed.loose) return this.#settle(sides);
    return { type: typed?.type ?? null, loose: true, open: sides.flatMap(({ open }) => open) };
  }

  #condition(): Typed {
    let left = this.#negation();
    while (this.#take('and', 'or', 'xor')) {
      this.#settle([left, this.#negation()], 'boolean');
      left = { type: 'boolean', open: [] };
    }
    return left;
  }

  #negation(): Typed {
    if (!this.#take('not')) return this.#comparison();
    this.#settle([this.#negation()], 'boolean');
    return { type: 'boolean', open: [] };
  }

  #comparison(): Typed {
    let left = this.#sum();
    for (;;) {
      const not = this.#peek() === 'not' ? 1 : 0;
      const word = this.#peek(not);
      if (COMPARISONS.has(word) && not === 0) {
        this.#at++;
        this.#settle([left, this.#sum()]);
      } else if (word === 'in') {
        this.#at += not + 1;
        this.#settle([left, ...(this.#take('(') ? this.#list(')') : [this.#sum()])]);
      } else if (word === 'between') {
        this.#at += not + 1;
        const low = this.#sum();
        this.#take('and');
        this.#settle([left, low, this.#sum()]);
      } else if (PATTERN_OPERATORS.has(word)) {
        this.#at += not + 1;
        this.#take('to');
        this.#settle([left, this.#sum()], 'string');
        if (this.#take('escape')) this.#settle([this.#sum()], 'string');
      } else if (word === 'is' && not === 0) {
        this.#at++;
        this.#take('not');
        if (this.#take('distinct')) {
          this.#take('from');
          this.#settle([left, this.#sum()]);
        } else
          this.#settle([left], this.#take('null') ? 'any' : this.#take('true', 'false', 'unknown') ? 'boolean' : null);
      } else return left;
      left = { type: 'boolean', open: [] };
    }
  }

  #sum(): Typed {
    let left = this.#factor();
    for (;;) {
      if (this.#take('||')) {
        this.#settle([left, this.#factor()], 'string');
        left = { type: 'string', open: [] };
      } else if (this.#take('+', '-', '*', '/', '%')) {
        const right = this.#factor();
        this.#settle([...(left.open.length > 0 ? [left] : []), ...(right.open.length > 0 ? [right] : [])], 'decimal');
        left = { type: left.type ?? right.type ?? 'decimal', open: [] };
      } else return left;
    }
  }

  #factor(): Typed {
    if (this.#take('-', '+')) return this.#settle([this.#factor()], 'decimal');
    let value = this.#value();
    for (;;) {
      if (this.#take('::')) {
        const type = castType(this.#peek());
        this.#at++;
        if (this.#take('(')) this.#list(')');
        this.#settle([value], type);
        value = { type, open: [] };
      } else if (this.#take('collate')) this.#at++;
      else if (this.#take('[')) {
        this.#settle(this.#list(']'), null);
        value = { type: null, open: [] };
      } else return value;
    }
  }

  #list(end: string): Typed[] {
    const items: Typed[] = [];
    while (this.#at < this.#tokens.length && !this.#take(end)) {
      if (SEPARATORS.has(this.#peek())) this.#at++;
      else {
        const before = this.#at;
        items.push(this.#condition());
        if (this.#at === before) this.#at++; // a construct that this reader doesn't know
      }
    }
    return items;
  }

  #value(): Typed {
    const token = this.#tokens[this.#at++] ?? '';
    const word = token.toLowerCase();
    const attribute = /^\{\s*caller\.(\w+)\s*\}$/.exec(token);
    if (attribute) {
      const use: AttributeUse = { name: attribute[1]!, type: null };
      this.#uses.push(use);
      return { type: null, open: [use] };
    }
    if (token.startsWith("'")) return { type: 'string', loose: true, open: [] };
    if (/^\d/.test(token)) return { type: 'decimal', loose: true, open: [] };
    if (word === 'true' || word === 'false') return { type: 'boolean', loose: true, open: [] };
    if (word === 'null') return { type: null, open: [] };
    if (word === '(') {
      const items = this.#list(')');
      return items.length === 1 ? items[0]! : this.#settle(items, null);
    }
    if (word === '[') return this.#same(this.#list(']'));
    if (word === 'case') return this.#cases();
    if (word === 'cast' || word === 'try_cast') return this.#cast();
    if (this.#peek() === '(' || (word === 'array' && this.#peek() === '[')) {
      const end = this.#peek() === '[' ? ']' : ')';
      this.#at++;
      return this.#call(word, this.#list(end));
    }
    if (castType(word) && this.#peek().startsWith("'")) {
      this.#at++;
      return { type: castType(word), open: [] };
    }
    if (word === 'interval') {
      this.#factor();
      return { type: null, open: [] };
    }
    return this.#field(token);
  }

  #field(first: string): Typed {
    const parts = [first];
    while (this.#peek() === '.') {
      parts.push(this.#tokens[this.#at + 1] ?? '');
      this.#at += 2;
    }
    const [path = '', name = ''] = parts.map((part) => (/^["`]/.test(part) ? part.slice(1, -1) : part));
    const dataset = datasetOfPath(this.#model as Lens, path);
    const type = (dataset && findField(dataset, name)?.datatype) ?? this.#policy.columnTypes?.[`${path}.${name}`];
    return { type: type ?? null, open: [] };
  }

  #cast(): Typed {
    this.#take('(');
    const value = this.#condition();
    this.#take('as');
    const type = castType(this.#peek());
    while (this.#at < this.#tokens.length && this.#peek() !== ')' && this.#peek() !== '(') this.#at++;
    if (this.#take('(')) this.#list(')');
    while (this.#at < this.#tokens.length && !this.#take(')')) this.#at++;
    this.#settle([value], type);
    return { type, open: [] };
  }

  #cases(): Typed {
    const subject = this.#peek() === 'when' ? null : this.#condition();
    const results: Typed[] = [];
    const compared: Typed[] = subject ? [subject] : [];
    while (this.#take('when')) {
      const when = this.#condition();
      if (subject) compared.push(when);
      else this.#settle([when], 'boolean');
      this.#take('then');
      results.push(this.#condition());
    }
    if (this.#take('else')) results.push(this.#condition());
    this.#take('end');
    this.#settle(compared);
    return this.#same(results);
  }

  #call(name: string, args: Typed[]): Typed {
    if (SAME_TYPE_FUNCTIONS.has(name)) return this.#same(args);
    if (name === 'if') {
      this.#settle(args.slice(0, 1), 'boolean');
      return this.#same(args.slice(1));
    }
    if (TEXT_FUNCTIONS.has(name)) this.#settle(args, 'string');
    else if (NUMBER_FUNCTIONS.has(name)) this.#settle(args, 'decimal');
    else if (FIRST_IS_TEXT.has(name)) {
      this.#settle(args.slice(0, 1), 'string');
      this.#settle(args.slice(1), null);
    } else for (const arg of args) this.#settle([arg], null);
    return { type: GIVES_TEXT.has(name) ? 'string' : GIVES_NUMBER.has(name) ? 'decimal' : null, open: [] };
  }
}
