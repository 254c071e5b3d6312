import { gather, readArtifact, totalKey } from '../../artifacts/index.ts';
import { systemViewer } from '../../kernel/viewer.ts';
import type { Database } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { writeArtifacts } from '../artifact-writer.ts';
import { AccountReferences } from '../people.ts';
import { trackerElement } from '../tracker-writer.ts';
import type { XmlWriter } from '../xml-writer.ts';
import { writeRows } from './rows.ts';

/** Archives of deleted artifacts have everything, whoever deletes. */

/** What the fields of an artifact sum up to, where nobody set a number by hand. */
async function totalsOf(database: Database, trackers: Trackers, id: number) {
  const { readContext, artifact } = await readArtifact(database, systemViewer, trackers, id);
  const { totals } = await gather(readContext, [artifact]);
  const sums = new Map<number, number>();
  for (const field of artifact.view.shown) {
    const total = totals.get(totalKey(id, field.id))?.value ?? null;
    if (total !== null && (artifact.document[field.id] ?? null) === null) sums.set(field.id, total);
  }
  return sums;
}

/** Writes an artifact, with the structure of its tracker around it, in the form in which trackers are imported. */
export async function writeDeletedXml(
  out: XmlWriter,
  database: Database,
  trackers: Trackers,
  row: Parameters<typeof writeRows>[2],
): Promise<void> {
  const { artifact } = await readArtifact(database, systemViewer, trackers, row.id);
  const { tracker } = artifact.view;
  const references = new AccountReferences(database);
  const { name, attributes, children } = await trackerElement(tracker, references);
  const totals = (artifactId: number) => totalsOf(database, trackers, artifactId);
  out.begin('trackers');
  out.begin(name, attributes);
  for (const child of children) out.element(child);
  await writeArtifacts(
    out,
    database,
    tracker,
    { references, hasRemovedFiles: true, isForElsewhere: false, totals },
    [row.id],
  );
  out.end();
  await writeRows(out, database, row);
  out.end();
}
