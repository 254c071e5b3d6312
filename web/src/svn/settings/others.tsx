import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../../shell/index.ts';
import { Button, Checkbox, CheckboxGroup, Dialog, Note, SettingsPage } from '../../ui/index.ts';
import {
  keepRepository,
  removeRepository,
  type SvnRepository,
  storeAdministratorGroups,
  useAdministratorGroups,
  useGroups,
} from '../calls.ts';
import styles from './settings.module.css';

function Groups({ project, chosen }: { readonly project: string; readonly chosen: readonly string[] }) {
  const { svn, ui } = useMessages();
  const { data = [] } = useGroups(project);
  const [value, setValue] = useState<string[]>([...chosen]);
  const [seen, setSeen] = useState(chosen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void storeAdministratorGroups(project, seen, value).then((stored) => {
      setValue([...stored]);
      setSeen(stored);
      notify({ text: svn.saved });
    }, tellFault);
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <CheckboxGroup label={svn.administrators.groups} value={value} onChange={setValue}>
        {data.map(({ id, label }) => (
          <Checkbox key={id} value={id}>
            {label}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <Button kind="primary" type="submit">
        {ui.save}
      </Button>
    </form>
  );
}

/** Groups that administer the repositories of the project, besides its administrators. */
export function Administrators({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const { uri } = repository.project;
  const asked = useAdministratorGroups(uri, true);
  const { data } = asked;
  return (
    <SettingsPage title={svn.pages.administrators} words={svn.administrators.words}>
      <WaitingPlace asked={asked} lines={3} />
      {data !== undefined && <Groups project={uri} chosen={data.map(({ id }) => id)} />}
    </SettingsPage>
  );
}

function DeleteDialog({ repository, onClose }: { readonly repository: SvnRepository; onClose(): void }) {
  const { svn, ui } = useMessages();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await removeRepository(repository);
      notify({
        text: svn.danger.asked(repository.name),
        undo: () => void keepRepository(repository).catch(tellFault),
      });
      onClose();
      void navigate({ to: `/projects/${repository.project.shortname}/svn` });
    } catch (error) {
      tellFault(error);
      onClose();
    }
  };
  return (
    <Dialog
      title={svn.danger.title(repository.name)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="destroy" isBusy={isBusy} onPress={remove}>
            {svn.danger.remove}
          </Button>
        </>
      }
    >
      <p>{svn.danger.removeWords}</p>
    </Dialog>
  );
}

/** Deleting a repository, after a time in which it can be kept. */
export function Danger({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const keep = () =>
    keepRepository(repository).then(() => notify({ text: svn.kept(repository.name) }), tellFault);
  return (
    <SettingsPage title={svn.pages.danger} words={svn.danger.words}>
      {repository.is_deletion_pending ? (
        <Note meaning="care" actions={<Button onPress={keep}>{svn.keepIt}</Button>}>
          {svn.pending}
        </Note>
      ) : (
        <Button kind="danger" icon="trash" onPress={() => setAsking(true)}>
          {svn.danger.remove}
        </Button>
      )}
      {isAsking && <DeleteDialog repository={repository} onClose={() => setAsking(false)} />}
    </SettingsPage>
  );
}
