import { commitMails } from '../commit-mail.ts';
import { type EventHandler, nothing } from './handler.ts';

export const svnCommit: EventHandler<'svn.commit'> = {
  isAble: ({ commits }) => commits !== undefined,
  async outcomeOf({ repositoryId, revision }, { database, commits, publicUrl, sendsMail }) {
    if (!sendsMail || commits === undefined) return nothing;
    const mails = await commitMails({ repositoryId, revision }, { database, commits, publicUrl });
    return { mails, deliveries: [] };
  },
};
