// Converts filters: {{ Dimension('order_id__is_food') }} = true -> orders.is_food = true. The entity determines which
// model has the dimension.
import type { MetricflowModel } from './metricflow-shapes.ts';

/** Null if a part of the filter has no equivalent in a lens. */
export function convertFilter(
  filter: unknown,
  measureModel: MetricflowModel,
  models: MetricflowModel[],
): string | null {
  const parts = Array.isArray(filter) ? filter : [filter];
  if (!parts.every((part) => typeof part === 'string')) return null;
  const text = parts.length === 1 ? parts[0]!.trim() : parts.map((part) => `(${part.trim()})`).join(' and ');
  const sql = text.replace(
    /\{\{\s*(Dimension|TimeDimension)\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"](\w+)['"]\s*)?\)\s*\}\}/g,
    (match, _kind, path: string, grain: string | undefined) => {
      const field = convertField(path, measureModel, models);
      // Doesn't convert a date dimension truncated to a period, because it compares differently from its full value.
      return field && grain === undefined ? field : match;
    },
  );
  return sql.includes('{{') ? null : sql;
}

function convertField(path: string, measureModel: MetricflowModel, models: MetricflowModel[]): string | null {
  const [entity, dimension, ...restParts] = path.split('__');
  if (!entity || !dimension || restParts.length > 0) return null;
  const hasDimension = (model: MetricflowModel) => model.dimensions.some(({ name }) => name === dimension);
  const isKeyOf = (model: MetricflowModel) =>
    model.primary_entity === entity ||
    model.entities.some(({ name, type }) => name === entity && /^(primary|unique|natural)$/.test(type));
  if (isKeyOf(measureModel)) return hasDimension(measureModel) ? `${measureModel.name}.${dimension}` : null;
  if (!measureModel.entities.some(({ name, type }) => name === entity && type === 'foreign')) return null;
  const ownerModels = models.filter((model) => model !== measureModel && isKeyOf(model));
  return ownerModels.length === 1 && hasDimension(ownerModels[0]!) ? `${ownerModels[0]!.name}.${dimension}` : null;
}
