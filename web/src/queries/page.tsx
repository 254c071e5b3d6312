import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ArtifactPanel } from '../artifact/index.ts';
import { type BuiltProjects, type BuiltQuery, builtQuery, writtenQuery } from '../kernel/built-query.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify, Page, useCommands } from '../shell/index.ts';
import { againAfter, useList, useStanding, wordsOfError } from '../store/index.ts';
import {
  Button,
  EmptyPlace,
  ErrorPlace,
  IconButton,
  LinkButton,
  Note,
  QueryEditor,
  Segmented,
  Skeleton,
} from '../ui/index.ts';
import { Builder } from './builder.tsx';
import {
  contentSource,
  type KeptQuery,
  useFirstProjects,
  useKeptQueries,
  useScopeProjects,
  useScopeTrackers,
} from './calls.ts';
import { saveAsCsv } from './export.ts';
import { crossOptions, type Knowledge, wrongPartsOf } from './help.ts';
import { KeepMenu, KeptMenu } from './kept.tsx';
import { namesIn } from './names.ts';
import styles from './queries.module.css';
import { useFreshContent } from './result.tsx';
import { ResultTable, type TableActs } from './table.tsx';

/** What one begins with: open artifacts of one's own projects, or of some that one sees. */
const beginningIn = (projects: BuiltProjects): BuiltQuery => ({
  columns: ['@pretty_title', '@status', '@assigned_to', '@last_update_date'],
  projects,
  trackers: [],
  isAny: false,
  conditions: [{ is: 'comparison', name: '@status', operator: '=', values: ['OPEN()'] }],
  order: { name: '@last_update_date', isDescending: true },
});

const mineToo = { is: 'comparison', name: '@assigned_to', operator: '=', values: ['MYSELF()'] } as const;
const lastWeek = {
  is: 'comparison',
  name: '@last_update_date',
  operator: '>=',
  values: ['NOW() - 7d'],
} as const;

/** Queries that show what can be asked. */
const examplesOf = (beginning: BuiltQuery) => ({
  open: writtenQuery(beginning),
  mine: writtenQuery({ ...beginning, conditions: [...beginning.conditions, mineToo] }),
  week: writtenQuery({ ...beginning, conditions: [lastWeek] }),
});

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** What is written, and as which parts: a condition that lacks its value is a part, and not written yet. */
interface Draft {
  readonly text: string;
  readonly built: BuiltQuery;
  /** Whether the text is more, or less, than parts can be. */
  readonly isBuilt: boolean;
}

const draftOf = (text: string, before: BuiltQuery): Draft => {
  const built = builtQuery(text);
  return { text, built: built ?? before, isBuilt: built !== undefined };
};

/** What is known of all that a query names. */
function useKnowledge({ built }: Draft, kept: KeptQuery | undefined): Knowledge {
  const messages = useMessages();
  const { memberships } = useStanding();
  const ids = useScopeProjects(built.projects, kept?.project?.id);
  const trackers = useScopeTrackers(ids);
  const projectId = ids[0] ?? memberships[0]?.project.id;
  return useMemo(() => {
    const wanted = new Set(built.trackers);
    const meant = wanted.size === 0 ? trackers : trackers.filter(({ item_name }) => wanted.has(item_name));
    return {
      trackers,
      names: namesIn(meant, messages),
      projects: memberships.map(({ project }) => ({
        name: project.shortname,
        label: project.label_without_icon,
      })),
      projectId,
      messages,
    };
  }, [trackers, built.trackers, messages, memberships, projectId]);
}

