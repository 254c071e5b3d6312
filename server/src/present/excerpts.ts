import type { Excerpt } from '../kernel/excerpt.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

/** An excerpt as HTML that any page can show. */
export function htmlOf({ text, highlights }: Excerpt): string {
  let html = '';
  let at = 0;
  for (const [start, end] of highlights) {
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escaped(text.slice(at));
}
