import { personOf } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Dialog, ErrorPlace, RichText, Skeleton } from '../ui/index.ts';
import styles from './artifact.module.css';
import { useCommentVersions } from './calls.ts';

/** What a comment was before it was edited, the newest first. */
export function CommentVersions({
  artifactId,
  changesetId,
  onClose,
}: {
  readonly artifactId: number;
  readonly changesetId: number;
  readonly onClose: () => void;
}) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const { versions, error } = useCommentVersions(artifactId, changesetId);
  return (
    <Dialog title={words.commentVersions} isOpen onClose={onClose} width="medium">
      {error && <ErrorPlace words={wordsOfError(error)} />}
      {versions === undefined && !error && <Skeleton lines={4} />}
      <ol className={styles['versions']}>
        {versions?.map(({ version, submitted_by_details: author, submitted_on: at, ...comment }) => (
          <li key={version}>
            <h3 className={styles['label']}>
              {words.commentVersion(
                version,
                author ? personOf(author).name : (comment.email ?? ''),
                formats.moment(at),
              )}
            </h3>
            <RichText html={comment.post_processed_body} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
