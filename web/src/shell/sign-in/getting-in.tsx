import { Link } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Studio } from '../studio.tsx';
import styles from './sign-in.module.css';

/** How one gets in, for those who are not: on a closed platform they see no other page of the help. */
export function GettingIn() {
  const { help, signing } = useMessages();
  return (
    <Studio title={help.pages['getting-in']}>
      <div className={styles['gettingIn']}>
        {help.gettingIn.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <div className={styles['links']}>
        <Link href="/login">{signing.backToSignIn}</Link>
      </div>
    </Studio>
  );
}
