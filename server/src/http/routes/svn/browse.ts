import * as contract from '@atelier/contract';
import { slice } from '../../../kernel/paging.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { contentPath, presentChange, presentRevision, typeOf } from '../../../present/index.ts';
import { browsedPath, openRepository } from '../../../svn/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

const usualLog = 20;

export function svnBrowsingBindings({ svnDeps, svnUses }: Services): RouteBinding[] {
  /** The repository, of which it is counted that somebody looked into it. */
  const opened = async (viewer: Viewer, id: number) => {
    const view = await openRepository(svnDeps, viewer, id);
    svnUses.note(id, viewer.userId, 'views');
    return view;
  };
  return [
    bind(contract.getSvnTree, async ({ viewer, params: { id }, query }) => {
      const { revision, limit, offset } = query;
      const view = await opened(viewer, id);
      const path = browsedPath(query.path ?? '/');
      const node = await view.node(path, revision);
      const at = node.at_revision;
      const { items, size } = slice(node.isFolder ? await view.entries(path, at) : [], { limit, offset });
      const body: contract.SvnTree = {
        ...{ revision: at, path, type: typeOf(node), last_change: presentChange(node) },
        content_href: node.isFolder ? null : contentPath(id, path, at),
        size: node.isFolder ? null : await view.sizeOf(path, at),
        entries: items.map((entry) => ({
          ...{ name: entry.name, path: entry.path, type: typeOf(entry), size: entry.size },
          last_change: presentChange(entry),
        })),
      };
      return { body, page: { limit, offset, size } };
    }),
    bind(
      contract.getSvnLog,
      async ({ viewer, params: { id }, query: { path = '/', from, limit = usualLog } }) => {
        const view = await opened(viewer, id);
        const { entries, next } = await view.log(browsedPath(path), { from, limit });
        return { body: { revisions: entries.map((entry) => presentRevision(id, entry)), next } };
      },
    ),
    bind(contract.getSvnBlame, async ({ viewer, params: { id }, query }) => {
      const { revision, limit, offset } = query;
      const view = await opened(viewer, id);
      const { at, blame } = await view.blame(browsedPath(query.path ?? '/'), revision);
      const { items, size } = slice(blame, { limit, offset });
      const lines = items.map(({ text, change }, index) => ({
        ...{ number: offset + index + 1, ...presentChange(change), text },
      }));
      return { body: { revision: at, lines }, page: { limit, offset, size } };
    }),
    bind(contract.getSvnFiles, async ({ viewer, params: { id }, query: { words, path = '/', revision } }) => {
      const view = await opened(viewer, id);
      const wanted = words.split(/\s+/).filter((word) => word !== '');
      const { at, files, isCut } = await view.files({ path: browsedPath(path), words: wanted }, revision);
      return { body: { revision: at, files, is_cut: isCut } };
    }),
    bind(contract.getSvnRevision, async ({ viewer, params: { id, revision } }) => {
      const view = await opened(viewer, id);
      return { body: presentRevision(id, await view.revision(revision)) };
    }),
  ];
}
