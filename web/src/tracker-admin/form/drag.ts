import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** What is dragged: an element that is there, or one that is to be added. */
export interface Dragged {
  readonly kind: 'element' | 'new';
  /** The id of the element, or the name of what is added. */
  readonly key: string;
  readonly name: string;
}

export type DropEdge = 'top' | 'bottom' | 'inside';

const load = () =>
  Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/element/adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'),
  ]);

function draggedIn(data: Readonly<Record<string | symbol, unknown>>): Dragged | undefined {
  const { kind, key, name } = data;
  return kind === 'element' || kind === 'new' ? { kind, key: String(key), name: String(name) } : undefined;
}

/** Lets something be dragged by its handle, or by itself. */
export function useDragged(place: RefObject<HTMLElement | null>, dragged: Dragged, isOn = true): void {
  const { kind, key, name } = dragged;
  useEffect(() => {
    const element = place.current;
    if (!isOn || element === null) return undefined;
    let stop = () => {};
    let isGone = false;
    void load().then(([{ draggable }]) => {
      if (isGone) return;
      stop = draggable({ element, getInitialData: () => ({ kind, key, name }) });
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [place, kind, key, name, isOn]);
}

export interface DropTarget {
  /** Where on it something would come to stand; undefined where it may not be let go. */
  edges(dragged: Dragged): readonly DropEdge[];
  onDrop(dragged: Dragged, edge: DropEdge): void;
}

export interface Hovering {
  readonly edge: DropEdge;
  readonly name: string;
}

/** Takes what is dragged; tells what would come to stand where. */
export function useDropTarget(
  place: RefObject<HTMLElement | null>,
  target: DropTarget,
): Hovering | undefined {
  const [hovering, setHovering] = useState<Hovering>();
  const latest = useRef(target);
  useLayoutEffect(() => {
    latest.current = target;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let stop = () => {};
    let isGone = false;
    void load().then(([{ dropTargetForElements }, { attachClosestEdge, extractClosestEdge }]) => {
      if (isGone) return;
      const edgesOf = (data: Readonly<Record<string | symbol, unknown>>) => {
        const dragged = draggedIn(data);
        return dragged === undefined ? [] : latest.current.edges(dragged);
      };
      const edgeOf = (self: Readonly<Record<string | symbol, unknown>>): DropEdge => {
        const edge = extractClosestEdge(self);
        return edge === 'top' || edge === 'bottom' ? edge : 'inside';
      };
      stop = dropTargetForElements({
        element,
        canDrop: ({ source }) => edgesOf(source.data).length > 0,
        getData: ({ input, source }) => {
          const allowedEdges = edgesOf(source.data).filter((edge) => edge !== 'inside');
          return allowedEdges.length === 0 ? {} : attachClosestEdge({}, { element, input, allowedEdges });
        },
        onDrag: ({ self, source, location }) => {
          const isInnermost = location.current.dropTargets[0]?.element === element;
          const edge = edgeOf(self.data);
          const name = draggedIn(source.data)?.name ?? '';
          setHovering((now) => {
            if (!isInnermost) return undefined;
            return now?.edge === edge && now.name === name ? now : { edge, name };
          });
        },
        onDragLeave: () => setHovering(undefined),
        onDrop: ({ self, source, location }) => {
          setHovering(undefined);
          const dragged = draggedIn(source.data);
          if (dragged === undefined || location.current.dropTargets[0]?.element !== element) return;
          latest.current.onDrop(dragged, edgeOf(self.data));
        },
      });
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [place]);
  return hovering;
}
