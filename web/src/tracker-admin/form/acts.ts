import type { Tracker } from '@atelier/client/routes';
import { followed } from '../../kernel/followed.ts';
import { type FormPlace, moved, placeOf } from '../../kernel/form-places.ts';
import { useMessages } from '../../messages/index.ts';
import { announce, notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import {
  addElement,
  changeElement,
  type FieldSettings,
  moveElement,
  readAgain,
  readElement,
  removeElement,
  restoreElement,
  type SettingsChange,
  setElementUsed,
  showElements,
} from '../calls.ts';
import { type AddableElement, elementName, formElementType } from '../form-elements.ts';
import { type BuiltElement, type BuiltForm, builtElement } from './model.ts';

/** Members of the settings that stand alone, so that two people may change different ones. */
const singleMembers = ['label', 'name', 'description'] as const;

/** What somebody else made of a member that is about to be changed. */
function changedByOthers(
  before: FieldSettings,
  now: FieldSettings,
  change: SettingsChange,
): string | undefined {
  const name = singleMembers.find(
    (member) =>
      change[member] !== undefined && now[member] !== before[member] && now[member] !== change[member],
  );
  if (name !== undefined) return now[name];
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  const property = Object.entries(change.specific_properties ?? {}).find(([own, wanted]) => {
    const there = text(now.specific_properties[own]);
    return there !== text(before.specific_properties[own]) && there !== text(wanted);
  });
  return property === undefined ? undefined : text(now.specific_properties[property[0]]);
}

/** The settings that a change replaces: what takes it back. */
function inverseOf(settings: FieldSettings, change: SettingsChange): SettingsChange {
  const { bind } = settings;
  return {
    ...(change.label === undefined ? {} : { label: settings.label }),
    ...(change.name === undefined ? {} : { name: settings.name }),
    ...(change.description === undefined ? {} : { description: settings.description }),
    ...(change.required === undefined ? {} : { required: settings.required }),
    ...(change.has_notifications === undefined ? {} : { has_notifications: settings.has_notifications }),
    ...(change.is_alphabetic === undefined ? {} : { is_alphabetic: bind?.is_alphabetic ?? false }),
    ...(change.groups === undefined ? {} : { groups: bind?.groups ?? [] }),
    ...(change.default_values === undefined ? {} : { default_values: bind?.default_values ?? [] }),
    ...(change.specific_properties === undefined
      ? {}
      : {
          specific_properties: Object.fromEntries(
            Object.keys(change.specific_properties).map((name) => [
              name,
              settings.specific_properties[name] ?? null,
            ]),
          ),
        }),
  };
}

/** Where a container or the form is named. */
export function usePlaceWords(form: BuiltForm): (place: FormPlace) => { name: string; container: string } {
  const { form: words } = useMessages().trackerAdmin;
  return ({ parentId, nextId }) => {
    const label = (id: number) => form.elements.find((one) => one.id === id)?.settings.label ?? '';
    const container = parentId === null ? words.wholeForm : label(parentId);
    const siblings = form.elements
      .filter((one) => one.parentId === parentId)
      .sort((one, other) => one.rank - other.rank);
    const index = nextId === null ? siblings.length : siblings.findIndex(({ id }) => id === nextId);
    const before = siblings[index - 1];
    return {
      container,
      name: before === undefined ? words.placeFirst(container) : words.placeAfter(before.settings.label),
    };
  };
}

/** All that can be done to a form. Each act is one call, is seen at once, and can be taken back. */
export function useFormActs(tracker: Tracker, form: BuiltForm) {
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.form;
  const placeWords = usePlaceWords(form);
  const { id: trackerId } = tracker;

  /** Tells what went wrong, and shows what is true again. */
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await act();
    } catch (error) {
      notify({ text: wordsOfError(error), kind: 'bad' });
      await readAgain(trackerId);
      return undefined;
    }
  };
  const done = (text: string, undo: () => Promise<unknown>) =>
    notify({ text, undo: () => void attempt(undo) });

  const move = (element: BuiltElement, place: FormPlace) =>
    attempt(async () => {
      const before = placeOf(form.tree, element.id);
      const text = words.movedWords(element.settings.label, placeWords(place).name);
      const send = (to: FormPlace) =>
        moveElement(trackerId, element.id, to, (known) => {
          const after = moved(known.map(builtElement), element.id, to);
          return after.map(({ settings, rank, parentId }) => ({ ...settings, rank, parent_id: parentId }));
        });
      announce(text);
      await send(place);
      if (before !== undefined) done(text, () => send(before));
    });

  const add = (addable: AddableElement, place: FormPlace, label = trackerAdmin.elements[addable.id] ?? '') =>
    attempt(async () => {
      const id = await addElement(trackerId, { ...addable.body, label }, place);
      done(words.added(label), () => removeElement(trackerId, id));
      return id;
    });

  const setUsed = (settings: FieldSettings, isUsed: boolean) =>
    attempt(async () => {
      const { field_id: id, label } = settings;
      await setElementUsed(trackerId, id, isUsed);
      const text = isUsed ? words.putBackWords(label) : words.takenOut(label);
      done(text, () => setElementUsed(trackerId, id, !isUsed));
      return true;
    });

  const remove = ({ field_id: id, label }: FieldSettings) =>
    attempt(async () => {
      await removeElement(trackerId, id);
      done(words.removedWords(label), () => restoreElement(trackerId, id));
      return true;
    });

  const restore = ({ field_id: id, label }: FieldSettings) =>
    attempt(async () => {
      await restoreElement(trackerId, id);
      done(words.restored(label), () => removeElement(trackerId, id));
      return true;
    });

  /** Throws what the server says, so that it is told beside the control. */
  const change = async (settings: FieldSettings, wish: SettingsChange): Promise<void> => {
    const { field_id: id, label } = settings;
    const now = await readElement(id);
    const theirs = changedByOthers(settings, now, wish);
    if (theirs !== undefined) {
      await showElements(trackerId, (known) => known.map((one) => (one.field_id === id ? now : one)));
      throw new Error(trackerAdmin.changedMeanwhile(theirs));
    }
    const seen = settings.bind?.groups ?? [];
    const groups =
      wish.groups === undefined ? {} : { groups: followed(now.bind?.groups ?? [], seen, wish.groups) };
    await changeElement(trackerId, id, { ...wish, ...groups });
    done(words.changed(wish.label ?? label), () => changeElement(trackerId, id, inverseOf(now, wish)));
  };

  return { move, add, setUsed, remove, restore, change };
}

