import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify } from '../shell/index.ts';
import { standingChanged, wordsOfError } from '../store/index.ts';
import { Button, Note } from '../ui/index.ts';
import { type AwaitedArchive, projectIsThere, uploadArchive, useImport } from './calls.ts';
import styles from './projects.module.css';

/** A file of this computer, chosen by a button. */
export function ArchiveChooser({
  file,
  onChoose,
}: {
  readonly file: File | undefined;
  onChoose(file: File): void;
}) {
  const { archive } = useMessages().projects;
  const formats = useFormats();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles['chooser']}>
      <Button icon="upload" onPress={() => input.current?.click()}>
        {archive.choose}
      </Button>
      {file !== undefined && (
        <span>
          {file.name} <span className={styles['faint']}>{formats.size(file.size)}</span>
        </span>
      )}
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={archive.file}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen !== undefined) onChoose(chosen);
          event.target.value = '';
        }}
      />
    </div>
  );
}

type Stage = 'uploading' | 'paused' | 'importing';

function Bar({ part, label }: { readonly part: number; readonly label: string }) {
  return (
    <progress className={styles['progress']} value={part} max={1} aria-label={label}>
      {Math.round(part * 100)} %
    </progress>
  );
}

/** Sends the archive; what has arrived stays, so it can be halted and taken up again at any time. */
function useUpload(awaited: AwaitedArchive, file: File | undefined) {
  const [stage, setStage] = useState<Stage>('paused');
  const [arrived, setArrived] = useState(0);
  const [fault, setFault] = useState<string>();
  const stopping = useRef<AbortController>(undefined);
  const start = (from: File) => {
    const controller = new AbortController();
    stopping.current?.abort();
    stopping.current = controller;
    setStage('uploading');
    setFault(undefined);
    uploadArchive(awaited, from, { onProgress: setArrived, signal: controller.signal }).then(
      () => setStage('importing'),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFault(wordsOfError(error));
        setStage('paused');
      },
    );
  };
  const pause = () => {
    stopping.current?.abort();
    setStage('paused');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once for each file, ended when the page is left.
  useEffect(() => {
    if (file !== undefined) start(file);
    return () => stopping.current?.abort();
  }, [file]);
  return { stage, arrived, fault, pause, resume: () => file !== undefined && start(file) };
}

export interface ArchiveUploadProps {
  readonly awaited: AwaitedArchive;
  readonly file: File | undefined;
  onFile(file: File): void;
  /** The project is there, or nothing will come of it. */
  onOver(): void;
}

/** The way of an archive into a project: uploaded, then taken in by the server. */
export function ArchiveUpload({ awaited, file, onFile, onOver }: ArchiveUploadProps) {
  const { archive, create } = useMessages().projects;
  const formats = useFormats();
  const navigate = useNavigate();
  const [mismatch, setMismatch] = useState(false);
  const { stage, arrived, fault, pause, resume } = useUpload(awaited, file);
  const { data } = useImport(awaited.importId, stage === 'importing');
  const { label, shortname, fileName, fileSize } = awaited;
  const isDone = data?.state === 'done';
  // biome-ignore lint/correctness/useExhaustiveDependencies: happens once, when the import is done.
  useEffect(() => {
    if (!isDone) return;
    void (async () => {
      await projectIsThere();
      await standingChanged();
      onOver();
      notify({ text: create.created(label) });
      void navigate({ to: `/projects/${shortname}` });
    })();
  }, [isDone]);
  useEffect(() => announce(archive.stages[stage]), [stage, archive]);
  const choose = (chosen: File) => {
    const isSame = chosen.name === fileName && chosen.size === fileSize;
    setMismatch(!isSame);
    if (isSame) onFile(chosen);
  };
  if (data?.state === 'failed')
    return (
      <div className={styles['newForm']}>
        <Note meaning="bad" isAlert>
          {archive.failed} <span lang="en">{data.fault}</span>
        </Note>
        <Button onPress={onOver}>{archive.again}</Button>
      </div>
    );
  const progress = data?.progress;
  return (
    <section className={styles['newForm']} aria-label={archive.of(fileName)}>
      <p>
        {archive.of(fileName)} <span className={styles['faint']}>{archive.stages[stage]}</span>
      </p>
      {stage === 'importing' ? (
        <Bar
          part={progress != null && progress.total > 0 ? progress.done / progress.total : 0}
          label={archive.stages.importing}
        />
      ) : (
        <>
          <Bar part={fileSize === 0 ? 1 : arrived / fileSize} label={archive.stages.uploading} />
          <p className={styles['faint']}>{archive.arrived(formats.size(arrived), formats.size(fileSize))}</p>
          {fault !== undefined && (
            <Note meaning="care" isAlert>
              {archive.cut} <span lang="en">{fault}</span>
            </Note>
          )}
          {file === undefined ? (
            <>
              <p>{archive.chooseAgain(fileName)}</p>
              {mismatch && (
                <p role="alert" className={styles['fault']}>
                  {archive.another(fileName, formats.size(fileSize))}
                </p>
              )}
              <ArchiveChooser file={undefined} onChoose={choose} />
            </>
          ) : stage === 'uploading' ? (
            <Button icon="player-pause" onPress={pause}>
              {archive.pause}
            </Button>
          ) : (
            <Button icon="player-play" kind="primary" onPress={resume}>
              {archive.resume}
            </Button>
          )}
        </>
      )}
    </section>
  );
}
