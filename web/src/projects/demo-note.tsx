import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { goToTourStep, notify, useDemo } from '../shell/index.ts';
import { useStanding, wordsOfError } from '../store/index.ts';
import { Button, Dialog, Note, NoteAction } from '../ui/index.ts';
import { removeProject } from './calls.ts';

/** Says of the demo project that it is one, leads around in it, and lets administrators delete it. */
export function DemoNote({ uri }: { readonly uri: string }) {
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
      notify({ kind: 'bad', text: wordsOfError(error) });
      setBusy(false);
    }
  };
  return (
    <>
      <Note
        meaning="info"
        actions={
          <>
            <NoteAction onPress={() => goToTourStep(1)}>{tour.take}</NoteAction>
            {mayDelete && <NoteAction onPress={() => setAsked(true)}>{tour.deleteDemo}</NoteAction>}
          </>
        }
      >
        {tour.demo}
      </Note>
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
