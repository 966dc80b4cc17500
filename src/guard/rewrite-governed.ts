// Puts the governed body of each relation where its table stood, sets our limit, and lets only a faithful text run.
import { LRUCache } from 'lru-cache';
import { Faults } from '../dialects/faults.ts';
import { Problem } from '../platform/problem.ts';
import type { Analysis } from './analysis.ts';
import { type AstNode, nodesIn } from './ast.ts';
import type { GovernedRelation } from './guarded-sql.ts';
import type { Source } from './name-scope.ts';

/** The bodies of a dialect's relations, each parsed once. */
export class GovernedBodies {
  readonly #parsed = new LRUCache<string, AstNode>({ max: 500 });
  readonly #parse: (body: string, faults: Faults) => Promise<AstNode | null>;
  readonly #bareTable: (node: AstNode) => string | null;

  /** `bareTable`: the table that a node names without a schema. */
  constructor(
    parse: (body: string, faults: Faults) => Promise<AstNode | null>,
    bareTable: (node: AstNode) => string | null,
  ) {
    this.#parse = parse;
    this.#bareTable = bareTable;
  }

  /** A CTE named like a table inside a body would stand in for it (G11), so such a name is refused. */
  async parsed(body: string, analysis: Analysis): Promise<AstNode> {
    let parsed: AstNode | null | undefined = this.#parsed.get(body);
    if (!parsed) {
      const wrong = new Faults();
      parsed = await this.#parse(body, wrong);
      if (!parsed || wrong.list.length > 0) throw unusableBody(wrong);
      this.#parsed.set(body, parsed);
    }
    for (const node of nodesIn(parsed)) {
      const name = this.#bareTable(node);
      if (name !== null && analysis.cteNames.has(analysis.fold(name))) {
        analysis.faults.add('cte_name', `Rename ${name} in WITH: it hides a governed table.`);
      }
    }
    return parsed;
  }
}

interface Rewriting {
  bodies: GovernedBodies;
  setLimit: (maxRows: number) => void;
  /** The text of the rewritten tree; null when it can't be written, or would be read as another tree. */
  write: () => Promise<string | null>;
}

/** The text that runs; empty, with faults, when there is none. */
export async function rewriteGoverned(
  analysis: Analysis,
  maxRows: number | null,
  { bodies, setLimit, write }: Rewriting,
): Promise<string> {
  const { faults } = analysis;
  const chosen = analysis.replaceable.map(({ source, replace }) => {
    const relation = source.relation!;
    for (const policy of relation.policies) analysis.policies.add(policy);
    return { body: bodyFor(relation, source, faults), replace };
  });
  for (const { body, replace } of chosen) replace(await bodies.parsed(body, analysis));
  if (maxRows !== null) setLimit(maxRows);
  if (faults.list.length > 0) return '';
  const text = await write();
  if (text !== null) return text;
  const message = "The statement can't be rewritten faithfully with the row policies; write it in a plainer way.";
  faults.add('rewrite', message);
  return '';
}

/** The raw columns are there only where one is counted, and only where nothing could show them. */
function bodyFor(relation: GovernedRelation, { uses }: Source, faults: Faults): string {
  if (!uses.raw) return relation.body;
  if (uses.star || uses.natural) {
    const what = uses.star ? '*' : 'NATURAL JOIN';
    faults.add('masked', `A SELECT that counts a masked field of ${relation.dataset} can't use ${what} on it.`);
  }
  return relation.raw!.body;
}

/** A statement whose governed bodies can't be put in is refused, never run without them. */
const unusableBody = (faults: Faults): Problem =>
  new Problem('guard_refused', "The fields and row policies of the lens can't be applied to this statement.", {
    details: [
      { path: 'sql', code: 'policy', message: "The row policies can't be applied; ask whoever keeps the lens." },
    ],
    detail: faults.list.map(({ message }) => message).join('; '),
  });
