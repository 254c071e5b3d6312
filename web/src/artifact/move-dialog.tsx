import { useState } from 'react';
import { idOfUri } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import { notify, useProjectTrackers } from '../shell/index.ts';
import { useStanding, wordsOfError } from '../store/index.ts';
import { Button, Dialog, Note, Select, Skeleton, TrackerMark } from '../ui/index.ts';
import styles from './artifact.module.css';
import { type MovedField, moveArtifact, useMovePreview } from './calls.ts';
import type { SeenArtifact } from './seen.ts';

/** Another tracker for an artifact: first what becomes of its values, then the move. */
export function MoveDialog({ seen, onClose }: { readonly seen: SeenArtifact; readonly onClose: () => void }) {
  const { artifact: words } = useMessages();
  const { memberships } = useStanding();
  const { artifact, tracker } = seen;
  const [project, setProject] = useState(artifact.project.uri);
  const [target, setTarget] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const trackers = useProjectTrackers(project).filter(({ uri }) => uri !== tracker.uri);
  const projects = [
    { id: artifact.project.uri, name: artifact.project.label },
    ...memberships
      .map(({ project: { uri, label } }) => ({ id: uri, name: label }))
      .filter(({ id }) => id !== artifact.project.uri),
  ];
  const { preview, error, isAsking } = useMovePreview(artifact.id, target === null ? null : idOfUri(target));
  const refusal = fault ?? (error ? wordsOfError(error) : null);
  const move = async () => {
    if (target === null) return;
    setBusy(true);
    try {
      await moveArtifact(artifact.id, idOfUri(target));
      notify({ text: words.moved(artifact.xref) });
      onClose();
    } catch (reason) {
      setBusy(false);
      setFault(wordsOfError(reason));
    }
  };
  return (
    <Dialog
      title={words.move}
      isOpen
      onClose={onClose}
      width="medium"
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            isDisabled={preview === undefined || refusal !== null}
            onPress={move}
          >
            {words.moveNow}
          </Button>
        </>
      }
    >
      <div className={styles['formRows']}>
        <Select
          label={words.moveProject}
          options={projects}
          value={project}
          onChange={(next) => {
            setProject(next ?? project);
            setTarget(null);
          }}
        />
        <Select
          label={words.moveTracker}
          options={trackers.map(({ uri, label, color }) => ({
            id: uri,
            name: label,
            mark: <TrackerMark colour={color} />,
          }))}
          value={target}
          onChange={(next) => {
            setFault(null);
            setTarget(next);
          }}
        />
        {isAsking && <Skeleton lines={3} />}
        {refusal !== null && (
          <Note meaning="bad" isAlert>
            <span lang="en">{refusal}</span>
          </Note>
        )}
        {preview && !isAsking && refusal === null && (
          <>
            <Fields name={words.movedNot} fields={preview.lost} />
            <Fields name={words.movedPartly} fields={preview.partly} />
            <Fields name={words.movedWhole} fields={preview.migrated} />
            {preview.lost.length === 0 && preview.partly.length === 0 && <p>{words.moveNothingLost}</p>}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Fields({ name, fields }: { readonly name: string; readonly fields: readonly MovedField[] }) {
  if (fields.length === 0) return null;
  return (
    <section aria-label={name}>
      <h3 className={styles['label']}>{name}</h3>
      <p>{fields.map(({ label }) => label).join(', ')}</p>
    </section>
  );
}
