import { account } from './en/account.ts';
import { artifact } from './en/artifact.ts';
import { board } from './en/board.ts';
import { bulk } from './en/bulk.ts';
import { charts } from './en/charts.ts';
import { creation } from './en/creation.ts';
import { csv } from './en/csv.ts';
import { dashboards } from './en/dashboards.ts';
import { diff } from './en/diff.ts';
import { editor } from './en/editor.ts';
import { help } from './en/help.ts';
import { home } from './en/home.ts';
import { inbox } from './en/inbox.ts';
import { leaving } from './en/leaving.ts';
import { nothing } from './en/nothing.ts';
import { people } from './en/people.ts';
import { platformAdmin } from './en/platform-admin.ts';
import { print } from './en/print.ts';
import { problem } from './en/problem.ts';
import { projectAdmin } from './en/project-admin.ts';
import { projects } from './en/projects.ts';
import { queries } from './en/queries.ts';
import { queryFaults } from './en/query-faults.ts';
import { saving } from './en/saving.ts';
import { search } from './en/search.ts';
import { svn } from './en/svn.ts';
import { timeline } from './en/timeline.ts';
import { trackerAdmin } from './en/tracker-admin.ts';
import { welcome } from './en/welcome.ts';

/** Words of rooms that are entered from other pages. */
export const en = {
  account,
  artifact,
  board,
  bulk,
  charts,
  creation,
  csv,
  dashboards,
  diff,
  editor,
  help,
  home,
  inbox,
  leaving,
  nothing,
  people,
  platformAdmin,
  print,
  problem,
  projectAdmin,
  projects,
  queries,
  queryFaults,
  saving,
  search,
  svn,
  timeline,
  trackerAdmin,
  welcome,
};

export type LaterMessages = typeof en;
