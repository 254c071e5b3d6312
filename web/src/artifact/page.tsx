import { useParams, useRouter } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import { Page, ProblemPage } from '../shell/index.ts';
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
  const { seen, pending, error, isAsking, askAgain } = useSeenArtifact(id);
  if (seen === undefined && error) return <ProblemPage error={error} askAgain={askAgain} />;
  if (seen === undefined)
    return (
      <Page title={`#${id}`} crumbs={[{ name: `#${id}` }]}>
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
      <ArtifactBody seen={seen} pending={pending} />
    </Page>
  );
}

function Commands({ seen }: { readonly seen: SeenArtifact }) {
  useArtifactCommands(seen, useLayout(seen));
  return null;
}
