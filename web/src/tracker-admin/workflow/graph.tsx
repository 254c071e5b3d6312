import { useMemo, useRef, useState } from 'react';
import { graphPicture, unreachable } from '../../kernel/state-graph.ts';
import { useMessages } from '../../messages/index.ts';
import { classes, coloured, IconButton } from '../../ui/index.ts';
import { type Flow, nameOfState, type Step } from './model.ts';
import styles from './workflow.module.css';

interface GraphProps {
  readonly flow: Flow;
  readonly chosen: Step | undefined;
  onChoose(step: Step): void;
}

const height = 34;
const longestName = 22;
const short = (name: string) => (name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name);
const sizes = [50, 75, 100, 125, 150, 200];
const drawn = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
];

/** The picture as a file: with the colours that it has on this page, since it takes no style sheets along. */
function downloadPicture(svg: SVGSVGElement, name: string): void {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return;
  const copies = [...copy.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [...svg.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(element);
    for (const property of drawn) copies[index]?.setAttribute(property, style.getPropertyValue(property));
    copies[index]?.removeAttribute('class');
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The same workflow as a picture: states from left to right, each step an arrow that can be chosen. */
export function Graph({ flow, chosen, onChoose }: GraphProps) {
  const { workflow: words } = useMessages().trackerAdmin;
  const svg = useRef<SVGSVGElement>(null);
  const [size, setSize] = useState(100);
  const longest = Math.max(4, ...flow.states.map(({ name }) => short(name).length));
  const width = 46 + longest * 7;
  const ids = useMemo(() => flow.states.map(({ id }) => id), [flow.states]);
  const picture = useMemo(() => graphPicture(ids, flow.edges, { width, height }), [ids, flow.edges, width]);
  const lost = new Set(unreachable(ids, flow.edges));
  const resize = (step: 1 | -1) => setSize(sizes[sizes.indexOf(size) + step] ?? size);
  const scaled = (length: number) => (length * size) / 100;
  return (
    <section className={styles['graph']} aria-label={words.graphName}>
      <div className={styles['zoom']}>
        <IconButton icon="minus" size="small" label={words.smaller} onPress={() => resize(-1)} />
        <span>{size} %</span>
        <IconButton icon="plus" size="small" label={words.larger} onPress={() => resize(1)} />
        <IconButton
          icon="download"
          size="small"
          label={words.download}
          onPress={() => svg.current && downloadPicture(svg.current, flow.field.name)}
        />
      </div>
      <div className={styles['scroll']}>
        <div
          className={styles['picture']}
          style={{ width: scaled(picture.width), height: scaled(picture.height) }}
        >
          <svg
            ref={svg}
            role="img"
            width={scaled(picture.width)}
            height={scaled(picture.height)}
            viewBox={`0 0 ${picture.width} ${picture.height}`}
          >
            <title>{words.graphName}</title>
            <defs>
              {['arrow', 'arrowChosen'].map((id) => (
                <marker key={id} id={id} markerWidth="9" markerHeight="9" refX="7" refY="4.5" orient="auto">
                  <path
                    d="M1 1l6.5 3.5L1 8"
                    className={classes(styles['head'], id === 'arrowChosen' && styles['headChosen'])}
                  />
                </marker>
              ))}
            </defs>
            {picture.edges.map(({ id, path }) => {
              const edge = flow.edges.find((one) => one.id === id);
              if (edge === undefined) return null;
              const isChosen = chosen?.from === edge.from && chosen.to === edge.to;
              const isLost = edge.from !== null && lost.has(edge.from);
              return (
                <path
                  key={id}
                  d={path}
                  className={classes(
                    styles['line'],
                    isChosen && styles['lineChosen'],
                    isLost && styles['lineLost'],
                  )}
                  markerEnd={`url(#${isChosen ? 'arrowChosen' : 'arrow'})`}
                />
              );
            })}
            {picture.nodes.map(({ id, x, y }) => {
              const state = flow.states.find((one) => one.id === id);
              if (state === undefined)
                return <circle key="new" cx={x} cy={y} r="5" className={styles['start']} />;
              return (
                <g key={id} {...coloured(state.colour)}>
                  <rect
                    x={x - width / 2}
                    y={y - height / 2}
                    width={width}
                    height={height}
                    rx="6"
                    className={classes(styles['box'], lost.has(state.id) && styles['boxLost'])}
                  />
                  <circle cx={x - width / 2 + 18} cy={y} r="5" className={styles['mark']} />
                  <text x={x - width / 2 + 32} y={y + 4.5} className={styles['word']}>
                    {short(state.name)}
                  </text>
                </g>
              );
            })}
          </svg>
          {picture.edges.map(({ id, handle }) => {
            const edge = flow.edges.find((one) => one.id === id);
            if (edge === undefined) return null;
            return (
              <button
                key={id}
                type="button"
                className={styles['handle']}
                style={{ left: scaled(handle.x), top: scaled(handle.y) }}
                aria-pressed={chosen?.from === edge.from && chosen.to === edge.to}
                aria-label={words.cell(
                  nameOfState(flow, edge.from, words.new),
                  nameOfState(flow, edge.to, words.new),
                )}
                onClick={() => onChoose(edge)}
              />
            );
          })}
        </div>
      </div>
    </section>
  );
}
