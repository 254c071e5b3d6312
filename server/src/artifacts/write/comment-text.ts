import { invalidMember } from '../../kernel/errors.ts';
import { mostTextBytes, storedText, type TextFormat } from '../../trackers/index.ts';
import type { StoredComment } from '../comments.ts';
import type { Change } from './change.ts';

/** A comment as requests bring it. */
export interface CommentInput {
  readonly body: string;
  readonly format: TextFormat;
}

/** A comment for everybody, as changesets keep it; undefined when it has no text. The member is where requests bring the text. */
export async function storedComment(
  { context }: Change,
  comment: CommentInput | undefined,
  at: number,
  member = 'body',
): Promise<StoredComment | undefined> {
  const body = comment?.body.trim() ?? '';
  if (comment === undefined || body === '') return undefined;
  if (Buffer.byteLength(body) > mostTextBytes)
    throw invalidMember(member, `It must have at most ${mostTextBytes} bytes.`);
  const text = await storedText(body, comment.format, context);
  return { ...text, by: context.viewer.userId, at, groups: null };
}
