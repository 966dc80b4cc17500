// Checks calls. Allows only listed functions whose result and running time have a limit.
import type { Dialect } from '../../dialects/dialect.ts';
import type { CallBound } from '../../dialects/function-list.ts';
import { type ConstantValue, listChildren, listNodes, toConstant } from '../../dialects/nodes.ts';
import type { Call, Expression } from '../../dialects/tree.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import type { ExpressionContext, StatementWalk } from './statement-walk.ts';
import { addCallToSize } from './uncancelable-work.ts';

const MAX_TEXT_LENGTH = 1000;
const MAX_SERIES_STEPS = 10_000;
const MAX_EXPONENT = 300;

export function visitCall(walk: StatementWalk, call: Call, context: ExpressionContext): void {
  const { analysis } = walk;
  if (analysis.allowsAnyColumn && call.name === 'metric') {
    const [name] = call.args.length === 1 && call.args[0]!.kind === 'column' ? call.args[0].path : [];
    if (name !== undefined) {
      analysis.metrics.add(name);
      return;
    }
  }
  const { functions } = analysis.dialect;
  if (call.schema !== null && !functions.schemas.has(call.schema)) {
    const message = `The function ${call.schema}.${call.name} is not allowed. Use a built-in function.`;
    analysis.faults.add('function', message);
  }
  analysis.checkCall(call.name);
  if (call.over) {
    analysis.hasWindows = true;
    analysis.size.addWindow(context.scope, call.over);
  } else if (call.distinct || call.orderBy.length > 0) analysis.size.addSortedCall();
  // DISTINCT in a call that isn't an aggregate can cause an internal error in an engine, for example in DuckDB under
  // ROLLUP.
  if (call.distinct && functions.list.has(call.name) && functions.list.kind(call.name) !== 'aggregate')
    analysis.faults.add('function', `${call.name}(DISTINCT …) is not allowed, because only aggregates take DISTINCT.`);
  const bound = functions.bounds.get(call.name);
  if (bound) checkBound(analysis, call, bound);
  const nameIndex = functions.callsNamed.get(call.name);
  if (nameIndex !== undefined) checkNamedCall(analysis, call, nameIndex);
  const countsDistinct = call.name === 'count' && call.distinct && call.over === null && call.args.length === 1;
  let createdArgumentCount = 0;
  for (const child of listChildren(call)) {
    const position = countsDistinct && child === call.args[0] ? 'counted' : 'used';
    // NULLIF both compares and returns its first argument, so MariaDB and DuckDB copy that argument.
    const copies = call.name === 'nullif' && child === call.args[0] ? 2 : 1;
    const visit = () => walk.visit(child as Expression, { ...context, position });
    if (analysis.size.createsValueDuring(() => analysis.size.visitCopies(copies, visit))) createdArgumentCount++;
  }
  addCallToSize(analysis, call, createdArgumentCount);
}

/** The call list_aggregate(x, 'name') runs the function that the second argument names. */
function checkNamedCall(analysis: StatementAnalysis, { name, args }: Call, index: number): void {
  const functionName = args[index] && toConstant(args[index]);
  if (typeof functionName === 'string') analysis.checkCall(functionName.toLowerCase());
  else analysis.faults.add('function', `${name} needs the name of an aggregate as a constant.`);
}

function checkBound(analysis: StatementAnalysis, { name, args }: Call, bound: CallBound): void {
  const { faults, dialect } = analysis;
  const refuseUnbounded = (needs: string) => faults.add('unbounded', `${name} needs ${needs}.`);
  // The guard checks the length of a span only where the span is the step of a series.
  switch (bound.kind) {
    case 'length': {
      const isNested = args.some((arg) =>
        [...listNodes(arg)].some(
          (node) => node.kind === 'call' && dialect.functions.bounds.get(node.name)?.kind === 'length',
        ),
      );
      const length = args[bound.argument] && toConstant(args[bound.argument]!);
      const isSmall = length === null || (typeof length === 'number' && length <= MAX_TEXT_LENGTH);
      if (!isSmall || isNested) refuseUnbounded(`a constant length of at most ${MAX_TEXT_LENGTH}, and can't be nested`);
      return;
    }
    case 'format': {
      const format = args[0] && toConstant(args[0]);
      if (typeof format !== 'string' || /\d{4,}|\*|\{:?\{/.test(format)) {
        refuseUnbounded('a constant format without wide or computed widths');
      }
      return;
    }
    case 'series':
      if (!isSmallSeries(analysis, args)) {
        refuseUnbounded(`constant bounds with at most ${MAX_SERIES_STEPS} steps, or dates a constant interval apart`);
      }
      return;
    case 'exponent':
      if (args[1]) checkExponent(analysis, args[1]);
      return;
    case 'arguments':
      if (args.length !== bound.count) refuseUnbounded(`${bound.count} arguments`);
  }
}

export function checkExponent({ faults }: StatementAnalysis, exponent: Expression): void {
  const value = toConstant(exponent) ?? 0;
  if (Math.abs(Number(value)) > MAX_EXPONENT) {
    faults.add('unbounded', `The exponent ${value} is too large; the limit is ${MAX_EXPONENT}.`);
  }
}

function isSmallSeries({ dialect }: StatementAnalysis, args: Expression[]): boolean {
  const numbers = args.map((arg) => toNumber(toConstant(arg)));
  if (numbers.every((number) => Number.isFinite(number))) {
    const [first = 0, last] = numbers;
    const [start, stop] = last === undefined ? [0, first] : [first, last];
    return Math.abs(stop - start) / Math.abs(numbers[2] ?? 1) <= MAX_SERIES_STEPS;
  }
  // In a series of dates, the step must be a constant number of hours or of a longer unit.
  const step = args.length === 3 ? readSeriesStep(dialect, args[2]!) : '';
  return /^\s*\d+\s*(h|hours?|days?|weeks?|mons?|months?|quarters?|years?)\s*$/i.test(step);
}

const toNumber = (value: ConstantValue | undefined): number =>
  value === undefined || value === null || value === '' ? Number.NaN : Number(value);

function readSeriesStep({ functions }: Dialect, step: Expression): string {
  const bound = step.kind === 'call' ? functions.bounds.get(step.name) : undefined;
  if (bound?.kind === 'span' && step.kind === 'call' && step.args.length === 1)
    return `${toConstant(step.args[0]!)} ${bound.unit}`;
  if (step.kind === 'interval') return `${toConstant(step.amount)} ${step.unit}`;
  return String(toConstant(step));
}
