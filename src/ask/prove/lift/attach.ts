// Which row each row of a FROM is: one source whose rows lead to all others, many to one, along declared relationships.
import type { Expression } from '../../../dialects/tree.ts';
import type { LensRelationship } from '../../../lens/lens.ts';
import { bare } from '../statement/sources.ts';
import { type Found, type Scope, type Source, Unread } from './scope.ts';

/** Labels the sources; `left` are the conditions that join nothing. */
export function attached(scope: Scope, conditions: readonly Expression[]): { home: Source; left: Expression[] } {
  const { sources } = scope;
  if (sources.length === 0) throw new Unread('no table');
  for (const home of sources.filter(({ how }) => how !== 'left')) {
    const left = attachedTo(scope, home, conditions);
    if (left) return { home, left };
  }
  throw new Unread('no home');
}

function attachedTo(scope: Scope, home: Source, conditions: readonly Expression[]): Expression[] | null {
  const { sources } = scope;
  home.label = `${scope.depth > 0 ? `${scope.depth}:` : ''}${home.dataset.name}`;
  home.steps = [];
  const known = new Set([home]);
  let left = [...conditions];
  for (let grown = true; grown; ) {
    grown = false;
    for (const source of sources) {
      if (known.has(source)) continue;
      const own = source.how === 'left' ? source.on : left;
      const used = joinOf(scope, source, known, own);
      if (!used) continue;
      if (source.how === 'left' && used.conditions.length !== own.length) return null;
      const label = `${used.parent.label}/${used.relationship.role}`;
      if ([...known].some((other) => other.label === label)) return null;
      Object.assign(source, { label, steps: [...used.parent.steps, used.relationship] });
      if (source.how !== 'left') left = left.filter((one) => !used.conditions.includes(one));
      known.add(source);
      grown = true;
    }
  }
  return known.size === sources.length ? left : null;
}

interface Join {
  parent: Source;
  relationship: LensRelationship;
  conditions: Expression[];
}

/** The declared relationship by whose columns these conditions join the source to one that is known. */
function joinOf(scope: Scope, source: Source, known: ReadonlySet<Source>, conditions: Expression[]): Join | null {
  const pairs = conditions.flatMap((condition) => pairOf(scope, condition) ?? []);
  for (const relationship of scope.lens.relationships) {
    const { from, to } = relationship;
    if (to.dataset !== source.dataset.name) continue;
    for (const parent of known) {
      if (parent.dataset.name !== from.dataset) continue;
      const found = from.columns.map((column, at) =>
        pairs.find(({ sides }) => {
          const there = sides.find((side) => side.source === source);
          const here = sides.find((side) => side.source === parent);
          return there && here && scope.same(there.column, to.columns[at]!) && scope.same(here.column, column);
        }),
      );
      if (found.every((one) => one !== undefined))
        return { parent, relationship, conditions: found.map((one) => one!.condition) };
    }
  }
  return null;
}

function pairOf(scope: Scope, condition: Expression): { condition: Expression; sides: Found[] } | null {
  if (condition.kind !== 'compare' || condition.operator !== '=') return null;
  const sides = [condition.left, condition.right].map((side) => (side.kind === 'column' ? bare(side) : null));
  const found = sides.flatMap((side) => (side && scope.find(side.path)) ?? []);
  return found.length === 2 && found[0]!.source !== found[1]!.source ? { condition, sides: found } : null;
}
