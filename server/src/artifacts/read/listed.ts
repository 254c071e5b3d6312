import type { Viewer } from '../../kernel/viewer.ts';
import { isSameRevisions, type Revisions } from '../../storage/index.ts';
import type { ArtifactVersions } from '../store.ts';

/** What was written of one artifact, and what it was written from. */
interface Listed {
  readonly version: number;
  readonly related_version: number;
  readonly bytes: Uint8Array;
  /** The mark of the database when this was last found to hold; undefined where it has none. */
  mark: number | undefined;
}

/** An artifact with its counters. */
type Counted = Pick<ArtifactVersions, 'version' | 'related_version'> & { readonly id: number };

/** Bytes that one thread keeps, and of one artifact among them. */
const mostBytes = 4_000_000;
const longestKept = 64 * 1024;
/** Places for artifacts that were listed lately; each holds the last one that fell on it. */
const places = 4_096;

/** Who looks, and in which form: all by which two answers about an artifact can differ. */
export const presentationKeyOf = (viewer: Viewer, form: string): string =>
  `${form} ${viewer.userId} ${viewer.credential.kind === 'command-line'} ${viewer.isSiteAdmin} ${viewer.isRestricted} ` +
  `${viewer.accessMode} ${viewer.nameDisplay} ${viewer.delegations}`;

/**
 * Artifacts as lists show them, for those who ask for the same lists again and again while few of their artifacts change. What is kept
 * is given again only after it was found that both counters of the artifact and both revisions are still those that it was written
 * from, as answers about single artifacts are (`freshness.ts`). Which artifacts a list has, and how many there are, is never kept.
 */
export class ListedArtifacts {
  /** By who looks, and in which form; what was used last is the last. */
  readonly #byPresentation = new Map<string, Map<number, Listed>>();
  readonly #lately = new Float64Array(places);
  #revisions: Revisions = { identity: -1, structure: -1 };
  #bytes = 0;

  /** Whether something is kept of all of these, be it old. */
  hasAll(presentationKey: string, ids: readonly number[]): boolean {
    const known = this.#byPresentation.get(presentationKey);
    return known !== undefined && ids.every((id) => known.has(id));
  }

  /** What is kept of all of these, where nothing at all was stored since it was found to hold. */
  allAt(
    presentationKey: string,
    ids: readonly number[],
    mark: number | undefined,
  ): ReadonlyMap<number, Uint8Array> | undefined {
    const known = this.#used(presentationKey);
    if (mark === undefined || known === undefined) return undefined;
    const found = new Map<number, Uint8Array>();
    for (const id of ids) {
      const listed = known.get(id);
      if (listed?.mark !== mark) return undefined;
      found.set(id, listed.bytes);
    }
    return found;
  }

  /** What holds of these, whose counters and the revisions were read together; `mark`: of the database, from before that. */
  holding(
    presentationKey: string,
    artifacts: readonly Counted[],
    revisions: Revisions,
    mark: number | undefined,
  ): ReadonlyMap<number, Uint8Array> {
    const found = new Map<number, Uint8Array>();
    const known = isSameRevisions(revisions, this.#revisions) ? this.#used(presentationKey) : undefined;
    if (known === undefined) return found;
    for (const { id, version, related_version } of artifacts) {
      const listed = known.get(id);
      if (listed?.version !== version || listed.related_version !== related_version) continue;
      listed.mark = mark;
      found.set(id, listed.bytes);
    }
    return found;
  }

  /** Keeps what was written of an artifact, and gives its bytes; undefined where that is not worth the memory. */
  keep(
    presentationKey: string,
    { id, version, related_version }: Counted,
    revisions: Revisions,
    text: string,
  ): Uint8Array | undefined {
    if (!this.#isRepeated(id) || text.length > longestKept) return undefined;
    if (!isSameRevisions(revisions, this.#revisions)) this.#forgetAll(revisions);
    // Not a part of memory that others use, too: it would be held as long as they are.
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    bytes.write(text);
    const known = this.#byPresentation.get(presentationKey) ?? new Map<number, Listed>();
    this.#byPresentation.set(presentationKey, known);
    this.#bytes += bytes.length - (known.get(id)?.bytes.length ?? 0);
    known.delete(id);
    known.set(id, { version, related_version, bytes, mark: undefined });
    this.#makeRoom();
    return bytes;
  }

  /** Whether the same was listed a short while ago: what is listed once is not worth the memory that it takes. */
  #isRepeated(id: number): boolean {
    const place = id % places;
    const isRepeated = this.#lately[place] === id;
    this.#lately[place] = id;
    return isRepeated;
  }

  #used(presentationKey: string): Map<number, Listed> | undefined {
    const known = this.#byPresentation.get(presentationKey);
    if (known === undefined) return undefined;
    this.#byPresentation.delete(presentationKey);
    this.#byPresentation.set(presentationKey, known);
    return known;
  }

  #forgetAll(revisions: Revisions): void {
    this.#revisions = revisions;
    this.#byPresentation.clear();
    this.#bytes = 0;
  }

  /** The presentationKey that was not used for longest goes first, and of that what was kept first. */
  #makeRoom(): void {
    for (const [presentationKey, known] of this.#byPresentation) {
      for (const [id, { bytes }] of known) {
        if (this.#bytes <= mostBytes) return;
        known.delete(id);
        this.#bytes -= bytes.length;
      }
      this.#byPresentation.delete(presentationKey);
    }
  }
}
