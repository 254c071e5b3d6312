import { setImmediate } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import type { XmlElement } from '../../kernel/xml.ts';

interface Growing {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
  readonly line: number;
}

/** Characters that are read without a rest for others. */
const piece = 256 * 1024;

/** What the Subversion client says with `--xml`: mostly little, but a revision may have changed a hundred thousand paths. */
export async function parseClientXml(text: string): Promise<XmlElement> {
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
  for (let at = 0; at < text.length; at += piece) {
    parser.write(text.slice(at, at + piece));
    if (at + piece < text.length) await setImmediate();
  }
  parser.close();
  if (root === undefined) throw new Error('The Subversion client said nothing.');
  return root;
}
