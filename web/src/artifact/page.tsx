import { useParams, useRouter } from '@tanstack/react-router';
import { useFormats, useMessages } from '../messages/index.ts';
import { KeysWait, Page, ProblemPage, useCommands, useFollowedPlace } from '../shell/index.ts';
import { IconButton, Skeleton } from '../ui/index.ts';
import styles from './artifact.module.css';
import { ArtifactBody, useLayout } from './body.tsx';
import { useArtifactCommands } from './keys.ts';
import { addressOf, copy, MoreMenu } from './more.tsx';
import { type SeenArtifact, useSeenArtifact } from './seen.ts';
import { WatchMenu } from './watch.tsx';

/** `/artifacts/{id}`. */
export function ArtifactPage() {
  const { id } = useParams({ from: '/artifacts/$id' });
  return <ArtifactOf key={id} id={Number(id)} />;
}

function ArtifactOf({ id }: { readonly id: number }) {
  const { artifact: words } = useMessages();
  const router = useRouter();
  const { seen, pending, error, isGone, isAsking, askAgain } = useSeenArtifact(id);
  if (seen === undefined && error) return <ProblemPage error={error} askAgain={askAgain} />;
  if (seen === undefined)
    return (
      <Page title={`#${id}`} crumbs={[{ name: `#${id}` }]}>
        <KeysWait />
        <div className={styles['artifact']}>
          <div className={styles['middle']}>
            <Skeleton lines={8} />
          </div>
        </div>
      </Page>
    );
  const { artifact, tracker } = seen;
  const leave = () => router.history.push(`/trackers/${tracker.id}`);
  return (
    <Page
      title={words.title(artifact.xref, artifact.title ?? '')}
      crumbs={[
        { name: artifact.project.label, to: `/projects/${artifact.project.id}` },
        { name: tracker.label, to: `/trackers/${tracker.id}`, color: tracker.color_name },
        { name: artifact.xref },
      ]}
      hasOwnHeading
      place={{ project: artifact.project.uri, tracker: tracker.uri }}
      isAsking={isAsking}
      actions={
        <>
          <Pager uri={artifact.uri} />
          <span className={styles['barActs']}>
            <WatchMenu id={artifact.id} />
            <IconButton
              icon="copy"
              label={words.copyAddress}
              keys="y"
              onPress={() => copy(addressOf(seen), words.copied)}
            />
          </span>
          <MoreMenu seen={seen} onGone={leave} />
        </>
      }
    >
      <Commands seen={seen} />
      <ArtifactBody seen={seen} pending={pending} isGone={isGone} />
    </Page>
  );
}

/** The next and the previous one of the list that it was opened from; Back still leads to the list. */
function Pager({ uri }: { readonly uri: string }) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const found = useFollowedPlace(uri);
  const going = (to: string | undefined) =>
    to === undefined ? undefined : () => router.history.replace(`/${to}`);
  const [previous, next] = [going(found?.previous), going(found?.next)];
  useCommands([
    ...(next ? [{ id: 'artifact.next', name: words.next, keys: 'shift+j', run: next }] : []),
    ...(previous ? [{ id: 'artifact.previous', name: words.previous, keys: 'shift+k', run: previous }] : []),
  ]);
  if (found === undefined) return null;
  return (
    <span className={styles['pager']}>
      <IconButton
        icon="chevron-left"
        size="small"
        label={words.previous}
        keys="Shift k"
        isDisabled={!previous}
        onPress={() => previous?.()}
      />
      <span className={styles['second']}>
        {words.nOfM(formats.number(found.place + 1), formats.number(found.size))}
      </span>
      <IconButton
        icon="chevron-right"
        size="small"
        label={words.next}
        keys="Shift j"
        isDisabled={!next}
        onPress={() => next?.()}
      />
    </span>
  );
}

function Commands({ seen }: { readonly seen: SeenArtifact }) {
  useArtifactCommands(seen, useLayout(seen));
  return null;
}
