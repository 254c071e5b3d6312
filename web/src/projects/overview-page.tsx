import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Link } from 'react-aria-components';
import { Activity } from '../home/index.ts';
import { whoSees } from '../kernel/project-access.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, Part, personOf, tellFault, useKnownTrackers, WaitingPlace } from '../shell/index.ts';
import { setFavorite, useAbout, useFavorites, useList, useStanding } from '../store/index.ts';
import { copyText, EmptyPlace, Face, Icon, IconButton, LinkButton, later } from '../ui/index.ts';
import { membersSource, type Project, useHeartbeats, useRepositories } from './calls.ts';
import { DemoActs } from './demo-acts.tsx';
import { HeaderPicture } from './header-picture.tsx';
import { ProjectPlace } from './project-place.tsx';
import styles from './projects.module.css';
import { useMayBuild, useTrackerCreation } from './tracker-creation.tsx';
import { TrackerList } from './tracker-list.tsx';

function Star({ uri }: { readonly uri: string }) {
  const { projects } = useMessages();
  const { user } = useStanding();
  const favorites = useFavorites();
  if (user === null) return null;
  const isStarred = favorites.some((favorite) => favorite.uri === uri);
  const toggle = () => void setFavorite(uri, !isStarred).catch(tellFault);
  return (
    <IconButton
      icon={isStarred ? 'star-filled' : 'star'}
      label={isStarred ? projects.unstar : projects.star}
      size="small"
      onPress={toggle}
    />
  );
}

function Facts({ project }: { readonly project: Project }) {
  const { projects } = useMessages();
  const members = useList(membersSource(project.uri, ''));
  const accesses: Readonly<Record<string, string>> = projects.accesses;
  const mode = useAbout()?.access_mode;
  const isPrivate = project.access.startsWith('private');
  return (
    <ul className={styles['facts']}>
      <li>
        <Icon name={isPrivate ? 'lock' : 'world'} />
        {accesses[whoSees(project.access, mode)] ?? project.access}
      </li>
      {members.size !== undefined && (
        <li>
          <Icon name="users" />
          {projects.memberCount(members.size)}
        </li>
      )}
      {project.additional_fields.map(({ name, value }) =>
        value === '' ? null : (
          <li key={name}>
            {name}: {value}
          </li>
        ),
      )}
    </ul>
  );
}

function Trackers({ project: { uri, shortname } }: { readonly project: Project }) {
  const { projects } = useMessages();
  const trackers = useKnownTrackers(uri);
  const { button, dialog } = useTrackerCreation(uri);
  return (
    <section className={styles['section']}>
      <div className={styles['sectionHead']}>
        <h2 className={styles['sectionName']}>
          <Link href={`/projects/${shortname}/trackers`}>{projects.trackers}</Link>{' '}
          <span>{trackers?.length}</span>
        </h2>
        {trackers?.length ? button : null}
      </div>
      <TrackerList uri={uri} create={button} />
      {dialog}
    </section>
  );
}

