import { useMessages } from '../messages/index.ts';
import { Page } from '../shell/index.ts';
import styles from './home.module.css';
import { ProjectList } from './project-list.tsx';

/** What somebody without an account finds here: the projects that are open to everybody. */
export function VisitorsHome() {
  const { home } = useMessages();
  return (
    <Page title={home.publicProjects} crumbs={[{ name: home.publicProjects }]}>
      <div className={styles['visitors']}>
        <p className={styles['faint']}>{home.publicWords}</p>
      </div>
      <ProjectList words="" isMine={false} order="activity" />
    </Page>
  );
}
