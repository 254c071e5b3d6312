import { type ReactNode, useEffect } from 'react';
import { useMessages } from '../messages/index.ts';
import { useAbout } from '../store/index.ts';
import { Logo } from '../ui/index.ts';
import styles from './studio.module.css';

/** The panes of the window before its light falls on the wall at a slant: their size, and how steep the roof above them is. */
const pane = { width: 107, height: 96.5 };
const bar = 6;
const steepness = 0.472;
const step = pane.height + bar;

/** Two leaves; the right one is a row taller under its sloping roof. */
const leaves = [
  { left: 0, tops: [0, 1, 2, 3].map((row) => row * step), roofOver: -bar },
  { left: 247, tops: [-1, 0, 1, 2, 3].map((row) => row * step), roofOver: -step - bar },
];

/** What is left of a pane between the roof and the bar below it. */
function roofPane(left: number, foot: number): string {
  const right = left + pane.width;
  const from = Math.max(left, -foot / steepness);
  const roof = (x: number) => -steepness * x;
  return `M${from} ${Math.min(foot, roof(from))}L${right} ${roof(right)}V${foot}H${left}${from === left ? '' : `L${from} ${foot}`}z`;
}

function Leaf({ left, tops, roofOver }: (typeof leaves)[number]) {
  const columns = [left, left + pane.width + bar];
  return columns.map((x) => (
    <g key={x}>
      <path d={roofPane(x, roofOver)} />
      {tops.map((y) => (
        <rect key={y} x={x} y={y} {...pane} />
      ))}
    </g>
  ));
}

/** The light of a studio window on the wall: the only picture in the application. */
function Light() {
  return (
    <svg className={styles['light']} viewBox="0 0 680 720" aria-hidden="true">
      <g transform="translate(101 227) skewY(5) skewX(-12)">
        {leaves.map((leaf) => (
          <Leaf key={leaf.left} {...leaf} />
        ))}
      </g>
    </svg>
  );
}

/** What is around all forms for people who are not in yet. */
export function Studio({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { signing } = useMessages();
  const about = useAbout();
  const product = about === undefined ? 'Atelier' : `${about.name} ${about.version}`;
  useEffect(() => {
    document.title = `${title} · ${about?.name ?? 'Atelier'}`;
  }, [title, about?.name]);
  return (
    <div className={styles['studio']}>
      <Light />
      <main className={styles['column']} id="main">
        <p className={styles['logo']}>
          <Logo size={24} />
          <span>{about?.name ?? 'Atelier'}</span>
        </p>
        <h1 className={styles['title']}>{title}</h1>
        {children}
      </main>
      <footer className={styles['foot']}>{signing.on(product, window.location.host)}</footer>
    </div>
  );
}
