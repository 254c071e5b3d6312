import { Link } from '@tanstack/react-router';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Button, classes, Dialog, IconButton } from '../../ui/index.ts';
import styles from './bulk.module.css';
import { type BulkResult, type MadeChange, rowOf } from './calls.ts';

/** Artifacts of which the same is told: one group for each outcome, and for each reason to refuse. */
interface OutcomeGroup {
  readonly outcome: BulkResult['outcome'];
  readonly reason: string;
  readonly ids: readonly number[];
}

const order: readonly BulkResult['outcome'][] = ['refused', 'changed', 'unchanged'];

function groupsOf(results: readonly BulkResult[]): readonly OutcomeGroup[] {
  return order.flatMap((outcome) => {
    const some = results.filter((result) => result.outcome === outcome);
    const byReason = Map.groupBy(some, ({ error }) => error?.message ?? '');
    return [...byReason].map(([reason, alike]) => ({ outcome, reason, ids: alike.map(({ id }) => id) }));
  });
}

export const countOf = (results: readonly BulkResult[], outcome: BulkResult['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;

/** Words of groups of results: what would come of a change, or what came of it. */
type GroupWords = Readonly<Record<BulkResult['outcome'], (count: string, many: number) => string>>;

function Groups({
  results,
  words,
  opensFirst,
}: {
  readonly results: readonly BulkResult[];
  readonly words: GroupWords;
  readonly opensFirst: boolean;
}) {
  const formats = useFormats();
  return groupsOf(results).map(({ outcome, reason, ids }, place) => (
    <details
      key={`${outcome} ${reason}`}
      open={opensFirst && place === 0 && outcome === 'refused'}
      className={classes(
        styles['group'],
        outcome === 'refused' && styles['bad'],
        outcome === 'changed' && styles['good'],
      )}
    >
      <summary>
        <strong>{words[outcome](formats.number(ids.length), ids.length)}</strong>
        {reason !== '' && (
          <span className={styles['reason']} lang="en">
            {reason}
          </span>
        )}
      </summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <Link to="/artifacts/$id" params={{ id: String(id) }}>
              <span className={styles['reference']}>{rowOf(id)?.xref ?? `#${id}`}</span>
              {rowOf(id)?.title ?? ''}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  ));
}

/** How far it is; one request runs until there is an answer, and nobody knows how far. */
function Running({ words, part }: { readonly words: string; readonly part?: number | undefined }) {
  const percent = part === undefined ? undefined : Math.round(part * 100);
  return (
    <>
      <p role="status">{words}</p>
      <div
        className={styles['progress']}
        role="progressbar"
        aria-label={words}
        {...(percent === undefined ? {} : { 'aria-valuenow': percent })}
      >
        {percent === undefined ? (
          <span />
        ) : (
          <span className={styles['known']} style={{ width: `${percent}%` }} />
        )}
      </div>
    </>
  );
}

interface PreviewProps {
  readonly count: number;
  readonly wishes: readonly string[];
  /** Absent while it is found out. */
  readonly results: readonly BulkResult[] | undefined;
  readonly isChanging: boolean;
  readonly part: number | undefined;
  onClose(): void;
  onChange(): void;
}

/** What would change, stay and be refused, with the reasons, before anything is written. */
export function Preview({ count, wishes, results, isChanging, part, onClose, onChange }: PreviewProps) {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const changing = results === undefined ? 0 : countOf(results, 'changed');
  return (
    <Dialog
      title={words.previewTitle(formats.number(count), count)}
      isOpen
      onClose={onClose}
      width="medium"
      isDismissable={!isChanging}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            onPress={onChange}
            isBusy={isChanging}
            {...(results !== undefined && changing === 0
              ? { reasonNot: words.nothingChanges }
              : { isDisabled: results === undefined })}
          >
            {words.change(formats.number(changing))}
          </Button>
        </>
      }
    >
      <ul className={styles['wishes']}>
        {wishes.map((wish) => (
          <li key={wish}>{wish}</li>
        ))}
      </ul>
      {results === undefined ? (
        <Running words={words.trying} />
      ) : (
        <Groups results={results} words={words.groups} opensFirst />
      )}
      {isChanging && <Running words={words.changing(formats.number(changing), changing)} part={part} />}
    </Dialog>
  );
}

interface ResultsProps {
  readonly made: MadeChange;
  readonly canUndo: boolean;
  onUndo(): void;
  onClose(): void;
}

/** What came of it; it stays until somebody closes it. */
export function Results({ made, canUndo, onUndo, onClose }: ResultsProps) {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  const said = order
    .map((outcome) => ({ outcome, count: countOf(made.results, outcome) }))
    .filter(({ count }) => count > 0);
  return (
    <section className={styles['results']} aria-label={words.results}>
      {said.map(({ outcome, count }) => (
        <strong key={outcome} className={outcome === 'refused' ? styles['badWords'] : undefined}>
          {words.done[outcome](formats.number(count), count)}
        </strong>
      ))}
      <span className={styles['rest']} />
      {canUndo && (
        <Button size="small" icon="arrow-back-up" onPress={onUndo}>
          {words.undo}
        </Button>
      )}
      <IconButton icon="x" size="small" label={words.close} onPress={onClose} />
      <details>
        <summary>{words.details}</summary>
        <Groups results={made.results} words={words.done} opensFirst={false} />
      </details>
    </section>
  );
}

/** While a change without a preview is on its way. */
export function Changing({ words, part }: { readonly words: string; readonly part: number | undefined }) {
  return (
    <section className={styles['results']} aria-label={words}>
      <span className={styles['rest']}>
        <Running words={words} part={part} />
      </span>
    </section>
  );
}
