import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  element,
  listedIn,
  textOf,
  type XmlElement,
} from '../../kernel/xml.ts';
import {
  insertHiddenGroups,
  type ProjectExtension,
  shippedTemplateNamed,
  shippedTemplates,
} from '../../projects/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { checkNewTracker, type NewTracker, setParent } from '../../trackers/index.ts';
import type { ArchiveWarning } from '../model.ts';
import { nobodyKnown } from '../people.ts';
import { type ImportedTracker, importTracker, tieTrackers } from '../tracker-import.ts';
import { XmlReader } from '../xml-reader.ts';
import { readArchivedGroups } from './draft.ts';
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
  // What could not be read once, for lack of open files for example, may be read the next time.
  found.catch(() => known.delete(name));
  return found;
}

/** A tracker of a template, as lists tell it. */
export interface TemplateTracker {
  readonly label: string;
  readonly itemName: string;
  readonly color: string;
}

export interface ShippedTemplate {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly trackers: readonly TemplateTracker[];
}

const trackersIn = (template: XmlElement) => listedIn(template, 'trackers', 'tracker');

/** The templates that come with the product, with the trackers that they bring. */
export async function listShippedTemplates(): Promise<readonly ShippedTemplate[]> {
  const found: ShippedTemplate[] = [];
  for (const name of shippedTemplates) {
    const template = await readShippedTemplate(name);
    if (template === undefined) continue;
    found.push({
      name,
      label: attributeOf(template, 'full-name') ?? name,
      description: attributeOf(template, 'description') ?? '',
      trackers: trackersIn(template).map((tracker) => ({
        label: textOf(tracker, 'name'),
        itemName: textOf(tracker, 'item_name'),
        color: textOf(tracker, 'color'),
      })),
    });
  }
  return found;
}

/** One tracker of a template; undefined where there is none. */
export async function readTemplateTracker(name: string, itemName: string): Promise<XmlElement | undefined> {
  const template = await readShippedTemplate(name);
  return template && trackersIn(template).find((tracker) => textOf(tracker, 'item_name') === itemName);
}

/** The element with other texts in some of its children, which it has then. */
function withTexts(source: XmlElement, texts: Readonly<Record<string, string | undefined>>): XmlElement {
  const given = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : { ...element(name, {}, text), line: source.line },
  );
  const isGiven = ({ name }: XmlElement) => given.some((child) => child.name === name);
  return { ...source, children: [...given, ...source.children.filter((child) => !isGiven(child))] };
}

export interface TrackerFromElement {
  readonly tracker: NewTracker;
  readonly element: XmlElement;
  /** Where the element stands; undefined for templates that come with the product. */
  readonly file?: string | undefined;
}

/** Creates a tracker as a template or a file has it, under a name of its own; gives its id, and what was left out. */
export async function createTrackerFromTemplate(
  tx: Transaction,
  viewer: Viewer,
  { tracker, element: source, file }: TrackerFromElement,
): Promise<{ id: number; warnings: readonly ArchiveWarning[] }> {
  const { projectId, label, itemName, description, color, parentId } = tracker;
  await checkNewTracker(tx, viewer, tracker);
  const { id, warnings } = await importTracker(tx, viewer, {
    projectId,
    element: withTexts(source, { name: label, item_name: itemName, description, color }),
    people: nobodyKnown,
    trackerIds: {},
    file,
  });
  if (parentId !== undefined && parentId !== null) await setParent(tx, id, parentId);
  await tx.touch('structure');
  return { id, warnings };
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
  if (groups !== undefined) await insertHiddenGroups(tx, projectId, readArchivedGroups(groups).groups);
  const found = childOf(source.content, 'trackers');
  if (found === undefined) return;
  const elements = childrenOf(found, 'tracker');
  const trackers: Record<string, ImportedTracker> = {};
  for (const tracker of inImportOrder(elements)) {
    const trackerIds = Object.fromEntries(Object.entries(trackers).map(([key, { id }]) => [key, id]));
    const file = `${source.name}/${projectFile}`;
    const input = { projectId, element: tracker, people: nobodyKnown, trackerIds, file };
    trackers[keyOf(tracker)] = await importTracker(tx, viewer, input);
  }
  const triggers = childOf(found, 'triggers');
  await tieTrackers(tx, viewer, { trackers, parents: parentsIn(elements), triggers });
};

/** What archives add to every project. */
export const archivesInProjects: ProjectExtension = { fillFromTemplate };
