import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Link } from 'react-aria-components';
import { safeReturn } from '../../kernel/addresses.ts';
import { useMessages } from '../../messages/index.ts';
import { useAbout, useSession } from '../../store/index.ts';
import { Studio } from '../studio.tsx';
import { SignInForm } from './form.tsx';
import styles from './sign-in.module.css';

/** The form on its own: on `/login`, and at every address of a closed platform. */
export function SignIn({ onSignedIn }: { onSignedIn(): void }) {
  const { signing: words } = useMessages();
  const about = useAbout();
  return (
    <Studio title={words.title}>
      <SignInForm onSignedIn={onSignedIn}>
        <div className={styles['links']}>
          {about?.has_mail === true ? (
            <Link href="/password/lost">{words.forgot}</Link>
          ) : (
            <p>{words.askForLink}</p>
          )}
          <Link href="/help/getting-in">{words.howToGetIn}</Link>
          {about?.access_mode === 'anonymous' && <Link href="/">{words.lookAround}</Link>}
        </div>
      </SignInForm>
    </Studio>
  );
}

/** `/login?return_to=`: whoever is signed in already is led on. */
export function SignInPage() {
  const { return_to: to } = useSearch({ from: '/login' });
  const router = useRouter();
  const session = useSession();
  const isSignedIn = session.kind === 'known' && session.standing.user !== null;
  const goOn = () => router.history.replace(safeReturn(to));
  // biome-ignore lint/correctness/useExhaustiveDependencies: led on once, when it is known.
  useEffect(() => {
    if (isSignedIn) goOn();
  }, [isSignedIn]);
  return isSignedIn ? null : <SignIn onSignedIn={goOn} />;
}

/** Where a page of a closed platform would be: after signing in it is there. */
export function SignInHere() {
  const navigate = useNavigate();
  return <SignIn onSignedIn={() => void navigate({ to: '.', search: true })} />;
}
