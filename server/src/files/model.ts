import { hour, type Instant } from '../kernel/clock.ts';
import { invalidMember } from '../kernel/errors.ts';

/** What answers tell of a file. */
export interface FileFacts {
  readonly id: number;
  readonly submittedBy: number;
  readonly description: string;
  /** The description that it came with; null where it has never had another. */
  readonly firstDescription: string | null;
  readonly name: string;
  /** Bytes that have arrived. */
  readonly size: number;
  /** The media type as the uploader named it. */
  readonly type: string;
}

/** A file with all that decides what may be done with it. */
export interface StoredFile extends FileFacts {
  readonly state: 'temporary' | 'upload' | 'attached' | 'removed';
  /** Null until it is attached. */
  readonly artifactId: number | null;
  /** The field it is attached to, or that an upload was reserved for. */
  readonly fieldId: number | null;
  readonly expectedSize: number | null;
  readonly chunks: number;
  readonly expiresAt: Instant | null;
  readonly preview: 'made' | 'none' | null;
  /** Who is writing to an upload, and until when they need not say so again. */
  readonly writer: string | null;
  readonly writerUntil: Instant | null;
}

/** Bytes of one chunk at the most, when files are read and written in base64. */
export const chunkSize = 1_048_576;

/** How long a reserved upload can be written to and attached. */
export const uploadLifetime = 4 * hour;

export const isComplete = ({ size, expectedSize }: Pick<StoredFile, 'size' | 'expectedSize'>) =>
  size === expectedSize;

const pictures = /^image\/(gif|png|jpe?g)$/i;

/** Whether a preview is announced; whether one can be made is seen when it is asked for. */
export const isPicture = ({ type }: Pick<FileFacts, 'type'>) => pictures.test(type);

/** What somebody says of a file that they are about to send. */
export interface FileLabel {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** The members by which requests give a label, for words about them. */
export interface LabelMembers {
  readonly type: string;
}

const longest = { name: 255, type: 255, description: 10_000 };

function checkLength(text: string, member: string, most: number): void {
  if ([...text].length > most) throw invalidMember(member, `It must have at most ${most} characters.`);
}

/** A name keeps any Unicode, and loses the path that some clients put in front, and control characters. */
function checkedName(input: string): string {
  const start = Math.max(input.lastIndexOf('/'), input.lastIndexOf('\\')) + 1;
  const name = input
    .slice(start)
    .replace(/\p{Cc}/gu, '')
    .trim();
  if (name === '') throw invalidMember('name', 'Without path and control characters nothing is left of it.');
  checkLength(name, 'name', longest.name);
  return name;
}

function checkedType(type: string, member: string): string {
  checkLength(type, member, longest.type);
  if (/\p{Cc}/u.test(type)) throw invalidMember(member, 'It must not have control characters.');
  return type;
}

/** What a file is described by from now on. */
export function checkedDescription(input: string): string {
  const description = input.trim();
  checkLength(description, 'description', longest.description);
  return description;
}

export function checkedLabel({ name, type, description }: FileLabel, members: LabelMembers): FileLabel {
  checkLength(description, 'description', longest.description);
  return { name: checkedName(name), type: checkedType(type, members.type), description };
}
