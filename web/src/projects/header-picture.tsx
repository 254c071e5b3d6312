import type { headerBackgrounds } from '@atelier/client/routes';
import { type ReactNode, useId } from 'react';
import { classes } from '../ui/index.ts';
import styles from './header-picture.module.css';

export type HeaderBackground = (typeof headerBackgrounds)[number];

const width = 1200;
const height = 160;

/** The same numbers for the same name, on every device. */
function numbersOf(name: string): () => number {
  let state = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Draw = (random: () => number) => ReactNode;

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const place = (value: number) => value.toFixed(1);

/** A line from the left to the right edge that goes up and down, closed below. */
function swell(random: () => number, top: number, rise: number, steps: number): string {
  const step = width / steps;
  const begin = -random() * step;
  const level = (at: number) => place(top + (at % 2 === 0 ? 1 : -1) * rise * (0.4 + random() * 0.6));
  const first = level(0);
  let before = first;
  const curves = times(steps + 1).map((at) => {
    const [middle, end, now] = [begin + (at + 0.5) * step, begin + (at + 1) * step, level(at + 1)];
    const curve = `C ${place(middle)} ${before} ${place(middle)} ${now} ${place(end)} ${now}`;
    before = now;
    return curve;
  });
  return `M ${place(begin)} ${first} ${curves.join(' ')} V ${height} H ${place(begin)} Z`;
}

const swells =
  (rise: number, steps: number): Draw =>
  (random) =>
    times(4).map((layer) => (
      <path key={layer} d={swell(random, 40 + layer * 30, rise, steps)} opacity={0.16 + layer * 0.1} />
    ));

const peaks: Draw = (random) =>
  times(3).flatMap((layer) =>
    times(7).map((at) => {
      const [middle, top] = [at * 200 + random() * 120 - 60, 26 + layer * 32 + random() * 30];
      const foot = (height - top) * 1.5;
      return (
        <path
          key={`${layer} ${at}`}
          d={`M ${place(middle - foot)} ${height} L ${place(middle)} ${place(top)} L ${place(middle + foot)} ${height} Z`}
          opacity={0.14 + layer * 0.12}
        />
      );
    }),
  );

const trees: Draw = (random) =>
  times(70).map((at) => {
    const [left, tall] = [random() * width, 50 + random() * 90];
    return (
      <path
        key={at}
        d={`M ${place(left)} ${height} l ${place(tall / 5)} ${place(-tall)} l ${place(tall / 5)} ${place(tall)} Z`}
        opacity={0.1 + random() * 0.25}
      />
    );
  });

const blades: Draw = (random) =>
  times(160).map((at) => {
    const [left, tall, lean] = [random() * width, 40 + random() * 100, random() * 50 - 25];
    return (
      <path
        key={at}
        d={`M ${place(left)} ${height} q 2 ${place(-tall / 2)} ${place(lean)} ${place(-tall)} q ${place(4 - lean / 2)} ${place(tall / 2)} ${place(8 - lean)} ${place(tall)} Z`}
        opacity={0.1 + random() * 0.25}
      />
    );
  });

const rounds =
  (count: number, least: number, most: number): Draw =>
  (random) =>
    times(count).map((at) => (
      <circle
        key={at}
        cx={place(random() * width)}
        cy={place(random() * height)}
        r={place(least + random() * (most - least))}
        opacity={0.08 + random() * 0.2}
      />
    ));

const rain: Draw = (random) =>
  times(180).map((at) => (
    <path
      key={at}
      d={`M ${place(random() * width)} ${place(random() * height)} l -6 22 l 1.6 0 Z`}
      opacity={0.15 + random() * 0.35}
    />
  ));

const weave: Draw = () => [
  ...times(60).map((at) => (
    <rect key={`down ${at}`} x={at * 20} y={0} width={9} height={height} opacity={0.12} />
  )),
  ...times(8).map((at) => (
    <rect key={`across ${at}`} x={0} y={at * 20} width={width} height={9} opacity={0.14} />
  )),
];

const windows: Draw = (random) =>
  times(40).flatMap((column) =>
    times(5).map((row) => (
      <rect
        key={`${column} ${row}`}
        x={column * 30 + 6}
        y={row * 32 + 8}
        width={18}
        height={20}
        opacity={0.08 + random() * 0.3}
      />
    )),
  );

const rings: Draw = () =>
  times(14).map((at) => (
    <ellipse
      key={at}
      cx={320}
      cy={90}
      rx={60 + at * 72}
      ry={10 + at * 14}
      fill="none"
      stroke="currentColor"
      strokeWidth={5}
      opacity={0.16}
    />
  ));

const lights: Draw = (random) =>
  times(30).flatMap((column) =>
    times(4).map((row) => (
      <circle
        key={`${column} ${row}`}
        cx={column * 40 + 20}
        cy={row * 40 + 20}
        r={9}
        opacity={0.08 + random() * 0.5}
      />
    )),
  );

interface Picture {
  /** Above and below. */
  readonly ground: readonly [string, string];
  readonly ink: string;
  readonly draw: Draw;
}

const pictures: Readonly<Record<HeaderBackground, Picture>> = {
  'aerial-water': { ground: ['#2b7a8c', '#0f4c63'], ink: '#bfe6ea', draw: rounds(60, 10, 70) },
  'asphalt-rock': { ground: ['#5c6168', '#34383e'], ink: '#c9ccd1', draw: rounds(220, 1, 7) },
  'beach-daytime': { ground: ['#8fc3dd', '#e5cf9f'], ink: '#fff6de', draw: swells(12, 5) },
  'blue-rain': { ground: ['#39597d', '#1d3450'], ink: '#cfe0f4', draw: rain },
  'blue-sand': { ground: ['#5b86ad', '#2f5579'], ink: '#dce9f5', draw: swells(8, 9) },
  'brown-alpaca': { ground: ['#a68a6d', '#6f563f'], ink: '#f0e2d0', draw: rounds(110, 14, 36) },
  'brown-desert': { ground: ['#cf9f6d', '#8d5b37'], ink: '#f6e2c4', draw: swells(22, 4) },
  'brown-grass': { ground: ['#b3925f', '#6d5231'], ink: '#f0dfb8', draw: blades },
  'brown-textile': { ground: ['#92755a', '#5f4836'], ink: '#eddfce', draw: weave },
  'brush-daytime': { ground: ['#a9b98a', '#647a4d'], ink: '#f1f5dd', draw: blades },
  'green-grass': { ground: ['#5f9a5a', '#2c6236'], ink: '#d9f0cf', draw: blades },
  'green-leaf': { ground: ['#4d8c63', '#1e5640'], ink: '#d0eed6', draw: rounds(70, 16, 60) },
  'green-trees': { ground: ['#6fa08a', '#24513f'], ink: '#11352a', draw: trees },
  'led-light': { ground: ['#3d3566', '#1d1838'], ink: '#f3c3ff', draw: lights },
  'ocean-waves': { ground: ['#3f86ad', '#134a72'], ink: '#d3edf8', draw: swells(16, 7) },
  'octopus-black': { ground: ['#34363c', '#14151a'], ink: '#9aa0ad', draw: rings },
  'orange-tulip': { ground: ['#e2924b', '#a8491f'], ink: '#ffe3c2', draw: rounds(46, 20, 60) },
  'purple-building': { ground: ['#75619c', '#42325f'], ink: '#e9def8', draw: windows },
  'purple-droplet': { ground: ['#8163a8', '#472f68'], ink: '#eddcff', draw: rounds(120, 4, 22) },
  'purple-textile': { ground: ['#7a5f95', '#4a355f'], ink: '#e9dcf5', draw: weave },
  'snow-mountain': { ground: ['#9db7cf', '#5b7896'], ink: '#ffffff', draw: peaks },
  'tree-water': { ground: ['#6a9aa0', '#25535c'], ink: '#0e343c', draw: trees },
  'white-sheep': { ground: ['#b9c4c4', '#7d8c8c'], ink: '#ffffff', draw: rounds(90, 18, 40) },
  'wooden-surface': { ground: ['#a9774a', '#6b4526'], ink: '#f0d5b2', draw: rings },
};

/** All there are, in the order in which they are offered. */
export const headerPictures: readonly HeaderBackground[] = Object.keys(pictures).filter(isKnown);

function isKnown(name: string): name is HeaderBackground {
  return Object.hasOwn(pictures, name);
}

/** The picture that somebody chose for a project: drawn here, since none has to be loaded then. */
export function HeaderPicture({ name, className }: { readonly name: string; readonly className?: string }) {
  const ground = useId();
  if (!isKnown(name)) return null;
  const { ground: colours, ink, draw } = pictures[name];
  return (
    <svg
      className={classes(styles['picture'], className)}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      color={ink}
      fill="currentColor"
    >
      <linearGradient id={ground} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor={colours[0]} />
        <stop offset="1" stopColor={colours[1]} />
      </linearGradient>
      <rect width={width} height={height} fill={`url(#${ground})`} />
      {draw(numbersOf(name))}
      <rect className={styles['shade']} width={width} height={height} />
    </svg>
  );
}
