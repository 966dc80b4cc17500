// Reads a parser node field by field. Reports an error for each field that svc doesn't read, unless the field is empty
// or irrelevant.
import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../ast.ts';
import type { FaultCollector } from '../fault-collector.ts';

/** Parser fields that don't affect the meaning, such as positions and comments. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set(
  `span trailing_comments leading_comments left_comments operator_comments pre_alias_comments alias_explicit_as alias_first
   use_inner_keyword use_outer_keyword nesting_group kind_text start_side_text end_side_text original_name inferred_type
   explicit_asc quoted alias_keyword`.split(/\s+/),
);

export const isEmptyField = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

const REFUSALS_BY_FIELD: Readonly<Record<string, readonly [string, string]>> = {
  into: ['into', 'SELECT … INTO is not allowed.'],
  locks: ['locking', 'FOR UPDATE and FOR SHARE are not allowed.'],
};

export class NodeFields {
  readonly #untakenFields: Map<string, unknown>;

  constructor(node: unknown) {
    this.#untakenFields = new Map(Object.entries(toAstNode(node)).filter(([, value]) => !isEmptyField(value)));
  }

  has(field: string): boolean {
    return this.#untakenFields.has(field);
  }
  /** Takes the first of these fields that is present. Returns undefined if none of them is. */
  take(...fields: string[]): unknown {
    const field = fields.find((name) => this.#untakenFields.has(name));
    if (field === undefined) return undefined;
    const value = this.#untakenFields.get(field);
    this.#untakenFields.delete(field);
    return value;
  }
  takeNode(field: string): AstNode | null {
    const value = this.take(field);
    return isAstNode(value) ? value : null;
  }
  takeList(field: string): unknown[] {
    return toList(this.take(field));
  }
  takeText(field: string): string {
    return toTextOrEmpty(this.take(field));
  }
  takeFlag(field: string): boolean {
    return this.take(field) === true;
  }

  /** Reports an error for each field that the reader didn't take. */
  reportRemaining(construct: string, faults: FaultCollector): void {
    for (const field of this.#untakenFields.keys()) {
      if (IGNORED_FIELDS.has(field)) continue;
      const [code, message] = REFUSALS_BY_FIELD[field] ?? [
        'construct',
        `${construct} with ${field.replaceAll('_', ' ')} is not allowed here.`,
      ];
      faults.add(code, message);
    }
  }
}

/** Splits `{kind: {…}}` into its kind and fields. Returns an empty kind for other values. */
export function splitNode(node: unknown): [string, unknown] {
  const [kind, ...otherKeys] = Object.keys(toAstNode(node));
  return kind === undefined || otherKeys.length > 0 ? ['', {}] : [kind, toAstNode(node)[kind]];
}

/** Returns the text that messages use for a node kind. */
export const describeNodeKind = (kind: string): string =>
  kind === '' ? 'This construct' : kind.replaceAll('_', ' ').toUpperCase();
