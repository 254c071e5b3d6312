/** Numbers and dates of artifacts as their fields measure them, for finding artifacts. */
export interface ArtifactMeasureTable {
  field_id: number;
  value: number;
  artifact_id: number;
}

/** Folded texts of artifacts without markup; of files, their names and descriptions. No row where a field is empty. */
export interface ArtifactTextTable {
  field_id: number;
  artifact_id: number;
  text: string;
}

/** The folded first text of every comment that has one. */
export interface CommentTextTable {
  changeset_id: number;
  artifact_id: number;
  text: string;
  /** `,101,102,`: groups that alone may read it; null: everybody who sees the artifact. */
  readers: string | null;
}

/** Artifacts that have something in common, as sets of bits: derived from the rows above and from the artifacts. */
export interface PostingTable {
  key: string;
  block: number;
  ids: Uint8Array;
}

/** Artifacts that the postings do not tell the truth about. */
export interface SearchPendingTable {
  artifact_id: number;
  /** Another number after every change. */
  ticket: number;
}

/** Rows of `text_part` that are not what they should be. */
export interface TextPendingTable {
  id: number;
}

/** The three-letter parts of all texts, by field and artifact, or by changeset. */
export interface TextPartTable {
  rowid: number;
  text: string;
}

/** The words of a field in one block of artifacts. The row of field 0 counts tickets instead. */
export interface WordBlockTable {
  field_id: number;
  block: number;
  /** Who wrote the words of the block: another number each time. */
  build: number;
  /** As `words.ts` writes them; null while they are being stored, and where they are too many. */
  words: string | null;
}

/** Artifacts with a word in a field, as sets of bits: for words that more than a few have. */
export interface WordPostingTable {
  field_id: number;
  block: number;
  word: string;
  ids: Uint8Array;
}

/** Texts of fields that are not what the words of their block say. */
export interface WordPendingTable {
  id: number;
  ticket: number;
}

/** Artifacts whose rows of the index are still to be made. */
export interface SearchBacklogTable {
  /** 0: of all fields. */
  field_id: number;
  /** Artifacts up to this one are done. */
  after_id: number;
}

export interface SearchTables {
  artifact_measure: ArtifactMeasureTable;
  artifact_text: ArtifactTextTable;
  comment_text: CommentTextTable;
  posting: PostingTable;
  search_pending: SearchPendingTable;
  text_pending: TextPendingTable;
  text_part: TextPartTable;
  word_block: WordBlockTable;
  word_posting: WordPostingTable;
  word_pending: WordPendingTable;
  search_backlog: SearchBacklogTable;
}
