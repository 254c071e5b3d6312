import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type Edge = 'top' | 'bottom' | 'left' | 'right';

export interface EdgeDrag {
  readonly isOn: boolean;
  /** Rows are dropped among rows, columns among columns. */
  readonly kind: 'row' | 'column';
  readonly key: string;
  /** Another one was let go at an edge of this one. */
  onDrop(key: string, edge: Edge): void;
}

const loadLibrary = () =>
  Promise.all([
    import('@atlaskit/pragmatic-drag-and-drop/element/adapter'),
    import('@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'),
  ]);

/** Lets something be dragged next to another of its kind; gives the edge at which a dragged one would come to stand. */
export function useEdgeDrag(place: RefObject<HTMLElement | null>, drag: EdgeDrag): Edge | undefined {
  const [edge, setEdge] = useState<Edge>();
  const latest = useRef(drag);
  useLayoutEffect(() => {
    latest.current = drag;
  });
  const { isOn, kind, key } = drag;
  useEffect(() => {
    const element = place.current;
    if (!isOn || element === null) return;
    let stop = () => {};
    let isGone = false;
    const begin = async () => {
      const [{ draggable, dropTargetForElements }, { attachClosestEdge, extractClosestEdge }] =
        await loadLibrary();
      if (isGone) return;
      const allowedEdges: Edge[] = kind === 'row' ? ['top', 'bottom'] : ['left', 'right'];
      const stopDragging = draggable({ element, getInitialData: () => ({ kind, key }) });
      const stopTaking = dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data['kind'] === kind && source.data['key'] !== key,
        getData: ({ input }) => attachClosestEdge({ key }, { element, input, allowedEdges }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data) ?? undefined),
        onDragLeave: () => setEdge(undefined),
        onDrop: ({ self, source }) => {
          setEdge(undefined);
          const at = extractClosestEdge(self.data);
          if (at !== null) latest.current.onDrop(String(source.data['key']), at);
        },
      });
      stop = () => {
        stopDragging();
        stopTaking();
      };
    };
    void begin();
    return () => {
      isGone = true;
      stop();
    };
  }, [place, isOn, kind, key]);
  return edge;
}
