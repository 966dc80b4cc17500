// The "many" side of a join is on the left, and the "one" side is on the right.
import dagre from '@dagrejs/dagre';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatCountWithNoun } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import type { LensDetail } from '../ask/api/lenses.ts';
import css from './lenses.module.css';

const BOX_WIDTH = 190;
const LINE_HEIGHT = 18;
const MAX_SHOWN_FIELDS = 6;
type Dataset = LensDetail['schema']['datasets'][number];

export default function LensMap({ lens }: { lens: LensDetail }) {
  const { datasets, relationships } = lens.schema;
  const layout = useMemo(() => computeMapLayout(lens), [lens]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section className={css.map} aria-label="Map of the datasets" tabIndex={0}>
        <svg width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`}>
          <title>{`${formatCountWithNoun(datasets.length, 'dataset')}, ${formatCountWithNoun(relationships.length, 'join')}`}</title>
          <defs>
            <marker id="one" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M0 0 L8 4 L0 8 z" />
            </marker>
          </defs>
          {layout.edges.map(({ key, path, label, x, y }) => (
            <g key={key}>
              <path d={path} markerEnd="url(#one)" />
              {label && (
                <text x={x} y={y - 5} textAnchor="middle" className={css.quiet}>
                  {label}
                </text>
              )}
            </g>
          ))}
          {layout.boxes.map((box) => (
            <DatasetBox key={box.dataset.name} {...box} lens={lens.name} />
          ))}
        </svg>
      </section>
      {relationships.length > 0 && (
        <Section title="Joins">
          <ul className={css.plainList}>
            {relationships.map(({ name: role, from, to }) => (
              <li key={role}>
                {from.dataset} ({from.columns.join(', ')}) → {to.dataset} ({to.columns.join(', ')})
                {role !== to.dataset && <span className={css.tag}>{role}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function DatasetBox(props: { dataset: Dataset; x: number; y: number; height: number; lens: string }) {
  const { dataset, x, y, height } = props;
  const hiddenCount = dataset.fields.length - MAX_SHOWN_FIELDS;
  return (
    <g>
      <Link
        to="/lenses/$name"
        params={{ name: props.lens }}
        search={{ tab: 'fields' }}
        hash={`dataset-${dataset.name}`}
        aria-label={`Fields of ${dataset.name}`}
      >
        <rect x={x} y={y} width={BOX_WIDTH} height={height} rx={8} />
        <text x={x + 12} y={y + 22} className={css.title}>
          {shortenName(dataset.name)}
        </text>
      </Link>
      {dataset.fields.slice(0, MAX_SHOWN_FIELDS).map(({ name, masked }, index) => (
        <text key={name} x={x + 12} y={y + 22 + LINE_HEIGHT * (index + 1)} className={css.quiet} pointerEvents="none">
          {shortenName(name)}
          {masked ? ' (masked)' : ''}
        </text>
      ))}
      {hiddenCount > 0 && (
        <text x={x + 12} y={y + 22 + LINE_HEIGHT * (MAX_SHOWN_FIELDS + 1)} className={css.quiet} pointerEvents="none">
          and {hiddenCount} more
        </text>
      )}
    </g>
  );
}

const shortenName = (name: string): string => (name.length > 22 ? `${name.slice(0, 21)}…` : name);
const computeBoxHeight = ({ fields }: Dataset): number =>
  36 + LINE_HEIGHT * (Math.min(fields.length, MAX_SHOWN_FIELDS) + (fields.length > MAX_SHOWN_FIELDS ? 1 : 0));

function computeMapLayout({ schema: { datasets, relationships } }: LensDetail) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 110, marginx: 4, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const dataset of datasets) graph.setNode(dataset.name, { width: BOX_WIDTH, height: computeBoxHeight(dataset) });
  for (const { name, from, to } of relationships) graph.setEdge(from.dataset, to.dataset, {}, name);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    ...{ width, height },
    boxes: datasets.map((dataset) => {
      const node = graph.node(dataset.name);
      return { dataset, x: node.x - BOX_WIDTH / 2, y: node.y - node.height / 2, height: node.height };
    }),
    edges: relationships.map(({ name, from, to }) => {
      const points: { x: number; y: number }[] = graph.edge({ v: from.dataset, w: to.dataset, name }).points;
      const middle = points[Math.floor(points.length / 2)]!;
      const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
      return { key: name, path, label: name === to.dataset ? null : name, x: middle.x, y: middle.y };
    }),
  };
}
