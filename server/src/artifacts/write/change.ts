import { checkFiles, newDescriptions, type StoredFile } from '../../files/index.ts';
import { viewerFor } from '../../identity/index.ts';
import { invalid } from '../../kernel/errors.ts';
import { viewOfArtifact } from '../../search/index.ts';
import {
  type Field,
  preferredTextFormat,
  type TextFormat,
  type Tracker,
  type WritingContext,
} from '../../trackers/index.ts';
import type { WriteContext } from '../context.ts';
import { type Mentionable, TextReferences } from '../links/index.ts';
import { findReadableFile } from '../read/index.ts';
import { type ReadContext, viewFor } from '../visibility.ts';
import type { EventScope } from './outbox.ts';
import type { TriggerEvent } from './trigger-events.ts';

/** One change on its way: what reading its entries takes, and what its texts refer to. */
export interface Change extends EventScope {
  readonly readContext: ReadContext;
  readonly context: WritingContext;
  readonly references: TextReferences;
  /** What triggers are still to look at. */
  readonly triggerEvents: TriggerEvent[];
}

/** Lets each file be named for one field only: it can be in one place. */
class FilePlaces {
  readonly #fields = new Map<number, Field>();

  claim(field: Field, ids: readonly number[]): void {
    for (const id of ids) {
      const other = this.#fields.get(id);
      if (other !== undefined && other !== field)
        throw invalid(`File #${id} cannot be in the field ${field.id} and in ${other.id} as well.`);
      this.#fields.set(id, field);
    }
  }
}

/** Those are mentioned who see the artifact, or the tracker of one that is being made. */
const mentionableIn =
  (readContext: ReadContext, trackerId: number, artifactId: number): Mentionable =>
  async (accountId) => {
    const viewer = await viewerFor(readContext.reader, accountId);
    if (viewer === undefined) return false;
    const seen = { ...readContext, viewer };
    const view = artifactId === 0 ? await viewFor(seen, trackerId) : await viewOfArtifact(seen, artifactId);
    return view !== undefined;
  };

export function beginChange(
  { tx, extensions, listeners }: WriteContext,
  readContext: ReadContext,
  tracker: Tracker,
  artifactId: number,
  isXml = false,
): Change {
  const { viewer } = readContext;
  const mentionable = mentionableIn(readContext, tracker.id, artifactId);
  const references = new TextReferences(tx, viewer, tracker, extensions, mentionable);
  const places = new FilePlaces();
  let format: Promise<TextFormat> | undefined;
  const mayKnowOf = async ({ id, submittedBy }: StoredFile) =>
    submittedBy === viewer.userId || (await findReadableFile(readContext, id)) !== undefined;
  const context: WritingContext = {
    tx,
    viewer,
    tracker,
    textFormat: () => (format ??= preferredTextFormat(tx, viewer)),
    now: Date.now(),
    isXml,
    render: (content, format) => references.render(content, format),
    async checkFiles(field, ids) {
      places.claim(field, ids);
      const place = { artifactId, fieldId: field.id };
      await checkFiles(tx, viewer, place, ids, mayKnowOf);
    },
    newDescriptions: (wanted) => newDescriptions(tx, wanted),
  };
  return { tx, readContext, context, references, triggerEvents: [], listeners };
}
