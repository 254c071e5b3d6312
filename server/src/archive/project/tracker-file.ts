import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { XmlElement } from '../../kernel/xml.ts';
import { XmlReader, XmlRoom } from '../xml-reader.ts';
import { readTracker } from './read.ts';

/** The tracker that a file has by itself, as its root; artifacts in it are passed over. */
export async function readTrackerFile(path: string): Promise<XmlElement> {
  const file = createReadStream(path);
  // A folder can be opened, and its fault comes with the first read, without its name.
  file.once('error', (error) => Object.assign(error, { path }));
  const reader = new XmlReader(basename(path), file);
  const root = await reader.root();
  if (root.name !== 'tracker')
    throw reader.fault(root.line, `It has ${root.name} as its root, and not tracker.`);
  return readTracker(reader, root, new XmlRoom(), () => {});
}
