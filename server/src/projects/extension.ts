import type { Instant } from '../kernel/clock.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { XmlElement } from '../kernel/xml.ts';
import type { Reader, SelectQueryBuilder, SqlBuilder, Tables, Transaction } from '../storage/index.ts';
import type { AccessLevel } from './model.ts';

/** Where the content of a new project comes from. */
export type TemplateSource =
  | {
      readonly kind: 'project';
      readonly projectId: number;
      /** The static user groups of the template and what became of them in the new project. */
      readonly groups: ReadonlyMap<number, number>;
    }
  /** A template that comes with the product. */
  | {
      readonly kind: 'shipped';
      readonly name: string;
      /** Its project; undefined where nobody read it. */
      readonly content: XmlElement | undefined;
    };

/** A word in front of `#` that makes a reference of it: `art #12`. */
export interface ReferenceKeyword {
  /** In lower case. */
  readonly keyword: string;
  readonly description: string;
  /** Whether what follows the `#` can be what this keyword refers to. */
  accepts(value: string): boolean;
}

/** What somebody did to something of a project. */
export interface ActivityEntry {
  readonly at: Instant;
  readonly deed: 'created' | 'changed' | 'commented' | 'committed';
  /** What it is called where it is written about, the path of its page, and the first of what it says. */
  readonly subject: { readonly reference: string; readonly path: string; readonly title: string };
  readonly iconName: string;
  readonly userId: number | null;
}

/** What happened last in one room of a project, newest first, as far as the viewer may know. */
export interface Activity {
  readonly entries: readonly ActivityEntry[];
  readonly hasHidden: boolean;
}

/** Something that happened to a project, for rooms that keep something that hangs on it. */
export type ProjectChange = { readonly projectId: number } & (
  | { readonly kind: 'group-renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'group-deleted'; readonly groupId: number }
  | { readonly kind: 'member-removed'; readonly accountId: number; readonly access: AccessLevel }
);

/** What a room above this one adds to every project. `operations.ts` hands them in. */
export interface ProjectExtension {
  /** Types of the entries in `resources`: for each, there is a route `/projects/{id}/<type>`. */
  readonly resources?: readonly string[];
  /** Fills a new project, in the transaction that creates it. */
  fillFromTemplate?(
    tx: Transaction,
    viewer: Viewer,
    projectId: number,
    source: TemplateSource,
  ): Promise<void>;
  /** Ids of the projects in which the viewer administers a tracker. */
  projectsWithAdministeredTracker?(
    sql: SqlBuilder,
    viewer: Viewer,
  ): SelectQueryBuilder<Tables, keyof Tables, { project_id: number }>;
  /** Keywords of references to things in the project that the viewer may know of; one that is known already is replaced. */
  referenceKeywords?(reader: Reader, viewer: Viewer, projectId: number): Promise<readonly ReferenceKeyword[]>;
  /** Follows a change, in the transaction that makes it. */
  changed?(tx: Transaction, viewer: Viewer, change: ProjectChange): Promise<void>;
  activity?(reader: Reader, viewer: Viewer, projectId: number): Promise<Activity>;
  /** When something last happened in projects that the viewer may access, as far as they may know; any number for each. */
  lastActivities?(
    reader: Reader,
    viewer: Viewer,
    projectIds: readonly number[],
  ): Promise<readonly { readonly projectId: number; readonly at: Instant }[]>;
  /** Ids of the accounts that wrote something in a project, as far as the viewer may know. */
  writers?(
    reader: Reader,
    viewer: Viewer,
    projectId: number,
  ): Promise<SelectQueryBuilder<Tables, keyof Tables, { account_id: number }>>;
}

export async function tellChange(
  tx: Transaction,
  viewer: Viewer,
  extensions: readonly ProjectExtension[],
  change: ProjectChange,
): Promise<void> {
  for (const extension of extensions) await extension.changed?.(tx, viewer, change);
}

const ownResources = ['project_services', 'user_groups', 'heartbeats', 'labels'];

/** Types of the entries in the `resources` of every project, in the order in which they are shown. */
export function resourceTypes(extensions: readonly ProjectExtension[]): string[] {
  return [...extensions.flatMap(({ resources }) => resources ?? []), ...ownResources];
}
