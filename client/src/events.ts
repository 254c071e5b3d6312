/** What a stream of events can be about. */
export type LiveTopic = 'user' | 'platform' | `${'projects' | 'trackers' | 'imports'}/${number}`;

/** Who acted, and by which page or program: the `X-Client-Uuid` of its request. */
interface LiveDeed {
  /** The id of an account; null where nobody is known. */
  readonly by: number | null;
  readonly client: string | null;
}

/** Something happened to an artifact. No values travel: they are read, with the rights of whoever reads. */
export interface LiveArtifact extends LiveDeed {
  readonly event: 'artifact';
  readonly uri: string;
  /** All of them, where one deed concerned several. */
  readonly uris?: readonly string[] | undefined;
  readonly tracker: string;
  readonly project: string;
  /** The tracker that it left, where one was moved. */
  readonly from?: string | undefined;
  readonly what: 'created' | 'changed' | 'deleted' | 'restored' | 'moved' | 'commented' | 'ranked';
  /** Absent where there is nothing to read any more. */
  readonly etag?: string | undefined;
  readonly changeset_id?: number | undefined;
  /** The ids of changed fields that the receiver may read. */
  readonly fields: readonly number[];
}

/** Something happened to another thing. */
export interface LiveThing extends LiveDeed {
  readonly event: 'tracker' | 'project' | 'report' | 'dashboard' | 'svn' | 'import';
  readonly uri: string;
  readonly what: string;
  readonly project?: string | undefined;
  readonly tracker?: string | undefined;
}

/** Something came into one's inbox, or left it. */
export interface LiveNotification {
  readonly event: 'notification';
  readonly uri: string;
  readonly unread: number;
  readonly client: string | null;
}

/** The first of every stream. */
export interface LiveHello {
  readonly event: 'hello';
  readonly build: string;
  readonly now: string;
  readonly topics: readonly string[];
}

/** A topic that the caller may not hear about. */
export interface LiveRefused {
  readonly event: 'refused';
  readonly topic: string;
}

/** `standing`: read your own again. `signed_out`: the session ended. `reset`: something was missed, read again what is shown. */
export interface LiveWord {
  readonly event: 'standing' | 'signed_out' | 'reset';
}

export type LiveEvent = LiveArtifact | LiveThing | LiveNotification | LiveHello | LiveRefused | LiveWord;

/** What one look at a stream brought: an event, or only a sign of life. */
export interface LiveBlock {
  /** Where to go on after a cut: the `after` of the next stream. */
  readonly id: string | undefined;
  readonly event: LiveEvent | undefined;
}

function blockOf(text: string): LiveBlock {
  let id: string | undefined;
  let name = '';
  let data = '';
  for (const line of text.split('\n')) {
    const [field = '', value = ''] = splitOnce(line);
    if (field === 'id') id = value;
    else if (field === 'event') name = value;
    else if (field === 'data') data += value;
  }
  if (name === '') return { id, event: undefined };
  // Names and members are those of the server's contract.
  return { id, event: { event: name, ...JSON.parse(data === '' ? '{}' : data) } as LiveEvent };
}

function splitOnce(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** Reads a stream of events (`streamEvents`, by `client.download`) until it ends. */
export async function* readEvents(response: Response): AsyncGenerator<LiveBlock, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield blockOf(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
