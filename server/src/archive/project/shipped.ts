import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { childOf, childrenOf, type XmlElement } from '../../kernel/xml.ts';
import { insertHiddenGroups, type ProjectExtension, shippedTemplateNamed } from '../../projects/index.ts';
import { nobodyKnown } from '../people.ts';
import { type ImportedTracker, importTracker, tieTrackers } from '../tracker-import.ts';
import { XmlReader } from '../xml-reader.ts';
import { readGroups } from './draft.ts';
import { projectFile } from './file-names.ts';
import { inImportOrder, keyOf, parentsIn } from './tracker-order.ts';

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../templates/${name}/${projectFile}`, import.meta.url));

const known = new Map<string, Promise<XmlElement>>();

async function read(name: string): Promise<XmlElement> {
  const reader = new XmlReader(`${name}/${projectFile}`, createReadStream(fileOf(name)));
  await reader.root();
  return reader.whole();
}

/** The project of a template that comes with the product; undefined when there is no such template. */
export async function readShippedTemplate(asked: string): Promise<XmlElement | undefined> {
  const name = shippedTemplateNamed(asked);
  if (name === undefined) return undefined;
  const found = known.get(name) ?? read(name);
  known.set(name, found);
  return found;
}

/** Fills a new project with the groups and the trackers of a template that comes with the product. */
const fillFromTemplate: NonNullable<ProjectExtension['fillFromTemplate']> = async (
  tx,
  viewer,
  projectId,
  source,
) => {
  if (source.kind !== 'shipped' || source.content === undefined) return;
  const groups = childOf(source.content, 'ugroups');
  if (groups !== undefined) await insertHiddenGroups(tx, projectId, readGroups(groups).groups);
  const found = childOf(source.content, 'trackers');
  if (found === undefined) return;
  const elements = childrenOf(found, 'tracker');
  const trackers: Record<string, ImportedTracker> = {};
  for (const element of inImportOrder(elements)) {
    const trackerIds = Object.fromEntries(Object.entries(trackers).map(([key, { id }]) => [key, id]));
    const file = `${source.name}/${projectFile}`;
    const input = { projectId, element, people: nobodyKnown, trackerIds, file };
    trackers[keyOf(element)] = await importTracker(tx, viewer, input);
  }
  const triggers = childOf(found, 'triggers');
  await tieTrackers(tx, viewer, { trackers, parents: parentsIn(elements), triggers });
};

/** What archives add to every project. */
export const archivesInProjects: ProjectExtension = { fillFromTemplate };
