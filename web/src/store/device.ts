import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { PendingChange } from '../kernel/change-log.ts';

/** An answer that is kept to be drawn at once on the next visit. */
export interface KeptAnswer {
  readonly key: string;
  readonly data: unknown;
  readonly time: number;
  readonly size: number;
}

/** What somebody typed and did not send yet. */
export interface KeptDraft {
  readonly key: string;
  readonly content: unknown;
  /** The version of the thing that it was begun on. */
  readonly etag: string | undefined;
  /** What stood there in that version. */
  readonly before?: unknown;
  readonly time: number;
  /** The visits that wrote it: each tab has its own, and goes on with what it finds. */
  readonly visits?: readonly string[];
}

interface DeviceSchema extends DBSchema {
  answers: { key: string; value: KeptAnswer; indexes: { time: number } };
  changes: { key: string; value: PendingChange };
  drafts: { key: string; value: KeptDraft };
  facts: { key: string; value: string };
}

export type DeviceDatabase = IDBPDatabase<DeviceSchema>;

const databaseName = (personId: number) => `atelier-${personId}`;
const personName = 'atelier.person';
const sharedName = 'atelier.shared';

/** What is not there, for example in a window that keeps nothing, is as if it were empty. */
function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Nothing can be kept here.
  }
}

/** Who used this browser last, known before the server is asked. */
export function lastPerson(): number | undefined {
  const id = Number(remembered(personName) ?? Number.NaN);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

export const rememberPerson = (id: number | undefined): void =>
  remember(personName, id === undefined ? undefined : String(id));

export const isSharedComputer = (): boolean => remembered(sharedName) === '1';
export const setSharedComputer = (isShared: boolean): void =>
  remember(sharedName, isShared ? '1' : undefined);

let opened: { readonly personId: number; readonly database: Promise<DeviceDatabase | undefined> } | undefined;

async function open(personId: number): Promise<DeviceDatabase | undefined> {
  try {
    return await openDB<DeviceSchema>(databaseName(personId), 1, {
      upgrade(database) {
        database.createObjectStore('answers', { keyPath: 'key' }).createIndex('time', 'time');
        database.createObjectStore('changes', { keyPath: 'id' });
        database.createObjectStore('drafts', { keyPath: 'key' });
        database.createObjectStore('facts');
      },
      // Another tab signs out: it must not wait for this one.
      blocking: (_current, _next, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        opened = undefined;
      },
      // The browser took it away: whoever asks next opens it anew.
      terminated: () => {
        opened = undefined;
      },
    });
  } catch {
    return undefined;
  }
}

/** The database of a person; undefined where this device is to keep nothing, or cannot. */
export function deviceDatabase(personId: number | undefined): Promise<DeviceDatabase | undefined> {
  if (personId === undefined || isSharedComputer() || typeof indexedDB === 'undefined')
    return Promise.resolve(undefined);
  if (opened?.personId !== personId) opened = { personId, database: open(personId) };
  return opened.database;
}

/** Names of drawings of pages, and of their list, begin with it. */
export const drawingName = 'atelier.drawing';

export function forgetDrawings(): void {
  // One of them may still stand for what is being drawn.
  document.getElementById('drawing')?.remove();
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(drawingName)) localStorage.removeItem(name);
  } catch {
    // Where nothing can be kept, nothing was.
  }
}

const hurriedName = (personId: number) => `atelier.hurried-${personId} `;

/** Keeps drafts of a visit at once, where a page goes away: its database may be cut off before it has written. */
export function hurry(personId: number | undefined, visit: string, drafts: readonly KeptDraft[]): void {
  if (personId === undefined || isSharedComputer()) return;
  remember(`${hurriedName(personId)}${visit}`, drafts.length === 0 ? undefined : JSON.stringify(drafts));
}

/** The drafts that visits kept in a hurry; they are kept so no longer. */
export function takeHurried(personId: number | undefined): KeptDraft[] {
  if (personId === undefined) return [];
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(hurriedName(personId)));
    const texts = names.map((name) => localStorage.getItem(name) ?? '[]');
    for (const name of names) localStorage.removeItem(name);
    return texts.flatMap((text): KeptDraft[] => JSON.parse(text));
  } catch {
    return [];
  }
}

/** Removes all that is kept of a person. */
export async function forgetPerson(personId: number): Promise<void> {
  forgetDrawings();
  takeHurried(personId);
  const database = opened?.personId === personId ? await opened.database : undefined;
  database?.close();
  opened = undefined;
  if (typeof indexedDB !== 'undefined') await deleteDB(databaseName(personId)).catch(() => undefined);
}
