import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ProjectList } from '../home/index.ts';
import { useMessages } from '../messages/index.ts';
import { Page } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { LinkButton, SearchField, Segmented } from '../ui/index.ts';
import styles from './projects.module.css';

/** `/projects`: all that one may see. */
export function ProjectsPage() {
  const { projects } = useMessages();
  const { user, may_create_projects: mayCreate } = useStanding();
  const { words = '', of = '', order = 'name' } = useSearch({ from: '/projects' });
  const navigate = useNavigate();
  const [size, setSize] = useState<number>();
  const change = (next: { words?: string; of?: string; order?: string }) =>
    void navigate({ to: '/projects', search: { words, of, order, ...next }, replace: true });
  return (
    <Page
      title={projects.title}
      crumbs={[{ name: projects.title }]}
      actions={
        mayCreate && (
          <LinkButton size="small" icon="plus" href="/projects/new">
            {projects.newProject}
          </LinkButton>
        )
      }
    >
      <div className={styles['filters']}>
        <SearchField
          placeholder={projects.search}
          value={words}
          onChange={(next) => change({ words: next })}
          className={styles['search'] ?? ''}
        />
        {user !== null && (
          <Segmented
            label={projects.whose}
            options={[
              { id: '', name: projects.all },
              { id: 'mine', name: projects.mine },
            ]}
            value={of}
            onChange={(id) => change({ of: id })}
          />
        )}
        <Segmented
          label={projects.order}
          options={[
            { id: 'name', name: projects.byName },
            { id: 'activity', name: projects.byActivity },
          ]}
          value={order === 'activity' ? order : 'name'}
          onChange={(id) => change({ order: id })}
        />
        <span className={styles['count']}>{size !== undefined && projects.count(size)}</span>
      </div>
      <ProjectList
        key={`${words} ${of} ${order}`}
        words={words}
        isMine={of === 'mine'}
        order={order === 'activity' ? order : 'name'}
        onSize={setSize}
      />
    </Page>
  );
}
