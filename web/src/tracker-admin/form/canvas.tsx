import type { Tracker } from '@atelier/client/routes';
import { type KeyboardEvent, useRef } from 'react';
import { isContainer, shapeOf } from '../../fields/index.ts';
import { type FormPlace, placesFor } from '../../kernel/form-places.ts';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon } from '../../ui/index.ts';
import { type AddableElement, addableElements, formElementType } from '../form-elements.ts';
import { type FormActs, nameOfElement } from './acts.ts';
import { type Dragged, type DropEdge, type Hovering, useDragged, useDropTarget } from './drag.ts';
import { Example } from './example.tsx';
import styles from './form.module.css';
import { type BuiltElement, type BuiltForm, type BuiltNode, inReadingOrder } from './model.ts';

export interface CanvasProps {
  readonly tracker: Tracker;
  readonly form: BuiltForm;
  readonly acts: FormActs;
  readonly chosenId: number | undefined;
  onChoose(id: number | undefined): void;
  /** By keys: one place on, or back. */
  onStep(element: BuiltElement, direction: 1 | -1): void;
  onMove(element: BuiltElement, place: FormPlace): void;
  onAdd(addable: AddableElement, place: FormPlace): void;
}

/** The form as it is, each element with a handle. */
export function Canvas(props: CanvasProps) {
  const { form: words } = useMessages().trackerAdmin;
  const place = useRef<HTMLDivElement>(null);
  const hovering = useDropTarget(place, dropAt(props, null, null));
  return (
    <section ref={place} className={styles['canvas']} aria-label={words.canvas}>
      <Nodes {...props} nodes={props.form.tree} />
      {hovering && <p className={styles['target']}>{words.goesHere(hovering.name)}</p>}
    </section>
  );
}

function Nodes({ nodes, ...props }: CanvasProps & { readonly nodes: readonly BuiltNode[] }) {
  return (
    <ul className={styles['nodes']}>
      {nodes.map((node) => (
        <Node key={node.element.id} {...props} node={node} siblings={nodes} />
      ))}
    </ul>
  );
}

interface NodeProps extends CanvasProps {
  readonly node: BuiltNode;
  readonly siblings: readonly BuiltNode[];
}

/** What may be let go at an element, or in a container, and what happens then. */
function dropAt(
  { form, onMove, onAdd }: CanvasProps,
  node: BuiltNode | null,
  siblings: readonly BuiltNode[] | null,
) {
  const container = node === null ? null : node.element;
  const parentId = node === null ? null : node.element.parentId;
  const index = siblings === null || node === null ? -1 : siblings.indexOf(node);
  const placeAt = (edge: DropEdge): FormPlace => {
    if (edge === 'inside' || siblings === null || node === null)
      return { parentId: container?.id ?? null, nextId: null };
    const next = edge === 'top' ? node : siblings[index + 1];
    return { parentId, nextId: next?.element.id ?? null };
  };
  const found = ({ kind, key }: Dragged) => {
    const element = kind === 'element' ? form.elements.find(({ id }) => String(id) === key) : undefined;
    const addable = kind === 'new' ? addableElements.find(({ id }) => id === key) : undefined;
    const parents = element?.parents ?? (addable && formElementType(addable.body.type).parents) ?? [];
    return { element, addable, parents };
  };
  return {
    edges(dragged: Dragged): DropEdge[] {
      const { element, parents } = found(dragged);
      if (node !== null && element?.id === node.element.id) return [];
      const places = placesFor(form.tree, { id: element?.id, parents });
      const isPlace = ({ parentId: at }: FormPlace) => places.some((place) => place.parentId === at);
      if (node === null) return isPlace({ parentId: null, nextId: null }) ? ['inside'] : [];
      const inside = isContainer(node.element) && isPlace({ parentId: node.element.id, nextId: null });
      if (inside) return ['inside'];
      return isPlace({ parentId, nextId: null }) ? ['top', 'bottom'] : [];
    },
    onDrop(dragged: Dragged, edge: DropEdge) {
      const { element, addable } = found(dragged);
      if (element !== undefined) onMove(element, placeAt(edge));
      if (addable !== undefined) onAdd(addable, placeAt(edge));
    },
  };
}

function Target({ hovering, edge }: { readonly hovering: Hovering | undefined; readonly edge: DropEdge }) {
  const { form: words } = useMessages().trackerAdmin;
  if (hovering?.edge !== edge) return null;
  return <span className={styles['target']}>{words.goesHere(hovering.name)}</span>;
}

function Node(props: NodeProps) {
  const { node, siblings, tracker, chosenId } = props;
  const { element, children } = node;
  const { form: words } = useMessages().trackerAdmin;
  const place = useRef<HTMLLIElement>(null);
  const hovering = useDropTarget(place, dropAt(props, node, siblings));
  const isChosen = element.id === chosenId;
  const isBox = isContainer(element);
  return (
    <li
      ref={place}
      className={classes(
        styles['node'],
        isBox ? styles[shapeOf(element) === 'column' ? 'column' : 'fieldset'] : styles['element'],
        isChosen && styles['chosen'],
      )}
    >
      <Target hovering={hovering} edge="top" />
      <NodeHead {...props} isChosen={isChosen} />
      {isBox ? (
        <>
          <Nodes {...props} nodes={children} />
          {children.length === 0 && hovering === undefined && (
            <p className={styles['emptyBox']}>{words.emptyGroup}</p>
          )}
        </>
      ) : (
        <div className={styles['example']} inert>
          <Example tracker={tracker} settings={element.settings} />
        </div>
      )}
      <Target hovering={hovering} edge="inside" />
      <Target hovering={hovering} edge="bottom" />
    </li>
  );
}

/** Focus goes from name to name by the arrows, as the form is read. */
function focusNext(form: BuiltForm, id: number, step: 1 | -1): number | undefined {
  const order = inReadingOrder(form.tree);
  const next = order[order.findIndex((one) => one.id === id) + step];
  if (next !== undefined) document.getElementById(`element-${next.id}`)?.focus();
  return next?.id;
}

function NodeHead(props: NodeProps & { readonly isChosen: boolean }) {
  const { node, form, acts, isChosen, onChoose, onStep } = props;
  const { element } = node;
  const { settings } = element;
  const { form: words, elements: names } = useMessages().trackerAdmin;
  const grip = useRef<HTMLSpanElement>(null);
  useDragged(grip, { kind: 'element', key: String(element.id), name: settings.label });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === 1 || step === -1) {
      event.preventDefault();
      if (event.altKey) onStep(element, step);
      else {
        const next = focusNext(form, element.id, step);
        if (next !== undefined) onChoose(next);
      }
    } else if (event.key === 'Delete') {
      event.preventDefault();
      void acts.setUsed(settings, false);
    } else if (event.key === 'Escape') onChoose(undefined);
  };
  return (
    <div className={styles['nodeHead']}>
      <span ref={grip} className={styles['grip']} aria-hidden="true" data-grip={element.id}>
        <Icon name="grip-vertical" size={14} />
      </span>
      <button
        type="button"
        id={`element-${element.id}`}
        className={styles['nodeName']}
        aria-pressed={isChosen}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
        onClick={() => onChoose(element.id)}
        onKeyDown={onKeyDown}
      >
        {settings.label}
        {settings.required && <span className={styles['second']}> {words.required}</span>}
      </button>
      <span className={styles['nodeType']}>{nameOfElement(names, settings)}</span>
    </div>
  );
}
