import { basename } from 'node:path';
import { checkedLabel } from '../files/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../kernel/xml.ts';
import {
  type BlobKeeper,
  type Calls,
  KeptBytes,
  type StoredBlob,
  type storageOperations,
} from '../storage/index.ts';
import type { ReadyFile } from './artifact-reader.ts';
import { type Archive, pathIn, placeWords, type Warn } from './model.ts';
import type { archiveOperations } from './operations.ts';

interface IntakeDeps {
  readonly operations: Pick<Calls<typeof archiveOperations>, 'reserveIds'> &
    Pick<Calls<typeof storageOperations>, 'releaseUnused'>;
  readonly keeper: BlobKeeper;
}

interface IntakeTask {
  readonly archive: Archive;
  readonly largestFile: number;
  readonly warn: Warn;
  readonly note?: (kind: 'file', ids: readonly (readonly [string, number])[]) => Promise<void>;
  readonly file?: string;
}

/** What the changesets of an artifact refer to. */
function referredIn(artifact: XmlElement): ReadonlySet<string> {
  const values = childrenOf(artifact, 'changeset')
    .flatMap((changeset) => childrenOf(changeset, 'field_change'))
    .flatMap((change) => childrenOf(change, 'value'));
  return new Set(values.flatMap((value) => attributeOf(value, 'ref') ?? []));
}

/** Stores the bytes of files that artifacts of an archive have. */
export class FileIntake {
  readonly #deps: IntakeDeps;
  readonly #viewer: Viewer;
  readonly #task: IntakeTask;
  /** Stored, and of no file yet. */
  #stored: StoredBlob[] = [];
  readonly #kept = new KeptBytes();

  constructor(deps: IntakeDeps, viewer: Viewer, task: IntakeTask) {
    this.#deps = deps;
    this.#viewer = viewer;
    this.#task = task;
  }

  #warn(element: XmlElement, text: string): void {
    const id = attributeOf(element, 'id') ?? '';
    const like = { what: 'files could not be taken over', subject: textOf(element, 'filename').trim() || id };
    this.#task.warn({ code: 'missing_file', place: placeWords('file', id), line: element.line, text, like });
  }

  /** Where the bytes are, when there are some that can be taken. */
  async #pathOf(element: XmlElement): Promise<string | undefined> {
    const { archive, largestFile, file = 'project.xml' } = this.#task;
    const path = pathIn(file, childOf(element, 'path')?.line, textOf(element, 'path').trim());
    const size = await archive.size(path);
    if (size === undefined) this.#warn(element, `There is no ${path} in the archive.`);
    else if (size > largestFile) this.#warn(element, `${path} is larger than files may be here.`);
    else return path;
    return undefined;
  }

  #labelOf(element: XmlElement, path: string) {
    const [name, type, description] = ['filename', 'filetype', 'description'].map((child) =>
      textOf(element, child),
    );
    const label = {
      name: name?.trim() || basename(path),
      type: type?.trim() ?? '',
      description: description ?? '',
    };
    try {
      return checkedLabel(label, { type: 'type' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { name: basename(path), type: 'application/octet-stream', description: '' };
    }
  }

  async #take(element: XmlElement, path: string, id: number): Promise<ReadyFile> {
    const { keeper } = this.#deps;
    const source = await this.#task.archive.open(path);
    const blobs = await Array.fromAsync(keeper.blobs.store(source, this.#kept));
    this.#stored.push(...blobs);
    return { id, ...this.#labelOf(element, path), blobs };
  }

  /** The files of an artifact that some changeset names, by what the archive calls them. */
  async take(artifact: XmlElement): Promise<ReadonlyMap<string, ReadyFile>> {
    const files = new Map<string, ReadyFile>();
    const named = referredIn(artifact);
    const attached = childrenOf(artifact, 'file').filter((file) => named.has(attributeOf(file, 'id') ?? ''));
    if (attached.length === 0) return files;
    const ids = await this.#deps.operations.reserveIds(this.#viewer, {
      table: 'attachment',
      count: attached.length,
    });
    for (const [index, file] of attached.entries()) {
      const key = attributeOf(file, 'id') ?? '';
      if (files.has(key)) {
        this.#warn(file, `The id ${key} is there twice; it means the first of them.`);
        continue;
      }
      const path = await this.#pathOf(file);
      if (path !== undefined) files.set(key, await this.#take(file, path, ids[index] ?? 0));
    }
    await this.#task.note?.(
      'file',
      [...files].map(([key, { id }]) => [key, id]),
    );
    return files;
  }

  /** All that was stored so far belongs to files. */
  async forget(): Promise<void> {
    this.#stored = [];
    await this.#kept.forget();
  }

  async discard(): Promise<void> {
    const blobs = this.#stored;
    await this.forget();
    if (blobs.length === 0) return;
    await this.#deps.operations.releaseUnused(this.#viewer, { blobs });
    await this.#deps.keeper.erase(blobs.map(({ hash }) => hash));
  }
}