/** Where there is none, those who may make one are led to where it is made. */
function Repositories({ project: { uri, shortname } }: { readonly project: Project }) {
  const { projects } = useMessages();
  const { data } = useRepositories(uri);
  const mayBuild = useMayBuild(uri);
  if (data === undefined || (data.length === 0 && !mayBuild)) return null;
  const copy = (address: string) =>
    void copyText(`svn checkout ${address}`).then(() => announce(projects.checkoutCopied));
  return (
    <section className={styles['section']}>
      <h2 className={styles['sectionName']}>
        <Link href={`/projects/${shortname}/svn`}>{projects.repositories}</Link> <span>{data.length}</span>
      </h2>
      {data.length === 0 && (
        <EmptyPlace
          icon="folder-code"
          name={projects.noRepositories}
          actions={<LinkButton href={`/projects/${shortname}/svn`}>{projects.newRepository}</LinkButton>}
        >
          {projects.noRepositoriesWords}
        </EmptyPlace>
      )}
      <ul>
        {data.map(({ id, name, project, svn_url: address }) => (
          <li key={id} className={styles['repository']}>
            <Icon name="folder-code" />
            <Link href={`/projects/${project.shortname}/svn/${name}`} className={styles['trackerName'] ?? ''}>
              {name}
            </Link>
            <code className={styles['trackerWords']}>{address}</code>
            <IconButton icon="copy" size="small" label={projects.checkout} onPress={() => copy(address)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const mostFaces = 12;

function Members({ project }: { readonly project: Project }) {
  const { projects } = useMessages();
  const formats = useFormats();
  const list = useList(membersSource(project.uri, ''));
  const all = Array.from({ length: Math.min(list.size ?? 0, 100) }, (_, index) => list.itemAt(index)).filter(
    (member) => member !== undefined,
  );
  const administrators = all
    .filter((member) => member.is_administrator)
    .map(({ user }) => personOf(user).name);
  const more = (list.size ?? 0) - mostFaces;
  return (
    <section className={styles['aside']}>
      <div className={styles['asideHead']}>
        <h2 className={styles['sectionName']}>
          {projects.members} {list.size !== undefined && <span>{list.size}</span>}
        </h2>
        <Link href={`/projects/${project.shortname}/members`} className={styles['quietLink'] ?? ''}>
          {projects.allMembers}
        </Link>
      </div>
      <ul className={styles['faces']}>
        {all.slice(0, mostFaces).map(({ user }) => (
          <li key={user.id}>
            <Link href={`/users/${user.username}`}>
              <Face {...personOf(user)} size={28} isNamed />
            </Link>
          </li>
        ))}
        {more > 0 && <li className={styles['faint']}>{projects.more(more)}</li>}
      </ul>
      {administrators.length > 0 && (
        <p className={styles['small']}>{projects.administrators(formats.list(administrators))}</p>
      )}
    </section>
  );
}

function LastHere({ uri }: { readonly uri: string }) {
  const { projects } = useMessages();
  const asked = useHeartbeats(uri);
  const { data } = asked;
  return (
    <section className={styles['aside']}>
      <h2 className={styles['sectionName']}>{projects.activity}</h2>
      <WaitingPlace asked={asked} lines={6} />
      {data?.entries.length === 0 && <p className={styles['faint']}>{projects.noActivity}</p>}
      <Activity entries={data?.entries.slice(0, 12) ?? []} isNarrow />
      {data?.are_there_activities_user_cannot_see === true && (
        <p className={styles['hidden']}>
          <Icon name="lock" size={14} />
          {projects.hidden}
        </p>
      )}
    </section>
  );
}

const dashboardRoom = later(() => import('../dashboards/index.ts'));

/** The dashboard that the project shows first. */
function FirstDashboard({ uri }: { readonly uri: string }) {
  const { DefaultDashboard } = dashboardRoom.use();
  return <DefaultDashboard project={uri} />;
}

/** `/projects/{shortname}` */
export function ProjectPage() {
  const { name } = useParams({ from: '/projects/$name' });
  const { projects } = useMessages();
  return (
    <ProjectPlace name={name} hasOwnHeading actions={<StarOf name={name} />}>
      {(project) => (
        <>
          {project.header_background !== undefined && (
            <HeaderPicture name={project.header_background} className={styles['headerPicture']} />
          )}
          <div className={styles['overview']}>
            <div className={styles['column']}>
              <h1 className={styles['title']}>{project.label_without_icon}</h1>
              <p className={styles['prose']}>
                {project.description === '' ? projects.noDescription : project.description}
              </p>
              <Facts project={project} />
              <DemoActs uri={project.uri} />
              <Part name="trackers">
                <Trackers project={project} />
              </Part>
              <Part name="repositories">
                <Repositories project={project} />
              </Part>
              <Part name="dashboard">
                <Suspense>
                  <FirstDashboard uri={project.uri} />
                </Suspense>
              </Part>
            </div>
            <div className={styles['strip']}>
              <Part name="members">
                <Members project={project} />
              </Part>
              <Part name="activity">
                <LastHere uri={project.uri} />
              </Part>
            </div>
          </div>
        </>
      )}
    </ProjectPlace>
  );
}

function StarOf({ name }: { readonly name: string }) {
  const { memberships } = useStanding();
  const uri = memberships.find(({ project }) => project.shortname === name)?.project.uri;
  return uri === undefined ? null : <Star uri={uri} />;
}
