// Draws a chart as SVG on the server, without a browser.
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Chart, Envelope } from '../../../contract/ask.ts';

const CHART_WIDTH = 720;

export async function drawChart(
  { vega_lite: spec }: Pick<Chart, 'vega_lite'>,
  rows: NonNullable<Envelope['data']>,
): Promise<string> {
  const sizedSpec = spec['width'] === 'container' ? { ...spec, width: CHART_WIDTH } : spec;
  const topLevelSpec = { ...sizedSpec, background: 'white', datasets: { rows } } as unknown as TopLevelSpec;
  return new View(parse(compile(topLevelSpec).spec), { renderer: 'none' }).toSVG();
}
