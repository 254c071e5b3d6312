import type { LinkTypeLabels, MinimalUserGroup } from '@atelier/contract';
import { type Account, displayName, findAccounts } from '../../identity/index.ts';
import { fold } from '../../kernel/text.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  type DescribingContext,
  type LinkType,
  readFormPreferences,
  type Tracker,
  usableLinkTypes,
} from '../../trackers/index.ts';
import type { Services } from '../services.ts';
import { trackerGroup } from './tracker-texts.ts';
import { presentMinimalUser, presentUser } from './users.ts';

export const presentLinkTypeLabels = ({
  shortname,
  forwardLabel,
  reverseLabel,
}: LinkType): LinkTypeLabels => ({
  shortname,
  forward_label: forwardLabel,
  reverse_label: reverseLabel,
});

/** How an account stands among the possible values of a list. */
function userValue(publicUrl: string, viewer: Viewer, account: Account) {
  const { id, uri, username, avatar_url } = presentMinimalUser(publicUrl, viewer, account);
  const user_reference = { id, uri, real_name: displayName(viewer, account), username, avatar_url };
  return { id, label: account.name, user_reference };
}

/** People by the names that the viewer sees, each once. */
function inOrder(viewer: Viewer, accounts: readonly Account[]): Account[] {
  const keyed = accounts.map((account) => ({ account, key: fold(displayName(viewer, account)) }));
  keyed.sort((left, right) =>
    left.key === right.key ? left.account.id - right.account.id : left.key < right.key ? -1 : 1,
  );
  return [...new Map(keyed.map(({ account }) => [account.id, account])).values()];
}

/** Everybody who is a default value somewhere in the form. */
async function defaultUsers(
  { database }: Services,
  { elements }: Tracker,
): Promise<ReadonlyMap<number, Account>> {
  const ids = elements.flatMap(({ bind }) => (bind?.kind === 'users' ? bind.defaults : []));
  return new Map((await findAccounts(database, [...new Set(ids)])).map((account) => [account.id, account]));
}

/** Does once what several elements of one form ask for. */
function remembered<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const known = new Map<Given, { readonly made: Made }>();
  return (given) => {
    const { made } = known.get(given) ?? { made: make(given) };
    known.set(given, { made });
    return made;
  };
}

export type GroupPresenter = (id: number) => MinimalUserGroup | undefined;

/** Presents the groups of the tracker's project; undefined when there is none (any more). */
export async function groupPresenter({ authenticator }: Services, tracker: Tracker): Promise<GroupPresenter> {
  const labels = await authenticator.settings();
  return remembered((id) => trackerGroup(tracker, id, labels));
}

/** What describing the form of a tracker to a viewer takes, beside the form itself. */
export interface FormContext extends DescribingContext {
  readonly collapsed: ReadonlySet<number>;
  group: GroupPresenter;
}

export async function formContext(
  services: Services,
  viewer: Viewer,
  tracker: Tracker,
): Promise<FormContext> {
  const { config, database, publicUrl } = services;
  const { textFormat, collapsed } = await readFormPreferences(database, viewer, tracker);
  let defaults: Promise<ReadonlyMap<number, Account>> | undefined;
  return {
    reader: database,
    viewer,
    tracker,
    textFormat,
    collapsed,
    largestFile: config.maxFileSize,
    allowedLinkTypes: (await usableLinkTypes(database, tracker.project.id)).map(presentLinkTypeLabels),
    async users(ids) {
      defaults ??= defaultUsers(services, tracker);
      const accounts = await defaults;
      return ids
        .flatMap((id) => accounts.get(id) ?? [])
        .map((account) => presentUser(publicUrl, viewer, account));
    },
    userValues: remembered((accounts: readonly Account[]) =>
      inOrder(viewer, accounts).map((account) => userValue(publicUrl, viewer, account)),
    ),
    group: await groupPresenter(services, tracker),
  };
}
