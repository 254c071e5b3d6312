import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { Part, useCommands } from '../shell/index.ts';
import {
  Button,
  EmptyPlace,
  Icon,
  IconButton,
  LinkButton,
  RelativeTime,
  RichText,
  Skeleton,
} from '../ui/index.ts';
import { folderOf } from './addresses.ts';
import {
  downloadAddress,
  type SvnTree,
  type TreeEntry,
  useAuthors,
  useFileText,
  useRendered,
  useTree,
} from './calls.ts';
import { FileView } from './file.tsx';
import { FindFile } from './find-file.tsx';
import { copyAndTell, SvnPlace, SvnWaiting, type Whereabouts } from './place.tsx';
import styles from './svn.module.css';
import { Author, RevisionPicker, Tools, useWays, Ways } from './tools.tsx';

/** Files that tell what is in a folder. */
const readme = /^readme(\.(md|markdown|txt))?$/i;
const longestReadme = 60_000;

function Entry({
  where,
  entry,
  author,
}: {
  readonly where: Whereabouts;
  readonly entry: TreeEntry;
  readonly author: Parameters<typeof Author>[0]['user'];
}) {
  const formats = useFormats();
  const { addresses, revision } = where;
  const { name, path, type, size, last_change: change } = entry;
  const page = type === 'folder' ? 'tree' : 'file';
  return (
    <tr>
      <td>
        <Link href={addresses.page(page, path, { rev: revision })} className={styles['entry'] ?? ''}>
          <Icon name={type === 'folder' ? 'folder' : 'file'} />
          <span>{name}</span>
        </Link>
      </td>
      <td className={styles['number']}>{size === null ? '' : formats.size(size)}</td>
      <td>
        <Author name={change.author} user={author} />
      </td>
      <td>
        <Link href={addresses.revision(change.revision)} className={styles['quietLink'] ?? ''}>
          r{change.revision}
        </Link>
      </td>
      <td className={styles['when']}>{change.date !== null && <RelativeTime at={change.date} />}</td>
    </tr>
  );
}

