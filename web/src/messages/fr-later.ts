import type { LaterMessages } from './en-later.ts';
import { account } from './fr/account.ts';
import { artifact } from './fr/artifact.ts';
import { board } from './fr/board.ts';
import { bulk } from './fr/bulk.ts';
import { charts } from './fr/charts.ts';
import { creation } from './fr/creation.ts';
import { csv } from './fr/csv.ts';
import { dashboards } from './fr/dashboards.ts';
import { diff } from './fr/diff.ts';
import { editor } from './fr/editor.ts';
import { help } from './fr/help.ts';
import { home } from './fr/home.ts';
import { inbox } from './fr/inbox.ts';
import { leaving } from './fr/leaving.ts';
import { nothing } from './fr/nothing.ts';
import { people } from './fr/people.ts';
import { platformAdmin } from './fr/platform-admin.ts';
import { print } from './fr/print.ts';
import { problem } from './fr/problem.ts';
import { projectAdmin } from './fr/project-admin.ts';
import { projects } from './fr/projects.ts';
import { queries } from './fr/queries.ts';
import { queryFaults } from './fr/query-faults.ts';
import { saving } from './fr/saving.ts';
import { search } from './fr/search.ts';
import { svn } from './fr/svn.ts';
import { timeline } from './fr/timeline.ts';
import { trackerAdmin } from './fr/tracker-admin.ts';
import { welcome } from './fr/welcome.ts';

export const fr: LaterMessages = {
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
