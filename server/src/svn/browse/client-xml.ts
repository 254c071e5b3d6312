import { SaxesParser } from 'saxes';
import type { XmlElement } from '../../kernel/xml.ts';

interface Growing {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
  readonly line: number;
}

/** What the Subversion client says with `--xml`: small, because it is asked for little. */
export function parseClientXml(text: string): XmlElement {
  const parser = new SaxesParser();
  const open: Growing[] = [];
  let root: XmlElement | undefined;
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, attributes: { ...attributes }, children: [], text: '', line: parser.line });
  });
  parser.on('text', (part) => {
    const current = open.at(-1);
    if (current !== undefined) current.text += part;
  });
  parser.on('closetag', () => {
    const done = open.pop();
    if (done === undefined) return;
    const parent = open.at(-1);
    if (parent === undefined) root = done;
    else parent.children.push(done);
  });
  parser.write(text).close();
  if (root === undefined) throw new Error('The Subversion client said nothing.');
  return root;
}
