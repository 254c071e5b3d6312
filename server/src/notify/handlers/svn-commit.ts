import { commitMails } from '../commit-mail.ts';
import { deliveriesOf } from '../new-deliveries.ts';
import { type EventHandler, noOutcome } from './handler.ts';
import { contextFor } from './readers.ts';

export const svnCommit: EventHandler<'svn.commit'> = {
  isAble: ({ commits }) => commits !== undefined,
  async outcomeOf({ repositoryId, revision, projectId, by }, deps) {
    const { database, commits, publicUrl, sendsMail } = deps;
    if (commits === undefined) return noOutcome;
    const commit = { repositoryId, revision };
    const mails = sendsMail ? await commitMails(commit, { database, commits, publicUrl }) : [];
    const deliveries = await deliveriesOf(database, 'svn.commit', [{ projectId }], async (owner) => {
      const seen = await commits.seenBy(owner, commit);
      if (seen === undefined) return undefined;
      const showing = await deps.showing();
      const user = await showing.user(await contextFor(owner, deps), by);
      return { user, ...showing.commit(seen) };
    });
    return { mails, deliveries };
  },
};
