import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, Note, NoteAction, TextDiff } from '../../ui/index.ts';
import { readRepository, type SvnRepository, type SvnSettings, storeSettings } from '../calls.ts';
import styles from './settings.module.css';

type Stored = NonNullable<SvnRepository['settings']>;
export type PartName = keyof Stored;

/** Settings as they are sent: people and groups by their ids. */
function asSent(settings: Stored): SvnSettings {
  return {
    ...settings,
    email_notifications: settings.email_notifications.map(({ path, emails, users, user_groups: groups }) => ({
      path,
      emails,
      users: users.flatMap(({ id }) => id ?? []),
      user_groups: groups.map(({ id }) => id),
    })),
  };
}

const isSame = (one: Stored, other: Stored, parts: readonly PartName[]) =>
  parts.every((part) => JSON.stringify(one[part]) === JSON.stringify(other[part]));

/**
 * Stores a part of the settings. They are sent all together, so what others changed meanwhile in other parts is taken over; whatever
 * they changed in this part is shown first.
 */
export function useStoring(repository: SvnRepository, parts: readonly PartName[]) {
  const { svn } = useMessages();
  const [base, setBase] = useState(repository.settings);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [theirs, setTheirs] = useState<SvnRepository>();
  const store = async (change: Partial<SvnSettings>, isForced = false): Promise<boolean> => {
    setBusy(true);
    setFault(undefined);
    try {
      const current = await readRepository(repository.id);
      if (current.settings === undefined || base === undefined) return false;
      if (!isForced && !isSame(current.settings, base, parts)) {
        setTheirs(current);
        return false;
      }
      setTheirs(undefined);
      await storeSettings(repository, { ...asSent(current.settings), ...change });
      setBase((await readRepository(repository.id)).settings);
      notify({ text: svn.saved });
      return true;
    } catch (error) {
      setFault(wordsOfError(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const takeTheirs = () => {
    setBase(theirs?.settings);
    setTheirs(undefined);
  };
  return { base, store, isBusy, fault, theirs, takeTheirs };
}

/** What stands below a form of settings: what went wrong, what others did, and *Save*. */
export function FormFeet({
  isBusy,
  fault,
  theirs,
  written,
  onTheirs,
  onMine,
  reasonNot,
}: {
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly theirs: SvnRepository | undefined;
  /** The part as it is written in the form, there and here. */
  written(theirs: SvnRepository): { readonly theirs: string; readonly mine: string };
  onTheirs(repository: SvnRepository): void;
  onMine(): void;
  readonly reasonNot?: string | null | undefined;
}) {
  const { svn, ui } = useMessages();
  const both = theirs === undefined ? undefined : written(theirs);
  return (
    <div className={styles['feet']}>
      {fault !== undefined && (
        <Note meaning="bad" isAlert>
          <span lang="en">{fault}</span>
        </Note>
      )}
      {theirs !== undefined && (
        <Note
          meaning="care"
          isAlert
          actions={
            <>
              <NoteAction onPress={() => onTheirs(theirs)}>{svn.takeTheirs}</NoteAction>
              <NoteAction onPress={onMine}>{svn.saveMine}</NoteAction>
            </>
          }
        >
          {svn.changedMeanwhile}
        </Note>
      )}
      {both !== undefined && <TextDiff name={svn.theirsToMine} before={both.theirs} after={both.mine} />}
      <Button kind="primary" type="submit" isBusy={isBusy} reasonNot={reasonNot ?? null}>
        {ui.save}
      </Button>
    </div>
  );
}
