import { type Account, findAccounts } from '../../identity/index.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import {
  type GroupPresenter,
  presentLinkTypeLabels,
  presentListPeople,
  presentUser,
  trackerGroup,
} from '../../present/index.ts';
import {
  type DescribingContext,
  readFormPreferences,
  type Tracker,
  usableLinkTypes,
} from '../../trackers/index.ts';
import type { Services } from '../services.ts';

/** Everybody who is a default value somewhere in the form. */
async function defaultUsers(
  { database }: Services,
  { elements }: Tracker,
): Promise<ReadonlyMap<number, Account>> {
  const ids = elements.flatMap(({ bind }) => (bind?.kind === 'users' ? bind.defaults : []));
  return new Map((await findAccounts(database, [...new Set(ids)])).map((account) => [account.id, account]));
}

/** Does once what several elements of one form ask for. */
function remembered<Given, Made>(make: (input: Given) => Made): (input: Given) => Made {
  const known = new Map<Given, { readonly made: Made }>();
  return (input) => {
    const { made } = known.get(input) ?? { made: make(input) };
    known.set(input, { made });
    return made;
  };
}

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
    userValues: remembered((accounts: readonly Account[]) => presentListPeople(publicUrl, viewer, accounts)),
    group: await groupPresenter(services, tracker),
  };
}
