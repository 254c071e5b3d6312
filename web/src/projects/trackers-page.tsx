import { useParams } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import { ProjectPlace } from './project-place.tsx';
import styles from './projects.module.css';
import { TrackerList } from './tracker-list.tsx';

/** `/projects/{shortname}/trackers` */
export function ProjectTrackersPage() {
  const { name } = useParams({ from: '/projects/$name/trackers' });
  const { projects } = useMessages();
  return (
    <ProjectPlace name={name} part={projects.trackers}>
      {(project) => (
        <div className={styles['list']}>
          <TrackerList uri={project.uri} />
        </div>
      )}
    </ProjectPlace>
  );
}