/** What a folder says of itself. */
function Readme({
  where,
  entry,
  revision,
}: {
  readonly where: Whereabouts;
  readonly entry: TreeEntry;
  readonly revision: number;
}) {
  const { repository } = where;
  const path = entry.path.replace(/^\//, '');
  const { data: text } = useFileText(repository.id, path, revision, (entry.size ?? 0) <= longestReadme);
  const isMarkdown = !/\.txt$/i.test(entry.name);
  const { data } = useRendered(repository.project.uri, text ?? undefined, isMarkdown ? 'commonmark' : 'text');
  if (data === undefined) return null;
  return (
    <section className={styles['readme']} aria-label={entry.name}>
      <h2 className={styles['readmeName']}>
        <Icon name="file-text" />
        {entry.name}
      </h2>
      <RichText html={data.html} className={styles['readmeText'] ?? ''} />
    </section>
  );
}

function Folder({
  where,
  pages,
}: {
  readonly where: Whereabouts;
  readonly pages: readonly { tree: SvnTree }[];
}) {
  const { svn } = useMessages();
  const entries = pages.flatMap(({ tree }) => tree.entries);
  const revision = pages[0]?.tree.revision ?? 0;
  const authors = useAuthors(entries.map(({ last_change: change }) => change.author));
  const told = entries.find(({ name, type }) => type === 'file' && readme.test(name));
  if (entries.length === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace
          icon="folder"
          name={where.path === '' && revision === 0 ? svn.emptyRepository : svn.emptyFolder}
        >
          {where.path === '' && revision === 0 ? svn.emptyRepositoryWords : undefined}
        </EmptyPlace>
        {where.path === '' && (
          <div className={styles['checkoutLine']}>
            <code>svn checkout {where.repository.svn_url}</code>
            <IconButton
              icon="copy"
              size="small"
              label={svn.copyCheckout}
              onPress={() => copyAndTell(`svn checkout ${where.repository.svn_url}`, svn.copied)}
            />
          </div>
        )}
      </div>
    );
  return (
    <>
      <div className={styles['treeRoom']}>
        <table className={styles['tree']}>
          <thead>
            <tr>
              <th scope="col">{svn.name}</th>
              <th scope="col" className={styles['number']}>
                {svn.size}
              </th>
              <th scope="col">{svn.lastChange}</th>
              <th scope="col">{svn.revision}</th>
              <th scope="col" className={styles['when']}>
                {svn.when}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Entry
                key={entry.path}
                where={where}
                entry={entry}
                author={authors.get(entry.last_change.author)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {told !== undefined && (
        <Part name="readme">
          <Readme where={where} entry={told} revision={revision} />
        </Part>
      )}
    </>
  );
}

/** `…/tree/{path}`, `…/file/{path}`: what lies at a path of a repository. */
export function BrowsePage({ where }: { readonly where: Whereabouts }) {
  const { svn, projects } = useMessages();
  const { repository, addresses, path, revision } = where;
  const { data, error, refetch, isFetching, fetchNextPage, hasNextPage } = useTree(
    repository.id,
    path,
    revision,
  );
  const [isFinding, setFinding] = useState(false);
  const navigate = useNavigate();
  const router = useRouter();
  const shown = data?.pages[0]?.tree;
  const isFile = shown?.type === 'file';
  const ways = useWays(where, isFile ? 'file' : 'tree', isFile);
  useCommands([
    { id: 'svn-find-file', name: svn.findFile, keys: 't', icon: 'search', run: () => setFinding(true) },
    {
      id: 'svn-permalink',
      name: svn.permanent,
      keys: 'y',
      icon: 'link',
      run: () => {
        if (shown === undefined) return;
        const address = `${addresses.page(isFile ? 'file' : 'tree', path, { rev: shown.revision })}${window.location.hash}`;
        router.history.replace(address);
        copyAndTell(`${window.location.origin}${address}`, svn.copied);
      },
    },
    ...(path === ''
      ? []
      : [
          {
            id: 'svn-up',
            name: svn.up,
            keys: 'arrowleft',
            icon: 'arrow-left',
            run: () => void navigate({ to: addresses.page('tree', folderOf(path), { rev: revision }) }),
          },
        ]),
  ]);
  if (shown === undefined) return <SvnWaiting where={where} page="tree" asked={{ error, refetch }} />;
  return (
    <SvnPlace where={where} page={isFile ? 'file' : 'tree'} isAsking={isFetching} fillsHeight={isFile}>
      <Tools>
        <RevisionPicker where={where} page={isFile ? 'file' : 'tree'} shown={shown.revision} />
        {!isFile && (
          <Button size="small" kind="quiet" icon="search" onPress={() => setFinding(true)}>
            {svn.findFile}
          </Button>
        )}
        <span className={styles['grow']} />
        <Ways label={svn.views} ways={ways} />
        {isFile && (
          <LinkButton
            kind="quiet"
            size="small"
            icon="download"
            href={downloadAddress(repository.id, path, shown.revision)}
            download
            target="_self"
            aria-label={svn.download}
          />
        )}
        {path === '' && repository.may_administer && (
          <LinkButton kind="quiet" size="small" icon="settings" href={addresses.settings('rules')}>
            {svn.settings}
          </LinkButton>
        )}
      </Tools>
      {isFile ? (
        <FileView where={where} file={shown} />
      ) : (
        <>
          <Folder where={where} pages={data?.pages ?? []} />
          {hasNextPage && (
            <div className={styles['pad']}>
              <Button onPress={() => void fetchNextPage()}>
                {projects.more((data?.pages[0]?.size ?? 0) - (data?.pages.length ?? 0) * 200)}
              </Button>
            </div>
          )}
          {isFetching && data === undefined && <Skeleton lines={6} />}
        </>
      )}
      {isFinding && (
        <FindFile
          where={{ ...where, path: isFile ? folderOf(path) : path }}
          onClose={() => setFinding(false)}
        />
      )}
    </SvnPlace>
  );
}
