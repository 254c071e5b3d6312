import { useParams } from '@tanstack/react-router';
import { Link } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { Outline, Page, ProblemPage, personOf } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { Face, Icon, LinkButton } from '../ui/index.ts';
import { usePersonNamed, useProjectsInCommon } from './calls.ts';
import styles from './people.module.css';

/** `/users/{name}` */
export function PersonPage() {
  const { name } = useParams({ from: '/users/$name' });
  const { people } = useMessages();
  const { user: me } = useStanding();
  const { data: user, error, refetch } = usePersonNamed(name);
  const inCommon = useProjectsInCommon(user);
  if (user === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={() => void refetch()} />;
  const person = personOf(user);
  const isMe = user.id === me?.id;
  return (
    <Page title={person.name} crumbs={[{ name: person.name }]} hasOwnHeading>
      <div className={styles['person']}>
        <div className={styles['head']}>
          <Face {...person} size={40} />
          <div>
            <h1 className={styles['name']}>{person.name}</h1>
            <p className={styles['faint']}>{user.username}</p>
          </div>
        </div>
        {user.email !== undefined && user.email !== null && (
          <p className={styles['mail']}>
            <Icon name="mail" />
            <a href={`mailto:${user.email}`}>{user.email}</a>
          </p>
        )}
        {isMe ? (
          <section>
            <p className={styles['faint']}>{people.itsYou}</p>
            <LinkButton href="/account/profile">{people.yourAccount}</LinkButton>
          </section>
        ) : null}
        <section>
          <h2 className={styles['sectionName']}>{people.inCommon}</h2>
          {inCommon.length === 0 && <p className={styles['faint']}>{people.noneInCommon}</p>}
          <ul className={styles['projects']}>
            {inCommon.map((project) => (
              <li key={project.id}>
                <Link href={`/projects/${project.shortname}`}>{project.label_without_icon}</Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}
