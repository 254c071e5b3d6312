import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button, IconButton } from '../ui/index.ts';
import { useFirstArtifact, useKnownTrackers } from './calls.ts';
import { useCommands } from './commands.ts';
import styles from './tour.module.css';
import { goToTourStep, leadsTo, leaveTour, tourLength, useDemo } from './tour-state.ts';

/** Where each step is seen; undefined while that is not known. */
function usePlaces(project: string | undefined, shortname: string): readonly (string | undefined)[] {
  const tracker = useKnownTrackers(project)?.find(({ itemName }) => itemName === 'bug');
  const artifact = useFirstArtifact(tracker?.id);
  const table = tracker === undefined ? undefined : `/trackers/${tracker.id}`;
  return [
    `/projects/${shortname}`,
    table,
    table === undefined ? undefined : `${table}?view=board`,
    artifact === undefined ? undefined : `/artifacts/${artifact}`,
    '/help',
  ];
}

/** One hint at a time, beside the page that it is about: the page can be used meanwhile, and the tour left. */
export function Tour({ step }: { readonly step: number }) {
  const { tour } = useMessages().welcome;
  const demo = useDemo();
  const places = usePlaces(demo?.uri, demo?.shortname ?? '');
  const navigate = useNavigate();
  const [title = '', words = ''] = tour.steps[step - 1] ?? [];
  const shown = useRef<string>(undefined);
  const place = places[step - 1];
  // Each step leads to its page once; where somebody goes from there is theirs.
  useEffect(() => {
    if (place === undefined || shown.current === place) return;
    shown.current = place;
    if (leadsTo(step)) void navigate({ to: place });
  }, [place, step, navigate]);
  useCommands([{ id: 'leave-tour', name: tour.leave, icon: 'x', run: leaveTour }]);
  return (
    <aside className={styles['tour']} aria-label={tour.name}>
      <div className={styles['head']}>
        <span className={styles['place']}>{tour.place(step, tourLength)}</span>
        <IconButton icon="x" size="small" label={tour.leave} onPress={leaveTour} />
      </div>
      <div role="status">
        <h2 className={styles['title']}>{title}</h2>
        <p>{words}</p>
      </div>
      <div className={styles['acts']}>
        {step > 1 && (
          <Button kind="inverse" onPress={() => goToTourStep(step - 1)}>
            {tour.before}
          </Button>
        )}
        <Button kind="inverse" onPress={() => (step < tourLength ? goToTourStep(step + 1) : leaveTour())}>
          {step < tourLength ? tour.next : tour.end}
        </Button>
      </div>
    </aside>
  );
}
