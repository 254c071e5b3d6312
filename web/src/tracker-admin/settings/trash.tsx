import type { Tracker } from '@atelier/client/routes';
import { shortName } from '../../fields/index.ts';
import { useMessages } from '../../messages/index.ts';
import { notify, Problem, tellFault } from '../../shell/index.ts';
import { Button, EmptyPlace, RelativeTime, Skeleton } from '../../ui/index.ts';
import { bringArtifactBack, type DeletedArtifact, useDeletedArtifacts } from './calls.ts';
import styles from './settings.module.css';
import { Sheet } from './sheet.tsx';

/** `trash`: deleted artifacts, each with a way back. */
export function TrashPage({ tracker }: { readonly tracker: Tracker }) {
  const { trash: words } = useMessages().trackerAdmin;
  const { data, error, refetch } = useDeletedArtifacts(tracker.id);
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={6} className={styles['sheet'] ?? ''} />
    ) : (
      <Problem error={error} askAgain={() => void refetch()} />
    );
  const restore = async ({ id, xref }: DeletedArtifact) => {
    try {
      await bringArtifactBack(tracker.id, id);
      notify({ text: words.restored(xref) });
    } catch (refused) {
      tellFault(refused);
    }
  };
  if (data.artifacts.length === 0)
    return (
      <div className={styles['sheet']}>
        <EmptyPlace icon="trash" name={words.empty}>
          {words.emptyWords}
        </EmptyPlace>
      </div>
    );
  return (
    <Sheet words={words.count(data.size)}>
      <table className={styles['deleted']}>
        <thead>
          <tr>
            <th scope="col">{words.artifact}</th>
            <th scope="col">{words.by}</th>
            <th scope="col">{words.on}</th>
            <th scope="col">{words.acts}</th>
          </tr>
        </thead>
        <tbody>
          {data.artifacts.map((artifact) => (
            <tr key={artifact.id}>
              <td>
                <span className={styles['second']}>{artifact.xref}</span> {artifact.title}
              </td>
              <td data-label={words.by}>{shortName(artifact.deleted_by.display_name)}</td>
              <td data-label={words.on}>
                <RelativeTime at={artifact.deleted_on} />
              </td>
              <td>
                <Button
                  size="small"
                  aria-label={words.restoreNamed(artifact.xref)}
                  onPress={() => restore(artifact)}
                >
                  {words.restore}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
