import { useParams } from '@tanstack/react-router';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { useProjectTrackers } from '../shell/index.ts';
import { EmptyDash, EmptyPlace, Icon, RelativeTime, TrackerMark, Unseen } from '../ui/index.ts';
import type { Project } from './calls.ts';
import { ProjectPlace } from './project-place.tsx';
import styles from './projects.module.css';
import { useTrackerCreation } from './tracker-creation.tsx';
import { type TreeEntry, treeOf } from './tree.ts';

function TrackerRow({ entry: { tracker, depth, parent } }: { readonly entry: TreeEntry }) {
  const { projects } = useMessages();
  const formats = useFormats();
  return (
    <tr>
      <td>
        <span className={styles['branch']} style={{ paddingLeft: depth * 20 }}>
          {depth > 0 && <Icon name="corner-down-right" size={14} />}
          <TrackerMark colour={tracker.color} />
          <Link href={`/trackers/${tracker.id}`} className={styles['trackerLink'] ?? ''}>
            {tracker.label}
          </Link>
          {parent !== undefined && <Unseen>{projects.below(parent)}</Unseen>}
        </span>
      </td>
      <td className={styles['quiet']}>{tracker.itemName}</td>
      <td className={styles['quiet']}>{tracker.description}</td>
      <td className={styles['numbers']}>
        <strong>{formats.number(tracker.openCount)}</strong>{' '}
        {projects.ofTotal(formats.number(tracker.totalCount))}
      </td>
      <td className={styles['when']}>
        {tracker.lastUpdate === null ? <EmptyDash /> : <RelativeTime at={tracker.lastUpdate} />}
      </td>
    </tr>
  );
}

function TrackerTable({ project }: { readonly project: Project }) {
  const { projects } = useMessages();
  const trackers = useProjectTrackers(project.uri);
  const { button: create, dialog } = useTrackerCreation(project.uri);
  return (
    <>
      {trackers.length === 0 ? (
        <div className={styles['pad']}>
          <EmptyPlace icon="list-details" name={projects.noTrackers} actions={create}>
            {projects.noTrackersWords}
          </EmptyPlace>
        </div>
      ) : (
        <>
          <div className={styles['filters']}>
            <span className={styles['count']}>{projects.trackerCount(trackers.length)}</span>
            {create}
          </div>
          <table className={styles['trackers']}>
            <thead>
              <tr>
                <th scope="col">{projects.newTracker.name}</th>
                <th scope="col">{projects.newTracker.itemName}</th>
                <th scope="col">{projects.create.description}</th>
                <th scope="col" className={styles['numbers']}>
                  {projects.openOnes}
                </th>
                <th scope="col" className={styles['when']}>
                  {projects.lastActivity}
                </th>
              </tr>
            </thead>
            <tbody>
              {treeOf(trackers).map((entry) => (
                <TrackerRow key={entry.tracker.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </>
      )}
      {dialog}
    </>
  );
}

/** `/projects/{shortname}/trackers` */
export function ProjectTrackersPage() {
  const { name } = useParams({ from: '/projects/$name/trackers' });
  const { projects } = useMessages();
  return (
    <ProjectPlace name={name} part={projects.trackers}>
      {(project) => <TrackerTable project={project} />}
    </ProjectPlace>
  );
}
