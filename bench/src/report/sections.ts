import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Sections of a document that several benches write to, each its own: a title of the second level, and what follows it up to the next. */
function sectionsOf(text: string): { readonly head: string; readonly sections: Map<string, string> } {
  const [head = '', ...parts] = text.split(/^(?=## )/m);
  return { head, sections: new Map(parts.map((part) => [part.split('\n', 1)[0] ?? '', part])) };
}

/** Puts a section into a document, in the place of the one with its title, or before the last one, which tells of the machine. */
export function withSection(text: string, title: string, body: string): string {
  const { head, sections } = sectionsOf(text);
  const heading = `## ${title}`;
  const written = `${heading}\n${body.trim()}\n\n`;
  if (sections.has(heading))
    return head + [...sections].map(([name, part]) => (name === heading ? written : part)).join('');
  const parts = [...sections.values()];
  const last = parts.pop() ?? '';
  return [head, ...parts, written, last].join('');
}

export function writeSection(path: string, title: string, body: string): void {
  writeFileSync(path, withSection(existsSync(path) ? readFileSync(path, 'utf8') : '', title, body));
}

/** The document as it is written anew, with the sections of the old one that it does not have. */
export function keepingSections(text: string, path: string): string {
  if (!existsSync(path)) return text;
  const { sections } = sectionsOf(text);
  const old = sectionsOf(readFileSync(path, 'utf8')).sections;
  return [...old]
    .filter(([heading]) => !sections.has(heading))
    .reduce((kept, [heading, part]) => withSection(kept, heading.slice(3), part.slice(heading.length)), text);
}
