import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { startKeys } from './commands.ts';
import { useNotices, useSaid } from './notices.ts';

/** What is around every page. */
export function Frame() {
  useEffect(startKeys, []);
  const notices = useNotices();
  const said = useSaid();
  return (
    <>
      <Outlet />
      <output aria-live="polite">{said}</output>
      {notices.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </>
  );
}
