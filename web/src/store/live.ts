import type { LiveEvent, LiveTopic } from '@atelier/client';
import { useEffect, useRef } from 'react';
import { createSignal } from './signal.ts';

export type { LiveArtifact, LiveEvent, LiveThing, LiveTopic } from '@atelier/client';

/**
 * What pages hear of what others do. A page names what it shows (`useLive`), and is told of what happens to it: never of its own deeds, and
 * with `reset` whenever something was missed. One stream serves all tabs of a browser (`live-stream.ts`).
 */
export type LiveListener = (event: LiveEvent) => void;

const listeners = new Map<LiveTopic, Set<LiveListener>>();

/** What this page wants to hear about: another array whenever that changes. */
export const wantedTopics = createSignal<readonly LiveTopic[]>([]);

const tell = () => wantedTopics.set([...listeners.keys()]);

/** Calls the listener for whatever happens under the topic, and for `reset`; gives what ends that. */
function onLiveEvent(topic: LiveTopic, listener: LiveListener): () => void {
  const all = listeners.get(topic) ?? new Set();
  listeners.set(topic, all.add(listener));
  if (all.size === 1) tell();
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    listeners.delete(topic);
    tell();
  };
}

/** As `onLiveEvent` for as long as the component is shown. Without a topic it hears nothing. */
export function useLive(topics: LiveTopic | readonly LiveTopic[] | undefined, listener: LiveListener): void {
  const current = useRef(listener);
  current.current = listener;
  const key = typeof topics === 'string' ? topics : (topics ?? []).join(' ');
  useEffect(() => {
    const names = key === '' ? [] : (key.split(' ') as LiveTopic[]);
    const ends = names.map((topic) => onLiveEvent(topic, (event) => current.current(event)));
    return () => {
      for (const end of ends) end();
    };
  }, [key]);
}

/** The topics that an event is told under. */
function topicsOf(event: LiveEvent): readonly string[] {
  switch (event.event) {
    case 'artifact':
      return [event.tracker, event.project, event.from ?? '', 'user'];
    case 'notification':
    case 'standing':
      return ['user'];
    case 'signed_out':
    case 'hello':
    case 'refused':
      return [];
    case 'reset':
      return [...listeners.keys()];
    default:
      return [event.uri.replace(/^project_/, ''), event.project ?? '', event.tracker ?? ''];
  }
}

/** Tells those who listen to one of its topics, each once. */
export function deliver(event: LiveEvent): void {
  const heard = new Set<LiveListener>();
  for (const [topic, all] of listeners)
    if (topicsOf(event).includes(topic)) for (const listener of all) heard.add(listener);
  for (const listener of heard) listener(event);
}
