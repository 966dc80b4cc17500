// Infers the datatype that each {caller.attribute} of a policy must have. With another type, an engine that casts
// implicitly would evaluate `region = 0` as true for every string.
import type { Datatype } from '../../contract/warehouse.ts';
import { listChildren } from '../../dialects/nodes.ts';
import type { Call, Expression, Literal } from '../../dialects/tree.ts';
import { findDatasetOfPath } from '../model/join-paths.ts';
import { findField, type LensModel, type RowPolicy } from '../model/lens.ts';
import { findAttributes } from '../model/sql-words.ts';
import { type AuthoredExpressionReader, parseAttributeIndex } from './authored-reader.ts';

/**
 * `any` means that the policy only tests whether the attribute exists, as with IS NULL. Null means that the type is
 * unknown.
 */
export type AttributeType = Datatype | 'any' | null;
export interface AttributeUse {
  name: string;
  type: AttributeType;
}

/** The type of an expression, and the attributes in it whose type is still unknown. */
interface TypedExpression {
  type: Datatype | null;
  /** True if the expression is a literal, whose type depends on the other operand. */
  loose?: boolean;
  untypedUses: AttributeUse[];
}
const UNKNOWN_EXPRESSION: TypedExpression = { type: null, untypedUses: [] };
const CONDITION_EXPRESSION: TypedExpression = { type: 'boolean', untypedUses: [] };

const toWordSet = (text: string): Set<string> => new Set(text.split(/\s+/));
const PATTERN_OPERATORS = toWordSet('~ ~* !~ !~* ~~ ~~*');
const TEXT_FUNCTIONS =
  toWordSet(`lower upper lcase ucase trim ltrim rtrim btrim concat concat_ws replace initcap reverse translate
  md5 strip_accents unaccent starts_with ends_with contains prefix suffix regexp_matches regexp_full_match regexp_like
  length char_length character_length octet_length len strlen strpos instr position locate find_in_set string_split
  str_split split string_to_array`);
const TEXT_FIRST_ARGUMENT_FUNCTIONS = toWordSet('substring substr left right split_part lpad rpad substring_index mid');
const NUMBER_RESULT_FUNCTIONS =
  toWordSet(`length char_length character_length octet_length len strlen strpos instr position locate
  find_in_set abs round floor ceil ceiling mod year month day quarter week hour minute second date_part extract datediff
  date_diff`);
const TEXT_RESULT_FUNCTIONS =
  toWordSet(`lower upper lcase ucase trim ltrim rtrim btrim concat concat_ws replace initcap reverse translate
  md5 strip_accents unaccent substring substr left right split_part lpad rpad substring_index mid to_char date_format`);
const NUMBER_FUNCTIONS = toWordSet('abs round floor ceil ceiling mod');
const SAME_TYPE_FUNCTIONS = toWordSet('coalesce ifnull nullif greatest least');
const CAST_TYPES: [RegExp, Datatype][] = [
  [/^(?:text|varchar|char|character|string|bpchar|nchar|nvarchar)$/, 'string'],
  [/^(?:int\w*|integer|bigint|smallint|tinyint|hugeint|signed|unsigned|u\w+int)$/, 'integer'],
  [/^(?:decimal|numeric)$/, 'decimal'],
  [/^(?:double|float\w*|real)/, 'float'],
  [/^bool(?:ean)?$/, 'boolean'],
  [/^date$/, 'date'],
  [/^time$/, 'time'],
  [/^(?:timestamp|datetime)$/, 'datetime'],
  [/^timestamp(?:tz| with time zone)$/, 'datetimetz'],
];
const findCastType = (name: string): Datatype | null =>
  CAST_TYPES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? null;

const LITERAL_TYPES: Record<Literal['type'], Datatype | null> = {
  ...{ string: 'string', number: 'decimal', boolean: 'boolean', null: null, bits: null },
  ...{ date: 'date', time: 'time', datetime: 'datetime', timestamp: 'datetime' },
};

/** Returns the attributes in order of appearance. */
export const inferAttributeTypes = (
  model: LensModel,
  policy: RowPolicy,
  readAuthored: AuthoredExpressionReader,
): AttributeUse[] => new PolicyTypeInference(model, policy).attributeUses(readAuthored(policy.filter));

class PolicyTypeInference {
  readonly #model: LensModel;
  readonly #policy: RowPolicy;
  readonly #uses: AttributeUse[];

  constructor(model: LensModel, policy: RowPolicy) {
    this.#model = model;
    this.#policy = policy;
    this.#uses = findAttributes(policy.filter).map((name) => ({ name, type: null }));
  }

  attributeUses(filter: Expression): AttributeUse[] {
    this.#assignType([this.#typeOf(filter)], 'boolean');
    return this.#uses;
  }

