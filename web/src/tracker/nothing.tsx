import type { Tracker } from '@atelier/client/routes';
import { shapeOf } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { openCreation } from '../shell/index.ts';
import { Button, EmptyPlace, LinkButton } from '../ui/index.ts';
import { useFiltersInWords } from './filter-bar.tsx';
import styles from './page.module.css';
import { isNarrowed, type View } from './view.ts';

/** Nobody created anything yet, or nobody could. */
function EmptyTracker({ tracker }: { readonly tracker: Tracker }) {
  const { tracker: words } = useMessages();
  const hasFields = tracker.fields.some((field) => shapeOf(field) === undefined);
  return (
    <div className={styles['state']}>
      {hasFields ? (
        <EmptyPlace
          icon="list-details"
          name={words.emptyName(tracker.label)}
          actions={
            tracker.may_submit === true && (
              <>
                <Button icon="plus" onPress={() => openCreation({ tracker: tracker.uri })}>
                  {words.createFirst}
                </Button>
                <LinkButton kind="quiet" icon="upload" href={`/trackers/${tracker.id}/import`}>
                  {words.importCsv}
                </LinkButton>
              </>
            )
          }
        >
          {tracker.description || words.emptyText}
        </EmptyPlace>
      ) : (
        <EmptyPlace
          icon="list-details"
          name={words.noFields}
          actions={
            tracker.is_administrator && (
              <LinkButton href={`/trackers/${tracker.id}/admin/form`}>{words.buildForm}</LinkButton>
            )
          }
        >
          {tracker.is_administrator === true ? words.noFieldsAdmin : words.noFieldsText}
        </EmptyPlace>
      )}
    </div>
  );
}

export interface NothingProps {
  readonly tracker: Tracker;
  readonly view: View;
  readonly onClear: () => void;
}

/** Nothing is there: nobody created anything, or nothing has what is looked for. */
export function Nothing({ tracker, view, onClear }: NothingProps) {
  const { tracker: words } = useMessages();
  const said = useFiltersInWords(tracker, view.filters);
  if (!isNarrowed(view)) return <EmptyTracker tracker={tracker} />;
  const isWords = view.query !== '' || view.words !== '' || said === '';
  return (
    <div className={styles['state']}>
      <EmptyPlace
        icon="search"
        name={words.nothingMatches}
        actions={<Button onPress={onClear}>{words.clearFilters}</Button>}
      >
        {isWords ? words.nothingMatchesWords : words.nothingMatchesText(said)}
      </EmptyPlace>
    </div>
  );
}
