import type { Heartbeats } from '@atelier/client/routes';
import { Link } from 'react-aria-components';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';

/** What somebody did in a project, to follow their name. */
export function Deed({
  deed,
  subject: { reference, html_url: address, title },
}: Heartbeats['entries'][number]) {
  const { people } = useMessages();
  return (
    <>
      {people.did[deed]} <Link href={pageOf(window.location.origin, address)}>{reference}</Link> {title}
    </>
  );
}
