/** What tracker permissions are called in storage; `permissions_for_groups` of the API has words of its own. */
export const trackerPermissions = ['admin', 'full', 'assignee', 'submitter', 'submitter_only'] as const;
export type TrackerPermission = (typeof trackerPermissions)[number];

export const fieldPermissions = ['read', 'submit', 'update'] as const;
export type FieldPermission = (typeof fieldPermissions)[number];

/** Groups that hold a permission, by permission. */
export type Grants<Permission extends string> = Readonly<Record<Permission, readonly number[]>>;

/** The id that means "nothing chosen" in every list. */
export const noneValue = 100;

export type BindKind = 'static' | 'users' | 'ugroups';

export interface ListValue {
  /** Below zero for a group that an open list takes without having been given it: then it is that of the group. */
  readonly id: number;
  /** For a group: its short name. */
  readonly label: string;
  readonly description: string;
  readonly rank: number;
  readonly isHidden: boolean;
  /** A colour of the palette, `#RRGGBB`, or empty. */
  readonly color: string;
  /** Set in lists of groups. */
  readonly groupId: number | null;
}

/** Source of a list of people that is not a user group: everybody who submitted an artifact of the tracker. */
export const submitters = 0;

/** Where a list takes its values from. */
export interface Bind {
  readonly kind: BindKind;
  /** Source groups of a list of people. */
  readonly groups: readonly number[];
  readonly isAlphabetic: boolean;
  /** Ids of the default values: list values, users, or list values of groups. */
  readonly defaults: readonly number[];
  /** The colour that an archive gives to having no value: kept for archives, since no answer has a place for it. */
  readonly noneColor?: string | undefined;
  /** In the order in which they are shown; empty for lists of people. */
  readonly values: readonly ListValue[];
  /** Values that nobody can choose any more; history still shows them. */
  readonly removed: readonly ListValue[];
}

/** What is stored of a bind beside its values. */
export type StoredBind = Omit<Bind, 'values' | 'removed'>;

/** Settings that only one type of field has. */
export type Properties = Readonly<Record<string, string | number | null>>;

export interface FieldSemantic {
  readonly fieldId: number;
}
export interface StatusSemantic extends FieldSemantic {
  /** Values that count as open; 100 among them: an empty status is open. */
  readonly openIds: readonly number[];
}
export type TimeframeSemantic =
  | { readonly startFieldId: number; readonly durationFieldId: number }
  | { readonly startFieldId: number; readonly endFieldId: number }
  | { readonly impliedFromTrackerId: number };
export type ProgressSemantic =
  | { readonly totalFieldId: number; readonly remainingFieldId: number }
  | { readonly linkType: '_is_child' };

/** What the fields of a tracker mean. */
export interface Semantics {
  readonly title?: FieldSemantic;
  readonly description?: FieldSemantic;
  readonly status?: StatusSemantic;
  readonly contributor?: FieldSemantic;
  readonly timeframe?: TimeframeSemantic;
  readonly progress?: ProgressSemantic;
  readonly initial_effort?: FieldSemantic;
  readonly done?: { readonly valueIds: readonly number[] };
  readonly tooltip?: { readonly fieldIds: readonly number[] };
}
export type SemanticName = keyof Semantics;

/** What archives tell of a tracker beside what it is here. Absent members are as usual. */
export interface KeptSettings {
  readonly allowsCopy?: false;
  /** Whether its artifacts may be moved to other trackers. */
  readonly allowsMoving?: false;
  readonly hasMailGateway?: true;
  readonly isForNewProjects?: true;
  readonly logsRankChanges?: true;
  readonly isPromoted?: true;
  readonly sendsEvents?: true;
  /** HTML above the forms. */
  readonly submitInstructions?: string;
  readonly browseInstructions?: string;
  readonly cannedResponses?: readonly { readonly title: string; readonly body: string }[];
  readonly webhooks?: readonly string[];
}

export interface ProjectReference {
  readonly id: number;
  readonly label: string;
  readonly icon: string;
}
