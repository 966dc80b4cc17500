// Writes plots as SVG: bars of medians, and lines over a few steps. Text takes the color of the page, light or dark.
import { roundTo } from './measure.ts';

const COLOURS = ['#3b6fd4', '#d98324', '#3f9a5b', '#8a5cc2'];
const WIDTH = 720;
const LEFT = 190;

export interface Series {
  name: string;
  values: (number | null)[];
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`;

function page(title: string, height: number, series: readonly Series[], body: string[]): string {
  const legend = series.map(({ name }, n) => {
    const x = LEFT + n * 120;
    return `<rect x="${x}" y="30" width="10" height="10" fill="${COLOURS[n]}"/>${text(x + 15, 39, name)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="currentColor">
<style>svg { color: #222 } @media (prefers-color-scheme: dark) { svg { color: #ddd } }</style>
${[text(10, 20, title, 'font-size="14" font-weight="bold"'), ...legend, ...body].join('\n')}
</svg>
`;
}

/** Groups of horizontal bars. A missing value has no bar. */
export function bars(title: string, unit: string, groups: readonly string[], series: readonly Series[]): string {
  const longest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 1e-9);
  const barHeight = 14;
  const body: string[] = [];
  let y = 56;
  for (const [g, group] of groups.entries()) {
    body.push(text(LEFT - 8, y + (series.length * barHeight) / 2 + 4, group, 'text-anchor="end"'));
    for (const [s, { values }] of series.entries()) {
      const value = values[g];
      if (value === null || value === undefined) continue;
      const long = Math.max(1, (value / longest) * (WIDTH - LEFT - 90));
      body.push(
        `<rect x="${LEFT}" y="${y + s * barHeight}" width="${roundTo(long, 1)}" height="${barHeight - 3}" fill="${COLOURS[s]}"/>`,
      );
      body.push(text(LEFT + long + 5, y + s * barHeight + 10, `${roundTo(value)} ${unit}`));
    }
    y += series.length * barHeight + 12;
  }
  return page(title, y, series, body);
}

/** Lines over equidistant steps. The axis starts at zero. */
export function lines(
  title: string,
  axis: string,
  steps: readonly (string | number)[],
  series: readonly Series[],
): string {
  const [top, bottom, left, right] = [60, 300, 70, WIDTH - 30];
  const highest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 1e-9);
  const x = (n: number) => roundTo(left + (n * (right - left)) / Math.max(1, steps.length - 1), 1);
  const y = (value: number) => roundTo(bottom - (value / highest) * (bottom - top), 1);
  const body = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    `<line x1="${left}" x2="${right}" y1="${y(part * highest)}" y2="${y(part * highest)}" stroke="currentColor" opacity="0.2"/>`,
    text(left - 8, y(part * highest) + 4, String(roundTo(part * highest, 1)), 'text-anchor="end"'),
  ]);
  body.push(...steps.map((step, n) => text(x(n), bottom + 18, String(step), 'text-anchor="middle"')));
  body.push(text((left + right) / 2, bottom + 38, axis, 'text-anchor="middle"'));
  for (const [s, { values }] of series.entries()) {
    const points = values.flatMap((value, n) => (value === null ? [] : [`${x(n)},${y(value)}`]));
    body.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[s]}" stroke-width="2"/>`);
  }
  return page(title, bottom + 50, series, body);
}
