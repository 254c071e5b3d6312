import type { DeletionArchive } from '../../artifacts/index.ts';
import type { Reader } from '../../storage/index.ts';
import { AccountReferences } from '../people.ts';
import { trackerElement } from '../tracker-writer.ts';
import type { XmlWriter } from '../xml-writer.ts';

type Artifact = Parameters<DeletionArchive['write']>[0];

/** The tracker of an artifact and the artifact in it, in the form in which trackers are imported. */
export async function writeDeletedXml(out: XmlWriter, reader: Reader, { view }: Artifact): Promise<void> {
  const { tracker } = view;
  const references = new AccountReferences(reader);
  const element = await trackerElement(tracker, references);
  out.begin('trackers');
  out.element(element);
  out.end();
}