/** `/query?tql=&saved=` */
export function QueryPage() {
  const { queries } = useMessages();
  const { tql, saved, artifact } = useSearch({ from: '/query' });
  const { all, error, isAsking, askAgain } = useKeptQueries();
  const kept = all?.find(({ id }) => id === saved);
  const projects = useFirstProjects();
  const isUnknown = all !== undefined && saved !== undefined && kept === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each, since it may have been kept after the list was read.
  useEffect(() => {
    if (isUnknown) askAgain();
  }, [saved, isUnknown]);
  if (saved !== undefined && kept === undefined)
    return (
      <Page title={queries.title} crumbs={[{ name: queries.title }]}>
        <div className={styles['pad']}>
          {all === undefined || isAsking ? (
            <Skeleton lines={8} />
          ) : error === null ? (
            <EmptyPlace
              icon="search"
              name={queries.gone}
              actions={<LinkButton href="/query">{queries.begin}</LinkButton>}
            >
              {queries.goneWords}
            </EmptyPlace>
          ) : (
            <ErrorPlace words={wordsOfError(error)} />
          )}
        </div>
      </Page>
    );
  if (projects === undefined)
    return (
      <Page title={queries.title} crumbs={[{ name: queries.title }]}>
        <Skeleton lines={6} className={styles['pad'] ?? ''} />
      </Page>
    );
  return (
    <Shown
      key={saved ?? ''}
      projects={projects}
      asked={tql ?? kept?.tql_query}
      kept={kept}
      all={all ?? []}
      opened={numberIn(artifact)}
    />
  );
}

interface ShownProps {
  /** Those that are looked through unless somebody says otherwise. */
  readonly projects: BuiltProjects;
  /** The text that was run; undefined: none yet. */
  readonly asked: string | undefined;
  readonly kept: KeptQuery | undefined;
  readonly all: readonly KeptQuery[];
  readonly opened: number | undefined;
}

/** Below this width of the window an artifact is opened as a page. */
const roomForPanel = 1100;

type Sight = 'builder' | 'text';

