// Turns a measure of an intent into one output column, computed from leaves, groups or grouped rows. Each
// kind builds on the outputs of its inner measures, so that measures can nest.
import { keepFraction, ratio } from '../../dialects/compiling.ts';
import { callOf, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import type { Measure } from '../model/intent.ts';
import { datasetOfPath } from '../model/join-paths.ts';
import { shortened } from '../model/short-name.ts';
import type { Compilation } from './compilation.ts';
import { valueWhere } from './filter-sql.ts';
import { compute, percent as percentage } from './measure.ts';
import { changeOf, partOf, restrictedTo } from './measure-parts.ts';
import { windowed } from './measure-windows.ts';
import type { Groups, Leaf, Output } from './output.ts';
import { checkAdds, rowValue, typeOfValue, valueWords } from './row-value.ts';

export function outputOf(compilation: Compilation, measure: Measure, groups: Groups): Output | null {
  const made = buildOutput(compilation, measure, groups);
  return made && { ...made, name: measure.as ?? shortened(made.name) };
}

function buildOutput(compilation: Compilation, measure: Measure, groups: Groups): Output | null {
  const inner = (of: Measure): Output | null => outputOf(compilation, of, groups);
  switch (measure.kind) {
    case 'metric':
    case 'aggregate': {
      const computed = compute(compilation, measure);
      return computed && { ...computed, windowed: false };
    }
    case 'amount':
      return amount(compilation, measure);
    case 'listed':
      return listed(compilation, measure);
    case 'combined':
      return combined(compilation, measure, inner(measure.left), inner(measure.right));
    case 'scaled': {
      const of = inner(measure.of);
      if (!of || !isNumber(compilation, of)) return null;
      const { by } = measure;
      const decimal = of.datatype === 'integer' && !Number.isInteger(by) ? 'decimal' : of.datatype;
      const factor = compilation.literal(by, Number.isInteger(by) ? 'integer' : 'decimal');
      const word = String(by).replace(/\W/g, '_');
      if (measure.divides)
        return {
          ...of,
          name: `${of.name}_per_${word}`,
          datatype: of.datatype === 'float' ? 'float' : 'decimal',
          source: `${of.source} / ${by}`,
          value: (leaf, frame) => computed(keepFraction(compilation.dialect, of.value(leaf, frame)), '/', factor),
        };
      return {
        ...of,
        name: `${of.name}_times_${word}`,
        datatype: decimal,
        source: `${of.source} * ${by}`,
        value: (leaf, frame) => computed(of.value(leaf, frame), '*', factor),
      };
    }
    case 'rounded':
      return rounded(compilation, measure, inner(measure.of));
    case 'filled': {
      const of = inner(measure.of);
      if (!of || !isNumber(compilation, of)) return null;
      const value: Output['value'] = (leaf, frame) => callOf('coalesce', [of.value(leaf, frame), numberOf(0)]);
      return { ...of, name: `${of.name}_or_zero`, source: `${of.source} or 0`, value };
    }
    case 'restricted':
      return restrictedTo(compilation, inner(measure.of), measure.where, groups);
    case 'change':
      return changeOf(compilation, measure, inner(measure.of));
    case 'part':
      return partOf(compilation, measure, inner(measure.of));
    case 'averaged':
      return averaged(compilation, measure);
    case 'windowed':
      return windowed(compilation, measure, inner(measure.of), groups);
  }
}

const NUMERIC = ['integer', 'decimal', 'float'];
function isNumber(compilation: Compilation, { name, datatype }: Output): boolean {
  if (!NUMERIC.includes(datatype)) compilation.fault(`${name} is ${datatype}; numbers are computed with.`, name);
  return NUMERIC.includes(datatype);
}
const isMoment = ({ datatype }: Output): boolean => datatype === 'date' || datatype === 'datetime';

function amount(compilation: Compilation, measure: Extract<Measure, { kind: 'amount' }>): Output | null {
  const { fn, path, value } = measure;
  const datatype = typeOfValue(compilation, value);
  const home = datasetOfPath(compilation.lens, path)?.name;
  if (!datatype || !home) return null;
  checkAdds(compilation, measure);
  const words = valueWords(value, ({ field }) => field);
  const leaf: Leaf = {
    ...{
      key: JSON.stringify({ ...measure, as: null }),
      name: `${fn}_${words.replace(/\W+/g, '_')}`,
      home,
      filter: null,
    },
    ...{ repeatable: fn === 'min' || fn === 'max', count: false, additive: fn === 'sum', conditional: true },
    value: (scope, condition) => {
      const each = valueWhere(condition, rowValue(compilation, scope, value));
      return fn === 'median' ? scope.median(each, path) : scope.totalled(fn, each, datatype);
    },
  };
  return {
    ...{ name: leaf.name, unit: value.kind === 'elapsed' ? value.unit : null, source: `${fn}(${words})` },
    datatype: fn === 'median' ? 'float' : fn === 'avg' && datatype === 'integer' ? 'decimal' : datatype,
    ...{ additive: fn === 'sum', leaves: [leaf], windowed: false, value: (read) => read(leaf) },
  };
}

function listed(compilation: Compilation, measure: Extract<Measure, { kind: 'listed' }>): Output | null {
  const { path, field, separator, distinct = false } = measure;
  const known = compilation.field({ path, field });
  if (!known) return null;
  const home = known.dataset.name;
  const leaf: Leaf = {
    ...{ key: JSON.stringify({ ...measure, as: null }), name: `list_of_${field}`, home, filter: null },
    ...{ repeatable: distinct, count: false, additive: false, conditional: true },
    value: (scope, condition) => {
      const found = scope.field({ path: scope.home.dataset.name === home ? home : path, field });
      return found && scope.listed(valueWhere(condition, found.value), separator, distinct);
    },
  };
  return {
    ...{ name: leaf.name, datatype: 'string', unit: null, source: `list of ${path}.${field}` },
    ...{ additive: false, leaves: [leaf], windowed: false, value: (read) => read(leaf) },
  };
}

function rounded(
  compilation: Compilation,
  { digits }: Extract<Measure, { kind: 'rounded' }>,
  of: Output | null,
): Output | null {
  if (!of || !isNumber(compilation, of)) return null;
  const { round } = compilation.dialect.compiling;
  return {
    ...of,
    name: `${of.name}_rounded`,
    source: `${of.source} to ${digits} places`,
    additive: false,
    value: (leaf, frame) => round(of.value(leaf, frame), digits),
  };
}

const SIGN = { ratio: '/', difference: '-', total: '+' } as const;
const WORD = { ratio: 'per', difference: 'minus', total: 'plus' } as const;
function combined(
  compilation: Compilation,
  { fn, percent }: Extract<Measure, { kind: 'combined' }>,
  left: Output | null,
  right: Output | null,
): Output | null {
  if (!left || !right) return null;
  const days = fn === 'difference' && isMoment(left) && isMoment(right);
  if (!days && (!isNumber(compilation, left) || !isNumber(compilation, right))) return null;
  const unit = left.unit === right.unit ? left.unit : null;
  return {
    name: `${left.name}_${WORD[fn]}_${right.name}`,
    datatype: fn === 'ratio' ? 'decimal' : days ? 'integer' : wider(left, right),
    unit: days ? 'days' : fn === 'ratio' ? (percent ? '%' : quotientUnit(left.unit, right.unit)) : unit,
    source: `${left.source} ${SIGN[fn]} ${right.source}`,
    additive: fn !== 'ratio' && !days && left.additive && right.additive,
    leaves: [...left.leaves, ...right.leaves],
    windowed: left.windowed || right.windowed,
    value: (of, frame) => {
      const [l, r] = [left.value(of, frame), right.value(of, frame)];
      if (days) return compilation.dialect.compiling.daysBetween(r, l);
      if (fn !== 'ratio') return computed(l, SIGN[fn], r);
      const quotient = ratio(compilation.dialect, l, r);
      return percent ? percentage(quotient) : quotient;
    },
  };
}
const wider = (left: Output, right: Output): Output['datatype'] =>
  NUMERIC.indexOf(right.datatype) > NUMERIC.indexOf(left.datatype) ? right.datatype : left.datatype;

/** A single leaf whose groups are formed and measured in a separate SELECT. */
function averaged(compilation: Compilation, measure: Extract<Measure, { kind: 'averaged' }>): Output | null {
  const fn = measure.fn ?? 'avg';
  const units = measure.over.map((one) => ({ ...one, field: one.field ?? '' }));
  const of = outputOf(compilation, measure.of, { dimensions: units, time: false });
  if (!of) return null;
  if (of.windowed) {
    compilation.fault(`${of.name} is computed over all groups, so it can't be aggregated over groups again.`, of.name);
    return null;
  }
  if (fn === 'sum' && !of.additive) {
    compilation.fault(
      `The sum of ${of.name} over groups is not valid, because it is an average, a ratio or a distinct count. Take avg, min, max or median over the groups.`,
      of.name,
    );
    return null;
  }
  if (fn !== 'count' && !isNumber(compilation, of)) return null;
  if (fn === 'median' && !compilation.dialect.compiling.median) {
    compilation.fault('This warehouse has no median. Use avg, min or max.', of.name);
    return null;
  }
  const [unit] = measure.over;
  const each = unit?.as ?? unit?.grain ?? unit?.field ?? unit?.path.replaceAll('.', '_') ?? 'group';
  const word = fn === 'avg' ? 'average' : fn;
  const name = fn === 'count' ? `number_of_${each}` : `${word}_${of.name}_per_${each}`;
  const leaf: Leaf = {
    key: JSON.stringify(measure),
    name,
    home: '',
    filter: null,
    repeatable: false,
    count: fn === 'count',
    additive: false,
    conditional: false,
    over: measure,
    value: () => null,
  };
  return {
    name,
    datatype: fn === 'count' ? 'integer' : fn === 'avg' || fn === 'median' ? 'decimal' : of.datatype,
    unit: fn === 'count' ? null : of.unit,
    source: fn === 'count' ? `number of groups` : `${word} of ${of.source}`,
    additive: false,
    leaves: [leaf],
    windowed: false,
    value: (read) => read(leaf),
  };
}

const quotientUnit = (left: string | null, right: string | null): string | null =>
  left === right ? null : left !== null && right !== null ? `${left}/${right}` : left;
