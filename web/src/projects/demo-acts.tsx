import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { goToTourStep, notify, tellFault, useDemo } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { Button, Dialog } from '../ui/index.ts';
import { removeProject } from './calls.ts';
import styles from './projects.module.css';

/** Leads around in the demo project, which says by its announcement that it is one, and lets administrators delete it. */
export function DemoActs({ uri }: { readonly uri: string }) {
  const { tour } = useMessages().welcome;
  const { ui } = useMessages();
  const demo = useDemo();
  const { is_site_administrator: mayDelete } = useStanding();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  if (demo?.uri !== uri) return null;
  const remove = async () => {
    setBusy(true);
    try {
      await removeProject(uri);
      await navigate({ to: '/projects' });
      notify({ text: tour.deleted });
    } catch (error) {
      tellFault(error);
      setBusy(false);
    }
  };
  return (
    <>
      <div className={styles['demo']}>
        <Button onPress={() => goToTourStep(1)}>{tour.take}</Button>
        {mayDelete && (
          <Button kind="quiet" onPress={() => setAsked(true)}>
            {tour.deleteDemo}
          </Button>
        )}
      </div>
      <Dialog
        title={tour.deleteTitle}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        role="alertdialog"
        buttons={
          <>
            <Button onPress={() => setAsked(false)}>{ui.cancel}</Button>
            <Button kind="destroy" isBusy={isBusy} onPress={() => void remove()}>
              {tour.deleteDemo}
            </Button>
          </>
        }
      >
        {tour.deleteWords}
      </Dialog>
    </>
  );
}
