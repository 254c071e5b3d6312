import { useParams } from '@tanstack/react-router';
import { Link } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { Outline, Page, ProblemPage, personOf } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { Face, Icon, LinkButton } from '../ui/index.ts';
import { usePersonNamed } from './calls.ts';
import styles from './people.module.css';

/** `/users/{name}` */
export function PersonPage() {
  const { name } = useParams({ from: '/users/$name' });
  const { people } = useMessages();
  const { user: me, memberships } = useStanding();
  const { data: user, error, refetch } = usePersonNamed(name);
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
        {isMe && memberships.length > 0 && (
          <ul className={styles['projects']}>
            {memberships.map(({ project }) => (
              <li key={project.id}>
                <Link href={`/projects/${project.shortname}`}>{project.label_without_icon}</Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}
