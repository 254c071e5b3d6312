import { type ChartTable, csvOf } from './series.ts';

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const fileName = (name: string, ending: string) =>
  `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'chart'}.${ending}`;

/** With a mark in front, by which spreadsheets know that it is UTF-8. */
export const saveCsv = (name: string, table: ChartTable) =>
  save(fileName(name, 'csv'), 'text/csv', `\ufeff${csvOf(table)}\r\n`);

/** What style sheets say about a shape; elsewhere there are none. */
const styled = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-weight',
  'font-family',
];

/** The picture as a file that stands for itself. */
export function saveSvg(name: string, svg: SVGSVGElement): void {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return;
  const shapes = [...svg.querySelectorAll('path, line, rect, text, circle')];
  for (const [place, shape] of [...copy.querySelectorAll('path, line, rect, text, circle')].entries()) {
    const original = shapes[place];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const property of styled) shape.setAttribute(property, style.getPropertyValue(property));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${svg.clientWidth} ${svg.clientHeight}`);
  save(fileName(name, 'svg'), 'image/svg+xml', new XMLSerializer().serializeToString(copy));
}