  /** Assigns `type` to each operand of unknown type. Without `type`, assigns the type of the other operands. */
  #assignType(operands: TypedExpression[], type?: AttributeType): TypedExpression {
    const typedOperand =
      operands.find((operand) => operand.type && !operand.loose) ?? operands.find((operand) => operand.type);
    const assignedType = type ?? typedOperand?.type ?? null;
    for (const use of operands.flatMap(({ untypedUses }) => untypedUses)) use.type = assignedType;
    return { type: typedOperand?.type ?? null, untypedUses: [] };
  }

  /** Returns the common type of these operands, or an unknown type. */
  #commonType(operands: TypedExpression[]): TypedExpression {
    const typedOperand =
      operands.find((operand) => operand.type && !operand.loose) ?? operands.find((operand) => operand.type);
    if (typedOperand && !typedOperand.loose) return this.#assignType(operands);
    return {
      type: typedOperand?.type ?? null,
      loose: true,
      untypedUses: operands.flatMap(({ untypedUses }) => untypedUses),
    };
  }

  #typesOf(expressions: readonly Expression[]): TypedExpression[] {
    return expressions.map((expression) => this.#typeOf(expression));
  }

  #condition(sides: readonly Expression[], type?: AttributeType): TypedExpression {
    this.#assignType(this.#typesOf(sides), type);
    return CONDITION_EXPRESSION;
  }

  #typeOf(node: Expression): TypedExpression {
    switch (node.kind) {
      case 'literal':
        return this.#literal(node);
      case 'column':
        return this.#field(node.path);
      case 'logic':
        for (const arg of node.args) this.#assignType([this.#typeOf(arg)], 'boolean');
        return CONDITION_EXPRESSION;
      case 'compare':
        return this.#condition([node.left, node.right]);
      case 'in':
        return Array.isArray(node.among) ? this.#condition([node.value, ...node.among]) : UNKNOWN_EXPRESSION;
      case 'between':
        return this.#condition([node.value, node.low, node.high]);
      case 'like':
        return this.#condition([node.value, node.pattern, ...(node.escape ? [node.escape] : [])], 'string');
      case 'is_null':
        return this.#condition([node.value], 'any');
      case 'is_truth':
        return this.#condition([node.value], 'boolean');
      case 'quantified':
        return this.#condition([node.left, node.among as Expression]);
      case 'arithmetic':
        return this.#arithmetic(this.#typesOf(node.left ? [node.left, node.right] : [node.right]));
      case 'operation':
        return this.#operation(node.operator, [node.left, node.right]);
      case 'cast': {
        const type = findCastType(node.type.name);
        this.#assignType([this.#typeOf(node.value)], type);
        return { type, untypedUses: [] };
      }
      case 'collate':
        return this.#typeOf(node.value);
      case 'list':
        return this.#commonType(this.#typesOf(node.items));
      case 'case':
        return this.#cases(node);
      case 'call':
        return this.#call(node);
      default:
        for (const child of listChildren(node)) this.#assignType([this.#typeOf(child as Expression)], null);
        return UNKNOWN_EXPRESSION;
    }
  }

  #literal({ type, value }: Literal): TypedExpression {
    const attributeIndex = parseAttributeIndex(value);
    const use = attributeIndex === null ? undefined : this.#uses[attributeIndex];
    if (!use) return { type: LITERAL_TYPES[type], loose: true, untypedUses: [] };
    if (type === 'string') return { type: null, untypedUses: [use] };
    use.type = LITERAL_TYPES[type];
    return { type: LITERAL_TYPES[type], untypedUses: [] };
  }

  #field(path: readonly string[]): TypedExpression {
    const [datasetPath = '', name = ''] = path;
    const dataset = findDatasetOfPath(this.#model, datasetPath);
    const type =
      (dataset && findField(dataset, name)?.datatype) ?? this.#policy.columnTypes?.[`${datasetPath}.${name}`];
    return { type: type ?? null, untypedUses: [] };
  }

  #arithmetic(sides: TypedExpression[]): TypedExpression {
    this.#assignType(
      sides.filter(({ untypedUses }) => untypedUses.length > 0),
      'decimal',
    );
    return { type: sides.find(({ type }) => type)?.type ?? 'decimal', untypedUses: [] };
  }

  #operation(operator: string, sides: (Expression | null)[]): TypedExpression {
    const presentSides = sides.filter((side) => side !== null);
    if (operator === '||') {
      this.#assignType(this.#typesOf(presentSides), 'string');
      return { type: 'string', untypedUses: [] };
    }
    return this.#condition(presentSides, PATTERN_OPERATORS.has(operator) ? 'string' : null);
  }

  #cases({ operand, whens, otherwise }: Expression & { kind: 'case' }): TypedExpression {
    const conditions = whens.map(({ when }) => when);
    if (operand) this.#assignType(this.#typesOf([operand, ...conditions]));
    else for (const when of conditions) this.#assignType([this.#typeOf(when)], 'boolean');
    return this.#commonType(this.#typesOf([...whens.map(({ result }) => result), ...(otherwise ? [otherwise] : [])]));
  }

  #call({ name, args: callArgs }: Call): TypedExpression {
    const args = this.#typesOf(callArgs);
    if (SAME_TYPE_FUNCTIONS.has(name)) return this.#commonType(args);
    if (name === 'if') {
      this.#assignType(args.slice(0, 1), 'boolean');
      return this.#commonType(args.slice(1));
    }
    if (TEXT_FUNCTIONS.has(name)) this.#assignType(args, 'string');
    else if (NUMBER_FUNCTIONS.has(name)) this.#assignType(args, 'decimal');
    else if (TEXT_FIRST_ARGUMENT_FUNCTIONS.has(name)) {
      this.#assignType(args.slice(0, 1), 'string');
      this.#assignType(args.slice(1), null);
    } else for (const arg of args) this.#assignType([arg], null);
    return {
      type: TEXT_RESULT_FUNCTIONS.has(name) ? 'string' : NUMBER_RESULT_FUNCTIONS.has(name) ? 'decimal' : null,
      untypedUses: [],
    };
  }
}
