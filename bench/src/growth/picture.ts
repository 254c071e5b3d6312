/** A line of a picture: how many times the cost at the smallest size. */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly artifacts: number; readonly times: number }[];
}

const width = 760;
const height = 360;
const left = 56;
const right = 200;
const top = 18;
const bottom = 40;
const colours = ['#3b76c4', '#c2571a', '#7a4fc9', '#1d8f6d', '#b23a5b', '#8a6d00', '#5c6670', '#0d86a8'];

const scale = (value: number, [low, high]: readonly [number, number], from: number, to: number) =>
  from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))) * (to - from);

const short = (count: number) => (count >= 1_000_000 ? `${count / 1_000_000} M` : `${count / 1000} k`);

/** Names at the ends of lines, moved apart where they would lie over each other. */
function spread(places: readonly number[], gap: number): number[] {
  const order = places
    .map((_, index) => index)
    .sort((one, other) => (places[one] ?? 0) - (places[other] ?? 0));
  const found = [...places];
  let least = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    least = Math.max(found[index] ?? 0, least + gap);
    found[index] = least;
  }
  const over = Math.max(0, least - (height - bottom));
  return found.map((place) => place - over);
}

/** Lines over sizes, both axes by powers of ten: what stays as it is lies flat. */
export function pictureOf(title: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const sizes = [...new Set(all.map(({ artifacts }) => artifacts))].sort((one, other) => one - other);
  const across = [sizes[0] ?? 1, sizes.at(-1) ?? 10] as const;
  const most = Math.max(10, ...all.map(({ times }) => times));
  const up = [Math.min(0.5, ...all.map(({ times }) => times)), most * 1.2] as const;
  const x = (artifacts: number) => scale(artifacts, across, left, width - right);
  const y = (times: number) => scale(times, up, height - bottom, top);
  const marks = [1, 3, 10, 30, 100, 300, 1000].filter((times) => times <= up[1]);
  const ends = spread(
    lines.map(({ points }) => y(points.at(-1)?.times ?? 1)),
    15,
  );
  const grid = marks.map(
    (times) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(times).toFixed(1)}" y2="${y(times).toFixed(1)}"/>` +
      `<text x="${left - 8}" y="${(y(times) + 4).toFixed(1)}" text-anchor="end">${times}×</text>`,
  );
  const ticks = sizes.map(
    (size) =>
      `<text x="${x(size).toFixed(1)}" y="${height - bottom + 20}" text-anchor="middle">${short(size)}</text>`,
  );
  const drawn = lines.map(({ name, points }, index) => {
    const colour = colours[index % colours.length];
    const path = points.map(({ artifacts, times }) => `${x(artifacts).toFixed(1)},${y(times).toFixed(1)}`);
    const end = ends[index] ?? 0;
    return (
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${width - right + 10}" y="${(end + 4).toFixed(1)}" style="fill:${colour}">${name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    '<style>text{font:12px sans-serif;fill:#57606a}.grid{stroke:#8886;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#9aa4ae}}</style>',
    ...grid,
    ...ticks,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
