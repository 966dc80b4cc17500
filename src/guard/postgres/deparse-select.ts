// pgsql-deparser leaves out brackets that matter (`NOT (a AND b) IS NULL`); brackets cost nothing, so every operation
// gets its own. What comes out is still parsed back and compared (examine.ts).
import { Deparser } from 'pgsql-deparser';
import type { AstNode } from '../ast.ts';

type Context = Parameters<Deparser['BoolExpr']>[1];

class BracketingDeparser extends Deparser {
  override BoolExpr(node: Parameters<Deparser['BoolExpr']>[0], context: Context): string {
    return `(${super.BoolExpr(node, context)})`;
  }
  override A_Expr(node: Parameters<Deparser['A_Expr']>[0], context: Context): string {
    return `(${super.A_Expr(node, context)})`;
  }
  override NullTest(node: Parameters<Deparser['NullTest']>[0], context: Context): string {
    return `(${super.NullTest(node, context)})`;
  }
  override BooleanTest(node: Parameters<Deparser['BooleanTest']>[0], context: Context): string {
    return `(${super.BooleanTest(node, context)})`;
  }
  override SubLink(node: Parameters<Deparser['SubLink']>[0], context: Context): string {
    const text = super.SubLink(node, context);
    return node.testexpr ? `(${text})` : text;
  }
  override A_Indirection(node: Parameters<Deparser['A_Indirection']>[0], context: Context): string {
    const steps = (node.indirection ?? []).map((step) => this.visit(step, context));
    return `(${this.visit(node.arg!, context)})${steps.join('')}`;
  }
}

export function deparseSelect(select: AstNode): string {
  const tree = { SelectStmt: select } as ConstructorParameters<typeof Deparser>[0];
  return new BracketingDeparser(tree, { pretty: false }).deparseQuery();
}
