import type { Tracker } from '@atelier/client/routes';
import { shapeOf } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { openCreation } from '../shell/index.ts';
import { Button, EmptyPlace, LinkButton } from '../ui/index.ts';
import { useFiltersInWords } from './filter-bar.tsx';
import styles from './page.module.css';
import { isNarrowed, unreadableFilters, type View } from './view.ts';

/** Nobody created anything yet, or nobody could. */
function EmptyTracker({ tracker }: { readonly tracker: Tracker }) {
  const { tracker: words, nothing } = useMessages();
  const hasFields = tracker.fields.some((field) => shapeOf(field) === undefined);
  return (
    <div className={styles['state']}>
      {hasFields ? (
        <EmptyPlace
          icon="list-details"
          name={nothing.emptyName(tracker.label)}
          actions={
            tracker.may_submit === true && (
              <>
                <Button icon="plus" onPress={() => openCreation({ tracker: tracker.uri })}>
                  {nothing.createFirst}
                </Button>
                <LinkButton kind="quiet" icon="upload" href={`/trackers/${tracker.id}/import`}>
                  {words.importCsv}
                </LinkButton>
              </>
            )
          }
        >
          {tracker.description || nothing.emptyText}
        </EmptyPlace>
      ) : (
        <EmptyPlace
          icon="list-details"
          name={nothing.noFields}
          actions={
            tracker.is_administrator && (
              <LinkButton href={`/trackers/${tracker.id}/admin/form`}>{nothing.buildForm}</LinkButton>
            )
          }
        >
          {tracker.is_administrator === true ? nothing.noFieldsAdmin : nothing.noFieldsText}
        </EmptyPlace>
      )}
    </div>
  );
}

export interface NothingProps {
  readonly tracker: Tracker;
  readonly view: View;
  readonly onChange: (change: Partial<View>) => void;
}

/** Nothing is there: nobody created anything, nothing has what is looked for, or nobody can tell what that is. */
export function Nothing({ tracker, view, onChange }: NothingProps) {
  const { tracker: words, nothing } = useMessages();
  const wrong = unreadableFilters(tracker, view.filters);
  const said = useFiltersInWords(tracker, wrong.length > 0 ? wrong : view.filters);
  if (wrong.length > 0)
    return (
      <div className={styles['state']}>
        <EmptyPlace
          icon="alert-circle"
          name={nothing.wrongFilter}
          actions={
            <Button
              onPress={() => onChange({ filters: view.filters.filter((filter) => !wrong.includes(filter)) })}
            >
              {nothing.removeFilter}
            </Button>
          }
        >
          {nothing.wrongFilterText(said)}
        </EmptyPlace>
      </div>
    );
  if (!isNarrowed(view)) return <EmptyTracker tracker={tracker} />;
  const isWords = view.query !== '' || view.words !== '' || said === '';
  return (
    <div className={styles['state']}>
      <EmptyPlace
        icon="search"
        name={nothing.nothingMatches}
        actions={
          <Button onPress={() => onChange({ filters: [], query: '', words: '' })}>
            {words.clearFilters}
          </Button>
        }
      >
        {isWords ? nothing.nothingMatchesWords : nothing.nothingMatchesText(said)}
      </EmptyPlace>
    </div>
  );
}
