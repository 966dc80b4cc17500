// Numbers as people write them: grouped thousands, every digit kept, trailing zeros dropped.
// Nothing is rounded: a number in a written answer is a number in the rows.
export function formatNumber(value: string | number, unit: string | null = null): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'number' ? plainDigits(value) : value);
  if (!match) return String(value);
  const [, sign, whole, fraction = ''] = match;
  const grouped = `${sign}${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}`;
  const kept = fraction.replace(/0+$/, '');
  const places = kept.length === 1 && isCurrency(unit) ? `${kept}0` : kept;
  return places ? `${grouped}.${places}` : grouped;
}

export const formatWithUnit = (value: string | number, unit: string | null): string =>
  unit ? `${formatNumber(value, unit)} ${unit}` : formatNumber(value);

const isCurrency = (unit: string | null): boolean => unit !== null && /^[A-Z]{3}$/.test(unit);

/** No exponent for the magnitudes people read; beyond them JavaScript's own notation. */
function plainDigits(value: number): string {
  const text = String(value);
  if (!/e/.test(text)) return text;
  return Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : text;
}
