import type { Generated } from '@bundled/kysely';
import type { Flag } from './column-types.ts';

export interface TrackerTable {
  id: Generated<number>;
  project_id: number;
  name: string;
  /** The name folded, by which trackers are listed. */
  name_key: string;
  item_name: string;
  /** In lower case: unique in the project. */
  item_name_key: string;
  description: string;
  color: string;
  /** 0 as usual, 1 disabled, 2 on a change of status only. */
  notification_level: number;
  parent_id: number | null;
  has_private_comments: Flag;
  created_at: number;
  deleted_at: number | null;
  deleted_by: Generated<number | null>;
  /** JSON object: settings that archives carry and nothing here acts upon, but for `allowsMoving`. */
  kept: Generated<string>;
}

/** Kept apart from the tracker, so that creating an artifact holds on to nothing that others read. */
export interface TrackerCounterTable {
  tracker_id: number;
  /** The number that the last created artifact has inside the tracker. */
  last_number: number;
  artifacts: number;
  /** How many of them have permissions of their own. */
  restricted: number;
}

export interface TrackerFieldTable {
  id: Generated<number>;
  tracker_id: number;
  parent_id: number | null;
  type: string;
  name: string;
  label: string;
  description: string;
  /** Position among the elements of the same parent. */
  rank: number;
  is_required: Flag;
  is_used: Flag;
  has_notifications: Flag;
  /** JSON object: settings that only this type has. */
  properties: string;
  /** JSON object: where a list takes its values from; null for what is no list. */
  bind: string | null;
  deleted_at: number | null;
}

/** A possible value of a list with values of its own, or a group in a list of groups. */
export interface ListValueTable {
  id: Generated<number>;
  field_id: number;
  label: string;
  description: string;
  rank: number;
  is_hidden: Flag;
  /** A colour of the palette, `#RRGGBB`, or empty. */
  color: string;
  group_id: number | null;
  /** A value that was removed is kept for history. */
  deleted_at: number | null;
}

/** A value that somebody typed into an open list. */
export interface OpenValueTable {
  id: Generated<number>;
  field_id: number;
  label: string;
  is_hidden: Flag;
}

export interface TrackerGrantTable {
  tracker_id: number;
  permission: string;
  group_id: number;
}

export interface FieldGrantTable {
  field_id: number;
  permission: string;
  group_id: number;
}

export interface SemanticTable {
  tracker_id: number;
  name: string;
  /** JSON object. */
  settings: string;
}

/** Who ever submitted or changed an artifact of the tracker: `submitter`, `editor`. */
export interface TrackerPersonTable {
  tracker_id: number;
  role: string;
  account_id: number;
}

/** Trackers that links lead between, from artifacts of one to artifacts of the other; maybe more than there are. */
export interface TrackerLinkTable {
  source_tracker_id: number;
  target_tracker_id: number;
}

export interface LinkTypeTable {
  shortname: string;
  forward_label: string;
  reverse_label: string;
}

export interface DisabledLinkTypeTable {
  project_id: number;
  shortname: string;
}

export interface ArtifactTable {
  id: Generated<number>;
  tracker_id: number;
  /** Its number inside the tracker. */
  number: number;
  submitted_by: number;
  submitted_on: number;
  /** Counts its changesets. */
  version: number;
  modified_by: number;
  /** Never the same second twice. */
  modified_on: number;
  /** Raised by whatever else changes its answers: incoming links, references, files. */
  related_version: number;
  /** Whether it has permissions of its own. */
  is_restricted: Flag;
  /** JSON object: the current value of each field that ever had one, by field id. */
  document: string;
  /** Its place among all artifacts; null for the one that it was made with: see artifacts/ranks.ts. */
  rank: number | null;
}

export interface ChangesetTable {
  id: Generated<number>;
  artifact_id: number;
  submitted_by: number;
  submitted_on: number;
  /** JSON object: the new values of the fields that changed, by field id. */
  changes: string;
  /** JSON object: the newest version of the comment. */
  comment: string | null;
  /** The fields that changed, by their ids in ascending order with a blank between two; null: too many, or not known. */
  field_ids: Generated<string | null>;
  /** The address of somebody without an account who made it where it was imported from. */
  email: Generated<string | null>;
}

/** What a comment was before it was edited. */
export interface CommentVersionTable {
  changeset_id: number;
  version: number;
  comment: string;
}

/** The current values of list fields, for finding artifacts. 100 stands for none, typed values are negative. */
export interface ArtifactValueTable {
  field_id: number;
  value: number;
  artifact_id: number;
}

export interface ArtifactLinkTable {
  source_id: number;
  target_id: number;
  /** Empty for a link without type. */
  type: string;
}

export interface ArtifactGrantTable {
  artifact_id: number;
  group_id: number;
}

export interface CrossReferenceTable {
  source_kind: string;
  source_id: number;
  /** The place it stands at: `field:301`, `comment:77`. */
  origin: string;
  target_kind: string;
  target_id: number;
  /** The word in front of `#`, as it was written. */
  target_keyword: string;
}

/** Somebody whom a text of an artifact mentions. */
export interface MentionTable {
  artifact_id: number;
  /** The place it stands at, as in `cross_reference`. */
  origin: string;
  account_id: number;
  /** The changeset that named them there first. */
  changeset_id: number;
}

export interface TrackerTables {
  tracker: TrackerTable;
  tracker_counter: TrackerCounterTable;
  tracker_field: TrackerFieldTable;
  list_value: ListValueTable;
  open_value: OpenValueTable;
  tracker_grant: TrackerGrantTable;
  field_grant: FieldGrantTable;
  semantic: SemanticTable;
  tracker_person: TrackerPersonTable;
  tracker_link: TrackerLinkTable;
  link_type: LinkTypeTable;
  disabled_link_type: DisabledLinkTypeTable;
  artifact: ArtifactTable;
  changeset: ChangesetTable;
  comment_version: CommentVersionTable;
  artifact_value: ArtifactValueTable;
  artifact_link: ArtifactLinkTable;
  artifact_grant: ArtifactGrantTable;
  cross_reference: CrossReferenceTable;
  mention: MentionTable;
}
