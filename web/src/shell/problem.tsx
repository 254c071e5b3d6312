import { ApiError } from '@atelier/client';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { artifactFacet, knownThing, useProject, useStanding } from '../store/index.ts';
import { Button, Face, Icon, type IconName, LinkButton, RequestId } from '../ui/index.ts';
import { useAdministrators, useKnownTrackers } from './calls.ts';
import { useCountdown } from './countdown.ts';
import { Page } from './page.tsx';
import { personOf } from './people.ts';
import { useLastProject } from './place.ts';
import styles from './problem.module.css';
import { Studio } from './studio.tsx';

interface Told {
  readonly status: string;
  readonly icon: IconName;
  readonly crumb: string;
  readonly title: string;
  readonly words: ReactNode;
}

/** `Not Found: There is no …` without what the page says itself. */
const withoutPhrase = (message: string) => message.replace(/^[A-Z][A-Za-z ]+: /, '');

/** Browsers and the loader of parts say in words alone that a part of the application could not be had. */
const isPartMissing = ({ message }: Error) =>
  /^Unable to preload|dynamically imported module|Importing a module/i.test(message);

/** What was not loaded once is not asked for again by the same document: a new one does, as soon as there is a network. */
function useAskAgain({ error, askAgain }: ProblemProps): (() => void) | undefined {
  const isMissing = isPartMissing(error);
  useEffect(() => {
    if (!isMissing) return undefined;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [isMissing]);
  return isMissing ? reload : askAgain;
}

const reload = () => window.location.reload();

function useTold(error: Error): Told {
  const { problem } = useMessages();
  const { user } = useStanding();
  const name = user?.real_name ?? user?.display_name;
  const status = error instanceof ApiError ? error.status : 0;
  const words = <span lang="en">{withoutPhrase(error.message)}</span>;
  // Visitors are refused by either.
  if (status === 401 || status === 403)
    return {
      status: String(status),
      icon: 'lock',
      crumb: problem.noAccess,
      title: problem.forbidden,
      words: name === undefined ? problem.forbiddenVisitor : problem.forbiddenWords(name),
    };
  if (status === 404 || status === 410)
    return {
      status: String(status),
      icon: 'search',
      crumb: problem.pageOfAddress,
      title: problem.notFound,
      words: problem.notFoundWords,
    };
  if (status === 429)
    return { status: '429', icon: 'clock', crumb: problem.tooMany, title: problem.tooMany, words };
  if (status === 503)
    return { status: '503', icon: 'clock', crumb: problem.busy, title: problem.busy, words };
  if (status === 0 && (error instanceof TypeError || isPartMissing(error)))
    return {
      status: '',
      icon: 'cloud-off',
      crumb: problem.away,
      title: problem.away,
      words: problem.awayWords,
    };
  return {
    status: status === 0 ? '' : String(status),
    icon: 'alert-circle',
    crumb: problem.somethingWrong,
    title: problem.failed,
    words,
  };
}

/** Says when it is tried again, and does so. */
function Again({ seconds, askAgain }: { readonly seconds: number; askAgain(): void }) {
  const { problem } = useMessages();
  const [left, begin] = useCountdown();
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once.
  useEffect(() => {
    begin(seconds);
    const timer = setTimeout(askAgain, seconds * 1000);
    return () => clearTimeout(timer);
  }, []);
  return <p>{problem.again(left)}</p>;
}

/** The project that a refused address belongs to, as far as it is known: where one comes from may be another one. */
function useRefusedProject(): string | undefined {
  const { pathname } = useRouter().state.location;
  const last = useLastProject();
  const { thing: project } = useProject(last);
  const trackers = useKnownTrackers(last);
  const [, room, name = ''] = pathname.split('/');
  if (room === 'artifacts') return knownThing(`artifacts/${name}`, artifactFacet)?.body.project.uri;
  const isOfLast =
    room === 'trackers'
      ? trackers?.some(({ id }) => String(id) === name)
      : room === 'projects' && (project?.shortname === name || last === `projects/${name}`);
  return isOfLast ? last : undefined;
}

/** Who can let somebody in: those who administer the project. */
function LetIn() {
  const { problem } = useMessages();
  const uri = useRefusedProject();
  const { thing: project } = useProject(uri);
  const administrators = useAdministrators(uri);
  if (project === undefined || administrators.length === 0) return null;
  return (
    <section aria-label={problem.letIn} className={styles['letIn']}>
      <h2>{problem.letIn}</h2>
      <ul>
        {administrators.slice(0, 5).map((user) => {
          const person = personOf(user);
          return (
            <li key={person.id}>
              <Face {...person} size={24} />
              <LinkButton kind="quiet" href={`/users/${user.username}`}>
                {person.name}
              </LinkButton>
              <span>{problem.administratorOf(project.label_without_icon)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export interface ProblemProps {
  readonly error: Error;
  askAgain?(): void;
  /** Ways on that only this place knows. */
  readonly children?: ReactNode;
}

/** What went wrong with a whole page, and the ways on. */
export function Problem(props: ProblemProps) {
  const { error, children } = props;
  const askAgain = useAskAgain(props);
  const { shell, ui, problem } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const { user } = useStanding();
  const told = useTold(error);
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const isRefused = error instanceof ApiError && (error.status === 403 || error.status === 401);
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 410);
  const signIn = `/login?return_to=${encodeURIComponent(router.state.location.href)}`;
  return (
    <div className={styles['problem']}>
      <p className={styles['status']}>
        <Icon name={told.icon} size={14} />
        {told.status}
      </p>
      <h1 className={styles['title']}>{told.title}</h1>
      <p className={styles['words']}>{told.words}</p>
      {retryAfter !== undefined && askAgain !== undefined && (
        <Again seconds={retryAfter} askAgain={askAgain} />
      )}
      {isRefused && <LetIn />}
      {children}
      <div className={styles['ways']}>
        {askAgain !== undefined && !isRefused && !isGone && <Button onPress={askAgain}>{ui.tryAgain}</Button>}
        <Button icon="arrow-left" onPress={() => router.history.back()}>
          {shell.back}
        </Button>
        <LinkButton href="/">{user === null ? shell.projects : shell.myWork}</LinkButton>
        {isRefused && (
          <LinkButton kind="quiet" href={signIn}>
            {user === null ? shell.signIn : problem.signInAs}
          </LinkButton>
        )}
      </div>
      {requestId !== undefined && (
        <footer className={styles['foot']}>
          <RequestId id={requestId} />
          <span>{formats.moment(deviceMoment(Date.now()))}</span>
        </footer>
      )}
    </div>
  );
}

/** A page that could not be shown. */
export function ProblemPage(props: ProblemProps) {
  const { crumb } = useTold(props.error);
  return (
    <Page title={crumb} crumbs={[{ name: crumb }]} hasOwnHeading>
      <Problem {...props} />
    </Page>
  );
}

/** Nothing can be shown at all: the server is away, or has no place for whoever asks. */
export function ProblemOfAll(props: ProblemProps) {
  const { crumb } = useTold(props.error);
  return (
    <Studio title={crumb}>
      <Problem {...props} />
    </Studio>
  );
}
