import { invalidMember } from '../../kernel/errors.ts';
import { fold } from '../../kernel/text.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { readProjectAccess } from '../../projects/index.ts';
import { type Transaction, toFlag } from '../../storage/index.ts';
import { trackerChanged } from '../changed.ts';
import type { TrackerExtension } from '../extension.ts';
import type { Tracker } from '../model.ts';
import { requireTrackerAmongOthers } from '../policy.ts';
import { oneLine, paragraph } from '../texts.ts';
import { checkParent } from './hierarchy.ts';

/** What a tracker is called and how it behaves, apart from its form. */
export interface TrackerSettings {
  readonly label: string;
  readonly itemName: string;
  readonly description: string;
  readonly color: string;
  /** 0 as usual, 1 disabled, 2 on a change of status only. */
  readonly notificationLevel: number;
  readonly parentId: number | null;
  readonly hasPrivateComments: boolean;
}

const longestItemName = 25;
export const itemNameKey = (itemName: string) => itemName.toLowerCase();

export async function checkItemName(
  tx: Transaction,
  projectId: number,
  itemName: string,
  ownId?: number,
): Promise<void> {
  if (!/^[A-Za-z0-9_]+$/.test(itemName) || itemName.length > longestItemName)
    throw invalidMember(
      'item_name',
      `It must have 1 to ${longestItemName} characters: letters, digits and "_".`,
    );
  const query = tx.sql.selectFrom('tracker').select('id').where('project_id', '=', projectId);
  const taken = await tx.first(query.where('item_name_key', '=', itemNameKey(itemName)));
  if (taken !== undefined && taken.id !== ownId)
    throw invalidMember('item_name', 'The project already has a tracker with this short name.');
}

/** Refuses names and texts that a tracker of the project cannot have. */
export async function checkTexts(
  tx: Transaction,
  { projectId, ownId }: { projectId: number; ownId?: number },
  { label, itemName, description }: Partial<TrackerSettings>,
): Promise<void> {
  if (label !== undefined) oneLine('label', label);
  if (description !== undefined) paragraph('description', description);
  if (itemName !== undefined) await checkItemName(tx, projectId, itemName, ownId);
}

/** The level at which mails are sent about changes of status only. */
export const onStatusChanges = 2;

export function checkNotificationLevel(level: number | undefined, semantics: Tracker['semantics']): void {
  if (level === onStatusChanges && semantics.status === undefined)
    throw invalidMember('notification_level', 'Level 2 needs a tracker that has the status semantic.');
}

function columnsOf(settings: Partial<TrackerSettings>) {
  const { label, itemName, description, color, notificationLevel, parentId, hasPrivateComments } = settings;
  return {
    ...(label === undefined ? {} : { name: label, name_key: fold(label) }),
    ...(itemName === undefined ? {} : { item_name: itemName, item_name_key: itemNameKey(itemName) }),
    ...(description === undefined ? {} : { description }),
    ...(color === undefined ? {} : { color }),
    ...(notificationLevel === undefined ? {} : { notification_level: notificationLevel }),
    ...(parentId === undefined ? {} : { parent_id: parentId }),
    ...(hasPrivateComments === undefined ? {} : { has_private_comments: toFlag(hasPrivateComments) }),
  };
}

export async function changeTracker(
  tx: Transaction,
  viewer: Viewer,
  { id, ...changes }: { id: number } & Partial<TrackerSettings>,
  extensions: readonly TrackerExtension[],
): Promise<void> {
  const { tracker } = await requireTrackerAmongOthers(tx, viewer, id);
  const { parentId = tracker.parentId } = changes;
  await checkTexts(tx, { projectId: tracker.project.id, ownId: id }, changes);
  checkNotificationLevel(changes.notificationLevel, tracker.semantics);
  const projectAccess = await readProjectAccess(tx, viewer, tracker.project.id);
  const isMoved = parentId !== tracker.parentId;
  if (isMoved && tracker.triggers.upwards.length > 0)
    throw invalidMember('parent_id', 'Triggers of the present parent look at fields of this tracker.');
  if (isMoved) await checkParent(tx, projectAccess, { parentId, ownId: id });
  const columns = columnsOf(changes);
  if (Object.keys(columns).length > 0)
    await tx.run(tx.sql.updateTable('tracker').set(columns).where('id', '=', id));
  const change = { trackerId: id, formerParentId: tracker.parentId, parentId };
  if (isMoved) for (const extension of extensions) await extension.parentChanged?.(tx, viewer, change);
  await trackerChanged(tx, viewer, tracker);
}