export type FormActs = ReturnType<typeof useFormActs>;

/** Why something cannot be added now. */
export function reasonNotToAdd(
  { body }: AddableElement,
  form: BuiltForm,
  words: { readonly hasOne: string; readonly needsGroup: string },
): string | undefined {
  const type = formElementType(body.type);
  const all = [...form.elements.map(({ settings }) => settings), ...form.unused];
  if (type.isUnique && all.some((one) => one.type === type.code)) return words.hasOne;
  const hasPlace =
    type.parents.includes(null) || form.elements.some((one) => type.parents.includes(one.type));
  return hasPlace ? undefined : words.needsGroup;
}

/** Where something that is added by a press comes to stand: behind what is chosen, else at the end of the last group. */
export function usualPlace(
  { body }: AddableElement,
  form: BuiltForm,
  chosenId: number | undefined,
): FormPlace {
  const { parents } = formElementType(body.type);
  const may = (parentId: number | null) =>
    parents.includes(form.elements.find(({ id }) => id === parentId)?.type ?? null);
  const chosen = form.elements.find(({ id }) => id === chosenId);
  if (chosen !== undefined && may(chosen.id)) return { parentId: chosen.id, nextId: null };
  if (chosen !== undefined && may(chosen.parentId))
    return placeOf(form.tree, chosen.id) ?? { parentId: chosen.parentId, nextId: null };
  const upper = form.elements.find(({ id }) => id === chosen?.parentId);
  if (upper !== undefined && may(upper.parentId))
    return placeOf(form.tree, upper.id) ?? { parentId: upper.parentId, nextId: null };
  const group = form.tree.findLast(({ element }) => may(element.id));
  return { parentId: group?.element.id ?? null, nextId: null };
}

export const nameOfElement = (names: Readonly<Record<string, string>>, settings: FieldSettings): string =>
  names[elementName(settings)] ?? names[settings.type] ?? settings.type;
