/** Cells of a spreadsheet, which are copied with tabs between them, as a table in Markdown; null for other texts. */
export function tableOf(text: string): string | null {
  const rows = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
  const [head] = rows;
  if (head === undefined || head.length < 2 || rows.length < 2) return null;
  if (rows.some((row) => row.length !== head.length)) return null;
  const written = (cells: string[]) =>
    `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;
  return [written(head), written(head.map(() => '---')), ...rows.slice(1).map(written), ''].join('\n');
}
