import { useEffect, useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { CopyLine, Faint, Section } from '../project-admin/index.ts';
import { notify, personOf } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import { Button, EmptyPlace, ErrorPlace, MeaningChip, Skeleton } from '../ui/index.ts';
import { type BackupRun, checkHealthNow, startBackup, useBackups } from './calls.ts';
import styles from './platform-admin.module.css';
import { Progress } from './progress.tsx';
import { useAdminRights } from './rights.ts';

/** The one that runs with how far it is, or what came of the last one. */
function Run({ run }: { readonly run: BackupRun }) {
  const { backups } = useMessages().platformAdmin;
  const formats = useFormats();
  const { state, outcome, fault } = run;
  const lost = [...(outcome?.missing ?? []), ...(outcome?.faults ?? [])];
  return (
    <div className={styles['run']}>
      <p>
        {state === 'running' ? (
          <strong>{backups.running}</strong>
        ) : (
          <MeaningChip meaning={state === 'done' ? 'good' : 'bad'}>{backups.states[state]}</MeaningChip>
        )}{' '}
        <Faint>{backups.runOf(personOf(run.started_by).name, formats.moment(run.started_on))}</Faint>
      </p>
      {state === 'running' && (
        <Progress
          stage={backups.stages[run.stage] ?? run.stage}
          done={run.done}
          total={run.total}
          label={backups.progress}
        />
      )}
      {outcome !== null && (
        <p>
          {backups.done(
            formats.number(outcome.files),
            formats.size(outcome.bytes),
            formats.size(outcome.copied_bytes),
          )}
        </p>
      )}
      {fault !== null && <p lang="en">{fault}</p>}
      {lost.length > 0 && (
        <>
          <p>{backups.missing}</p>
          <ul lang="en">
            {lost.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Begins a backup, and shows how far it is. */
export function BackupNow() {
  const { backups } = useMessages().platformAdmin;
  const { mayChange } = useAdminRights();
  const { data, error, refetch } = useBackups();
  const [isStarting, setStarting] = useState(false);
  const run = data?.run ?? null;
  const isRunning = run?.state === 'running';
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning && run !== null) {
      notify(run.state === 'done' ? { text: backups.finished } : { text: run.fault ?? '', kind: 'bad' });
      void checkHealthNow();
    }
    wasRunning.current = isRunning;
  }, [isRunning, run, backups]);
  if (data === undefined)
    return (
      <Section name={backups.now}>
        {error === null ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorPlace words={wordsOfError(error)} onRetry={() => void refetch()} />
        )}
      </Section>
    );
  if (data.folder === null)
    return (
      <Section name={backups.now}>
        <EmptyPlace icon="folder" name={backups.noFolder}>
          {backups.noFolderWords}
        </EmptyPlace>
        <CopyLine text="ATELIER_BACKUP_FOLDER=/backup/atelier" label={backups.noFolderLine} />
      </Section>
    );
  const start = async () => {
    setStarting(true);
    try {
      await startBackup();
    } catch (fault) {
      notify({ text: wordsOfError(fault), kind: 'bad' });
      void refetch();
    } finally {
      setStarting(false);
    }
  };
  return (
    <Section
      name={backups.now}
      words={backups.nowWords(data.folder, data.kept)}
      actions={
        mayChange && (
          <Button
            kind="primary"
            icon="database"
            onPress={() => void start()}
            isBusy={isStarting}
            reasonNot={isRunning ? backups.running : null}
          >
            {backups.start}
          </Button>
        )
      }
    >
      {run !== null && <Run run={run} />}
    </Section>
  );
}