function Shown({ projects, asked, kept, all, opened }: ShownProps) {
  const { queries } = useMessages();
  const formats = useFormats();
  const navigate = useNavigate();
  const router = useRouter();
  const table = useRef<TableActs>(null);
  const [sight, setSight] = useState<Sight>('builder');
  const [isFolded, setFolded] = useState(false);
  const beginning = useMemo(() => beginningIn(projects), [projects]);
  const [draft, setDraft] = useState<Draft>(() => draftOf(asked ?? writtenQuery(beginning), beginning));
  const [given, setGiven] = useState(asked);
  // Back, forward, and a query that was chosen from those that are kept.
  if (given !== asked) {
    setGiven(asked);
    if (asked !== undefined && asked !== draft.text) setDraft(draftOf(asked, draft.built));
  }
  const known = useKnowledge(draft, kept);
  const show = (text: string) =>
    void navigate({
      to: '/query',
      search: { saved: kept?.id, ...(text === kept?.tql_query ? {} : { tql: text }) },
      replace: asked === text,
    });
  const run = (text = draft.text) => {
    if (text.trim() !== '') show(text.trim());
  };
  const build = (built: BuiltQuery) => {
    const text = writtenQuery(built);
    setDraft({ text, built, isBuilt: true });
    if (text !== asked) show(text);
  };
  const check = useCallback(
    (text: string) => wrongPartsOf(known, text, (words) => formats.anyOf(words)),
    [known, formats],
  );
  const complete = useCallback(
    (before: string, isAsked: boolean) => crossOptions(known, before, isAsked),
    [known],
  );
  const wrong = useMemo(() => check(draft.text), [check, draft.text]);
  const told =
    wrong.find(({ from, to }) => from < to)?.words ?? (draft.text === asked ? wrong[0]?.words : undefined);
  const open = (id: number | undefined) =>
    void navigate({
      to: '/query',
      search: (before) => ({ ...before, artifact: id === undefined ? undefined : String(id) }),
      replace: opened !== undefined && id !== undefined,
    });
  const labelOf = (name: string) => known.names.find((one) => one.name === name)?.label ?? name;
  const title = kept === undefined ? queries.title : kept.title === '' ? queries.untitled : kept.title;
  useCommands([
    { id: 'query.run', name: queries.run, keys: 'mod+enter', icon: 'search', run: () => run() },
    { id: 'next-row', name: queries.nextRow, keys: 'j', isHidden: true, run: () => table.current?.step(1) },
    {
      id: 'previous-row',
      name: queries.previousRow,
      keys: 'k',
      isHidden: true,
      run: () => table.current?.step(-1),
    },
    {
      id: 'open-row',
      name: queries.openRow,
      keys: 'o',
      isHidden: true,
      run: () => table.current?.openCurrent(),
    },
  ]);
  const editor = (
    <div className={styles['text']}>
      <QueryEditor
        label={queries.text}
        placeholder={queries.placeholder}
        value={draft.text}
        onChange={(text) => {
          if (text !== draft.text) setDraft(draftOf(text, draft.built));
        }}
        onRun={() => run()}
        complete={complete}
        check={check}
        fault={told}
      />
      <div className={styles['acts']}>
        <Button kind="primary" size="small" onPress={() => run()}>
          {queries.run}
        </Button>
        <a href="/help/search" className={styles['help']}>
          {queries.help}
        </a>
      </div>
    </div>
  );
  const hasOwnProject = kept?.project !== undefined;
  return (
    <Page
      title={title}
      crumbs={
        kept === undefined
          ? [{ name: queries.title }]
          : [{ name: queries.title, to: '/query' }, { name: title }]
      }
      hasOwnPrimary
      fillsHeight
      panel={opened !== undefined && <Panel id={opened} onClose={() => open(undefined)} />}
    >
      <div className={styles['queryBar']}>
        <KeptMenu
          all={all}
          shown={kept?.id}
          onOpen={(id) => void navigate({ to: '/query', search: { saved: id } })}
        />
        <KeepMenu
          text={draft.text}
          kept={kept}
          isChanged={kept !== undefined && draft.text.trim() !== kept.tql_query}
          onKept={(id) =>
            void navigate({
              to: '/query',
              search: id === undefined ? { tql: draft.text } : { saved: id },
              replace: true,
            })
          }
          onDiscard={() => {
            if (kept === undefined) return;
            setDraft(draftOf(kept.tql_query, draft.built));
            void navigate({ to: '/query', search: { saved: kept.id } });
          }}
        />
        <IconButton
          icon={isFolded ? 'chevron-down' : 'chevron-up'}
          size="small"
          label={isFolded ? queries.unfold : queries.fold}
          aria-expanded={!isFolded}
          onPress={() => setFolded(!isFolded)}
        />
        <div className={styles['sight']}>
          <Segmented
            label={queries.sight}
            options={[
              { id: 'builder', name: queries.builder },
              { id: 'text', name: queries.text },
            ]}
            value={sight}
            onChange={(id) => setSight(id === 'text' ? 'text' : 'builder')}
          />
        </div>
      </div>
      <section className={styles['ask']} data-sight={sight} aria-label={queries.ask} hidden={isFolded}>
        <div className={styles['parts']}>
          {draft.isBuilt ? (
            <Builder built={draft.built} known={known} hasOwnProject={hasOwnProject} onChange={build} />
          ) : (
            <Note meaning="info">{queries.notBuilt}</Note>
          )}
        </div>
        {editor}
      </section>
      {asked === undefined || asked.trim() === '' ? (
        <Beginning beginning={beginning} onRun={(text) => build(builtQuery(text) ?? beginning)} />
      ) : (
        <Results
          key={asked}
          text={asked}
          kept={kept}
          title={title}
          labelOf={labelOf}
          opened={opened}
          table={table}
          onOpen={(id) =>
            window.innerWidth < roomForPanel ? router.history.push(`/artifacts/${id}`) : open(id)
          }
          onSort={
            draft.isBuilt
              ? (name) => {
                  const { order } = draft.built;
                  const isDescending = order?.name === name ? !order.isDescending : false;
                  build({ ...draft.built, order: { name, isDescending } });
                }
              : undefined
          }
        />
      )}
    </Page>
  );
}

