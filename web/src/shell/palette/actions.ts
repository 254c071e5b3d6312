import type { Artifact, MinimalUser, Tracker } from '@atelier/client/routes';
import {
  allowedChoices,
  type Field,
  type FieldValue,
  fieldTypeOf,
  may,
  possibleChoices,
  statusField,
} from '../../fields/index.ts';
import { idOfUri } from '../../kernel/addresses.ts';
import { currentMessages, useMessages } from '../../messages/index.ts';
import { changeArtifact, useArtifact, useStanding, useTracker, versionMadeBy } from '../../store/index.ts';
import { copyText } from '../../ui/index.ts';
import { announce, notify, tellFault } from '../notices.ts';
import { setWatching, useWatching } from './calls.ts';
import type { PaletteEntry, PaletteGroup } from './entries.ts';

const artifactUri = /^artifacts\/\d+$/;

/** Whether there is more to be done with a line than to open it. */
export const hasActions = ({ id }: PaletteEntry): boolean => artifactUri.test(id);

/** A value of a list with one member chosen, as an artifact has it. */
const chosen = (field: Field, source: object): FieldValue => ({
  field_id: field.field_id,
  type: field.type,
  label: field.label,
  values: [source],
});

/** Seen at once, stored as soon as can be, and told with a way back. */
function put(artifact: Artifact, field: Field, value: FieldValue, words: string): void {
  const { entryOf, cellOf } = fieldTypeOf(field.type);
  const change = (next: FieldValue) => ({
    fieldId: field.field_id,
    name: field.name,
    label: field.label,
    entry: entryOf(field, next),
    value: next,
    cell: cellOf(field, next),
  });
  const known = artifact.values?.find(({ field_id: id }) => id === field.field_id);
  const before: FieldValue = known === undefined ? { ...value, values: [] } : { ...known };
  const changeId = changeArtifact(artifact.uri, { fields: [{ ...change(value), before: known }] });
  notify({
    text: currentMessages().shell.palette.isNow(field.label, words),
    change: changeId,
    undo: () =>
      changeArtifact(artifact.uri, {
        fields: [{ ...change(before), before: value }],
        etag: versionMadeBy(changeId),
      }),
  });
}

const isFrozen = (artifact: Artifact, field: Field) =>
  artifact.frozen_field_ids?.includes(field.field_id) === true;

function statusEntries(artifact: Artifact, tracker: Tracker): PaletteEntry[] {
  const { palette } = currentMessages().shell;
  const field = statusField(tracker);
  if (field === undefined || !may(field, 'update') || isFrozen(artifact, field)) return [];
  const seenValue = (id: number) => artifact.values?.find(({ field_id: each }) => each === id);
  const place = { projectId: tracker.project.id, tracker, artifact, seenValue };
  const all = possibleChoices(field);
  const now = artifact.full_status?.value;
  return allowedChoices(field, place, all, [])
    .filter(({ name }) => name !== now)
    .map((choice) => ({
      id: `status ${choice.id}`,
      name: palette.setTo(field.label, choice.name),
      icon: 'circle-check',
      run: () => put(artifact, field, chosen(field, choice.source), choice.name),
    }));
}

function assignEntry(artifact: Artifact, tracker: Tracker, user: MinimalUser): PaletteEntry[] {
  const { palette } = currentMessages().shell;
  const id = tracker.semantics.contributor?.field_id;
  const field = tracker.fields.find(({ field_id: each }) => each === id);
  if (field === undefined || !may(field, 'update') || isFrozen(artifact, field)) return [];
  const me = possibleChoices(field).find((choice) => Number(choice.id) === user.id);
  const source = me?.source ?? { ...user };
  return [
    {
      id: 'assign',
      name: palette.assignToMe,
      icon: 'user',
      run: () => put(artifact, field, chosen(field, source), user.display_name),
    },
  ];
}

/** What can be done with an artifact without leaving the page. */
export function useActionGroup(entry: PaletteEntry | undefined): PaletteGroup | undefined {
  const { palette } = useMessages().shell;
  const { user } = useStanding();
  const uri = entry !== undefined && hasActions(entry) ? entry.id : undefined;
  const { thing: artifact } = useArtifact(uri);
  const { thing: tracker } = useTracker(artifact?.tracker.uri);
  const isWatching = useWatching(uri);
  if (entry === undefined || uri === undefined) return undefined;
  const reference = artifact?.xref ?? entry.reference ?? entry.name;
  const copy = () => void copyText(reference).then(() => announce(palette.referenceCopied(reference)));
  const watch = () =>
    void setWatching(uri, isWatching !== true).then(
      () =>
        notify({ text: isWatching === true ? palette.notWatched(reference) : palette.watched(reference) }),
      tellFault,
    );
  const own: readonly PaletteEntry[] =
    artifact === undefined || tracker === undefined || user === null
      ? []
      : [...statusEntries(artifact, tracker), ...assignEntry(artifact, tracker, user)];
  return {
    id: 'actions',
    name: `${reference} ${entry.name === reference ? '' : entry.name}`.trim(),
    entries: [
      { id: 'open', name: palette.openIt, icon: 'corner-down-left', to: `/artifacts/${idOfUri(uri)}` },
      { id: 'copy', name: palette.copyReference(reference), icon: 'copy', run: copy },
      ...own,
      ...(user === null
        ? []
        : [
            {
              id: 'watch',
              name: isWatching === true ? palette.unwatch : palette.watch,
              icon: 'eye',
              run: watch,
            },
          ]),
    ],
  };
}
