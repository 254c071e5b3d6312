import type { Tracker } from '@atelier/client/routes';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type FormPlace, nextPlace } from '../../kernel/form-places.ts';
import { useMessages } from '../../messages/index.ts';
import { notify, Problem, useCommands } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, EmptyPlace, Icon, Menu, MenuItem, Select, Skeleton } from '../../ui/index.ts';
import { makeUsualFields, useFormElements, useGroups } from '../calls.ts';
import { type AddableElement, addableElements } from '../form-elements.ts';
import { reasonNotToAdd, useFormActs, usualPlace } from './acts.ts';
import { Adders } from './adders.tsx';
import { Canvas } from './canvas.tsx';
import styles from './form.module.css';
import { type BuiltElement, type BuiltForm, builtForm, inReadingOrder } from './model.ts';
import { Preview } from './preview.tsx';
import { ElementSettings } from './settings.tsx';

/** `form`: what artifacts of the tracker are made of. */
export function FormPage({ tracker }: { readonly tracker: Tracker }) {
  const { data, error, refetch } = useFormElements(tracker.id);
  if (data === undefined && error !== null) return <Problem error={error} askAgain={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} className={styles['coming'] ?? ''} />;
  return <Builder tracker={tracker} form={builtForm(data)} />;
}

/** The element whose name gets the focus as soon as it is drawn at its place. */
function useFocusAfterwards() {
  const wanted = useRef<{ readonly id: number; node?: HTMLElement }>(undefined);
  useLayoutEffect(() => {
    const focus = wanted.current;
    const element = focus && document.getElementById(`element-${focus.id}`);
    if (!focus || !element || focus.node === element) return;
    // Drawn in another group it is a new one, which has to take over unless somebody went elsewhere.
    const hasLeft = focus.node !== undefined && document.activeElement !== document.body;
    focus.node = element;
    if (!hasLeft) element.focus();
  });
  return (id: number) => {
    wanted.current = { id };
  };
}

/** What is taken out leaves the focus to what stood behind it, or before it. */
function useFocusOfNext(form: BuiltForm): void {
  const before = useRef(form);
  useLayoutEffect(() => {
    const order = inReadingOrder(before.current.tree).map(({ id }) => id);
    before.current = form;
    const isLeft = (id: number) => form.elements.some((one) => one.id === id);
    const gone = order.findIndex((id) => !isLeft(id));
    if (gone < 0 || document.activeElement !== document.body) return;
    const next = order.slice(gone).find(isLeft) ?? order.slice(0, gone).findLast(isLeft);
    document.getElementById(`element-${next}`)?.focus();
  }, [form]);
}

function Builder({ tracker, form }: { readonly tracker: Tracker; readonly form: BuiltForm }) {
  const { form: words, elements: names } = useMessages().trackerAdmin;
  const acts = useFormActs(tracker, form);
  const [chosenId, setChosenId] = useState<number>();
  const [newId, setNewId] = useState<number>();
  const [group, setGroup] = useState<string | null>(null);
  const focusAfterwards = useFocusAfterwards();
  useFocusOfNext(form);
  const chosen = useMemo(() => form.elements.find(({ id }) => id === chosenId), [form, chosenId]);
  const choose = (id: number | undefined) => {
    setNewId(undefined);
    setChosenId(id);
  };
  const add = async (addable: AddableElement, place?: FormPlace) => {
    const id = await acts.add(addable, place ?? usualPlace(addable, form, chosenId));
    if (id === undefined) return;
    setChosenId(id);
    setNewId(id);
  };
  const move = (element: BuiltElement, place: FormPlace) => {
    focusAfterwards(element.id);
    void acts.move(element, place);
  };
  const step = (element: BuiltElement, direction: 1 | -1) => {
    const place = nextPlace(form.tree, element, direction);
    if (place !== undefined) move(element, place);
  };
  useCommands(
    addableElements.map((addable) => ({
      id: `tracker-admin.add-${addable.id}`,
      name: words.addNamed(names[addable.id] ?? addable.id),
      icon: addable.icon,
      reasonNot: reasonNotToAdd(addable, form, words),
      run: () => void add(addable),
    })),
  );
  return (
    <div className={styles['page']}>
      <Toolbar
        tracker={tracker}
        form={form}
        group={group}
        onGroup={setGroup}
        onAdd={(one) => void add(one)}
      />
      {group !== null ? (
        <Preview tracker={tracker} form={form} groupId={group} />
      ) : (
        <div className={styles['builder']}>
          <Adders form={form} acts={acts} onAdd={(one) => void add(one)} />
          {form.elements.length === 0 ? (
            <EmptyForm tracker={tracker} />
          ) : (
            <Canvas
              tracker={tracker}
              form={form}
              acts={acts}
              chosenId={chosenId}
              onChoose={choose}
              onStep={step}
              onMove={move}
              onAdd={(addable, place) => void add(addable, place)}
            />
          )}
          <ElementSettings
            key={chosen?.id}
            tracker={tracker}
            form={form}
            acts={acts}
            element={chosen}
            isNew={chosen !== undefined && chosen.id === newId}
            onMove={move}
            onClose={() => {
              if (chosen !== undefined) focusAfterwards(chosen.id);
              choose(undefined);
            }}
          />
        </div>
      )}
    </div>
  );
}

function EmptyForm({ tracker }: { readonly tracker: Tracker }) {
  const { form: words } = useMessages().trackerAdmin;
  const [isBusy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    try {
      await makeUsualFields(tracker.id, words.usualNames);
      notify({ text: words.usualMade });
    } catch (error) {
      notify({ text: wordsOfError(error), kind: 'bad' });
      setBusy(false);
    }
  };
  return (
    <div className={styles['canvas']}>
      <EmptyPlace
        icon="forms"
        name={words.emptyTitle}
        actions={
          <Button kind="primary" isBusy={isBusy} onPress={() => void make()} autoFocus>
            {words.usual}
          </Button>
        }
      >
        {words.emptyWords}
      </EmptyPlace>
    </div>
  );
}

interface ToolbarProps {
  readonly tracker: Tracker;
  readonly form: BuiltForm;
  readonly group: string | null;
  onGroup(id: string | null): void;
  onAdd(addable: AddableElement): void;
}

function Toolbar({ tracker, form, group, onGroup, onAdd }: ToolbarProps) {
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.form;
  const { data: groups = [] } = useGroups(tracker.project.id);
  return (
    <div className={styles['toolbar']}>
      <div className={styles['preview']}>
        <Icon name="eye" />
        <span>{words.preview}</span>
        <Select
          aria-label={words.preview}
          look="value"
          value={group}
          onChange={onGroup}
          none={words.previewNobody}
          options={groups.map(({ id, label }) => ({ id, name: label }))}
        />
      </div>
      <div className={styles['addMenu']}>
        <Menu
          aria-label={words.add}
          placement="bottom end"
          search={words.add}
          onAction={(key) => {
            const addable = addableElements.find(({ id }) => id === key);
            if (addable !== undefined) onAdd(addable);
          }}
          trigger={
            <Button icon="plus" opens>
              {words.add}
            </Button>
          }
        >
          {addableElements.map((addable) => (
            <MenuItem
              key={addable.id}
              id={addable.id}
              icon={addable.icon}
              reasonNot={reasonNotToAdd(addable, form, words)}
            >
              {trackerAdmin.elements[addable.id] ?? addable.id}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  );
}