function Panel({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { tracker } = useMessages();
  useCommands([{ id: 'query.close-panel', name: tracker.closePanel, keys: 'escape', run: onClose }]);
  return <ArtifactPanel id={id} onClose={onClose} />;
}

/** Nothing was asked yet: what this place is for, and ways to begin. */
function Beginning({ beginning, onRun }: { readonly beginning: BuiltQuery; onRun(text: string): void }) {
  const { queries } = useMessages();
  const { user } = useStanding();
  const examples = examplesOf(beginning);
  return (
    <div className={styles['pad']}>
      <EmptyPlace
        icon="search"
        name={queries.empty}
        actions={
          <>
            <Button onPress={() => onRun(examples.open)}>{queries.examples.open}</Button>
            {user !== null && (
              <Button kind="quiet" onPress={() => onRun(examples.mine)}>
                {queries.examples.mine}
              </Button>
            )}
            <Button kind="quiet" onPress={() => onRun(examples.week)}>
              {queries.examples.week}
            </Button>
          </>
        }
      >
        {queries.emptyWords}
      </EmptyPlace>
    </div>
  );
}

interface ResultsProps {
  readonly text: string;
  readonly kept: KeptQuery | undefined;
  readonly title: string;
  labelOf(name: string): string;
  readonly opened: number | undefined;
  readonly table: RefObject<TableActs | null>;
  onOpen(id: number): void;
  readonly onSort: ((name: string) => void) | undefined;
}

function Results({ text, kept, title, labelOf, opened, table, onOpen, onSort }: ResultsProps) {
  const { queries } = useMessages();
  const formats = useFormats();
  const place = useRef<HTMLDivElement>(null);
  const source = contentSource({ text, widgetId: kept?.widgetId });
  const list = useList(source);
  const fresh = useFreshContent(source, () => place.current?.matches(':hover') !== true);
  const { size } = list;
  const words = size === undefined ? '' : queries.found(formats.number(size), size);
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  if (size === undefined && list.error !== null)
    return (
      <div className={styles['pad']}>
        <ErrorPlace
          title={queries.refused}
          words={wordsOfError(list.error)}
          onRetry={againAfter(list.error, list.askAgain)}
        />
      </div>
    );
  if (size === undefined) return <Skeleton lines={8} className={styles['pad'] ?? ''} />;
  if (size === 0)
    return (
      <div className={styles['pad']}>
        <EmptyPlace icon="search" name={queries.nothing}>
          {queries.nothingWords}
        </EmptyPlace>
      </div>
    );
  return (
    <section ref={place} className={styles['result']} aria-label={queries.results}>
      <div className={styles['count']}>
        <span>{words}</span>
        {fresh !== undefined && (
          <Button kind="quiet" size="small" onPress={fresh.show}>
            {queries.showNew}
          </Button>
        )}
        <span className={styles['rest']} />
        <Export source={source} title={title} labelOf={labelOf} />
      </div>
      <ResultTable
        source={source}
        label={title}
        labelOf={labelOf}
        opened={opened}
        onOpen={onOpen}
        order={builtQuery(text)?.order}
        onSort={onSort}
        acts={table}
      />
    </section>
  );
}

function Export({
  source,
  title,
  labelOf,
}: {
  readonly source: ReturnType<typeof contentSource>;
  readonly title: string;
  labelOf(name: string): string;
}) {
  const { queries } = useMessages();
  const formats = useFormats();
  const [progress, setProgress] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const save = async () => {
    ending.current = new AbortController();
    setProgress('');
    const tell = (read: number, size: number) =>
      setProgress(queries.reading(formats.number(read), formats.number(size)));
    try {
      const headings = { id: queries.id, of: labelOf };
      const rows = await saveAsCsv(source, title, headings, tell, ending.current.signal);
      announce(queries.exported(formats.number(rows), rows));
    } catch (error) {
      if (!ending.current.signal.aborted) notify({ text: wordsOfError(error), kind: 'bad' });
    }
    setProgress(undefined);
  };
  return progress === undefined ? (
    <Button kind="quiet" size="small" icon="download" onPress={save}>
      {queries.export}
    </Button>
  ) : (
    <>
      <span>{progress}</span>
      <Button kind="quiet" size="small" icon="x" onPress={() => ending.current?.abort()}>
        {queries.stop}
      </Button>
    </>
  );
}
