import type { DeletedTracker, Project } from '@atelier/client/routes';
import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Button, EmptyPlace, TextField, TrackerMark } from '../ui/index.ts';
import { bringBackArtifact, bringBackTracker, useDeletedArtifacts, useDeletedTrackers } from './calls.ts';
import { AdminPart, Faint, FormDialog, Main, PagedPlace, Section, Table, useSending } from './parts.tsx';

/** Its short name was taken meanwhile: another one is asked for. */
function OtherName({
  project,
  tracker,
  words,
  onClose,
}: {
  readonly project: Project;
  readonly tracker: DeletedTracker;
  readonly words: string;
  onClose(): void;
}) {
  const { trash } = useMessages().projectAdmin;
  const [name, setName] = useState(`${tracker.item_name}_2`);
  const { isBusy, error, send } = useSending();
  const submit = () =>
    void send(() => bringBackTracker(project.uri, tracker.id, name.trim())).then((isDone) => {
      if (!isDone) return;
      notify({ text: trash.back(tracker.label) });
      onClose();
    });
  return (
    <FormDialog
      title={trash.otherName(tracker.label)}
      submit={trash.bringBack}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={trash.shortname}
        value={name}
        onChange={setName}
        autoFocus
        fault={error === undefined ? words : wordsOfError(error)}
      />
    </FormDialog>
  );
}

/** What was deleted in the project and can be brought back. */
export function Trash({ project }: { readonly project: Project }) {
  const { trash } = useMessages().projectAdmin;
  const formats = useFormats();
  const trackers = useDeletedTrackers(project.uri);
  const artifacts = useDeletedArtifacts(project.uri);
  const deleted = ({ deleted_on, deleted_by }: Pick<DeletedTracker, 'deleted_on' | 'deleted_by'>) => {
    const moment = formats.moment(deleted_on);
    return deleted_by === null ? moment : trash.by(moment, deleted_by.display_name);
  };
  const [taken, setTaken] = useState<{ readonly tracker: DeletedTracker; readonly words: string }>();
  const bringBack = (tracker: DeletedTracker) =>
    bringBackTracker(project.uri, tracker.id, undefined).then(
      () => notify({ text: trash.back(tracker.label) }),
      (error: unknown) => setTaken({ tracker, words: wordsOfError(error) }),
    );
  return (
    <AdminPart title={trash.title} words={trash.words}>
      <Section name={trash.trackers}>
        <PagedPlace list={trackers} icon="trash" empty={trash.noTrackers}>
          {(items) => (
            <Table label={trash.trackers} columns={[trash.tracker, trash.deleted, '']}>
              {items.map((tracker) => (
                <tr key={tracker.id}>
                  <td>
                    <TrackerMark colour={tracker.color_name} />{' '}
                    <Main second={tracker.item_name}>{tracker.label}</Main>
                  </td>
                  <td data-label={trash.deleted}>
                    <Faint>{deleted(tracker)}</Faint>
                  </td>
                  <td>
                    <Button
                      size="small"
                      aria-label={trash.bringBackNamed(tracker.label)}
                      onPress={() => bringBack(tracker)}
                    >
                      {trash.bringBack}
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </PagedPlace>
      </Section>
      <Section name={trash.artifacts}>
        <WaitingPlace asked={artifacts} lines={3} />
        {artifacts.data?.length === 0 && <EmptyPlace icon="trash" name={trash.noArtifacts} />}
        {artifacts.data !== undefined && artifacts.data.length > 0 && (
          <Table label={trash.artifacts} columns={[trash.artifact, trash.tracker, trash.deleted, '']}>
            {artifacts.data.map((one) => (
              <tr key={one.id}>
                <td>
                  <Main second={one.xref}>{one.title ?? one.xref}</Main>
                </td>
                <td data-label={trash.tracker}>{one.tracker.label}</td>
                <td data-label={trash.deleted}>
                  <Faint>{deleted(one)}</Faint>
                </td>
                <td>
                  <Button
                    size="small"
                    aria-label={trash.bringBackNamed(one.xref)}
                    onPress={() =>
                      bringBackArtifact(project.uri, one.id).then(
                        () => notify({ text: trash.back(one.xref) }),
                        tellFault,
                      )
                    }
                  >
                    {trash.bringBack}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      {taken !== undefined && (
        <OtherName
          project={project}
          tracker={taken.tracker}
          words={taken.words}
          onClose={() => setTaken(undefined)}
        />
      )}
    </AdminPart>
  );
}
