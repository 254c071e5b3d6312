import { type DragEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { EmptyDash, Icon, IconButton } from '../../ui/index.ts';
import { type FileFacts, FileFactsLine, filesIn } from '../file-facts.tsx';
import { type ControlProps, type ReaderProps, withValue } from '../model.ts';
import { faultOfUpload, uploadFile } from './calls.ts';
import styles from './controls.module.css';

const FileViewer = lazy(() => import('./file-viewer.tsx').then((module) => ({ default: module.FileViewer })));

function FileCard({
  file,
  onOpen,
  onDescribe,
  onRemove,
}: {
  readonly file: FileFacts;
  readonly onOpen: () => void;
  readonly onDescribe?: (() => void) | undefined;
  readonly onRemove?: (() => void) | undefined;
}) {
  const { fields } = useMessages();
  const [isBroken, setBroken] = useState(false);
  return (
    <li className={styles['file']} title={file.description || undefined}>
      <span className={styles['thumbnail']}>
        {file.preview && !isBroken ? (
          <img src={file.preview} alt="" loading="lazy" onError={() => setBroken(true)} />
        ) : (
          <Icon name="file-text" />
        )}
      </span>
      <span className={styles['fileWords']}>
        {file.address ? (
          <button type="button" aria-label={fields.openFile(file.name)} onClick={onOpen}>
            {file.name}
          </button>
        ) : (
          <span className={styles['fileName']}>{file.name}</span>
        )}
        <span className={styles['fileFacts']}>
          <FileFactsLine file={file} isDescribed />
        </span>
      </span>
      {onDescribe && file.address !== null && (
        <IconButton
          className={styles['fileAct'] ?? ''}
          size="small"
          icon="pencil"
          iconSize={14}
          label={fields.describeFile(file.name)}
          onPress={onDescribe}
        />
      )}
      {onRemove && (
        <IconButton
          className={styles['fileRemove'] ?? ''}
          size="small"
          icon="x"
          iconSize={14}
          label={fields.removeFile(file.name)}
          onPress={onRemove}
        />
      )}
    </li>
  );
}

/** Which file is looked at, and whether that is to describe it. */
function useViewer(files: readonly FileFacts[], onDescribe?: (file: FileFacts, description: string) => void) {
  const [opened, setOpened] = useState<{ readonly id: number; readonly describes: boolean } | null>(null);
  const place = files.findIndex(({ id }) => id === opened?.id);
  const show = (file: FileFacts | undefined) => setOpened(file ? { id: file.id, describes: false } : null);
  const viewer = place >= 0 && (
    <Suspense>
      <FileViewer
        files={files}
        place={place}
        describesFirst={opened?.describes ?? false}
        onDescribe={onDescribe}
        onPlace={(next) => show(files[next])}
        onClose={() => setOpened(null)}
      />
    </Suspense>
  );
  const describe = ({ id }: FileFacts) => setOpened({ id, describes: true });
  return { open: show, describe, viewer };
}

export function FilesReader({ value }: ReaderProps) {
  const files = filesIn(value);
  const { open, viewer } = useViewer(files);
  if (files.length === 0) return <EmptyDash />;
  return (
    <>
      <ul className={styles['files']}>
        {files.map((file) => (
          <FileCard key={file.id} file={file} onOpen={() => open(file)} />
        ))}
      </ul>
      {viewer}
    </>
  );
}

type Upload = {
  readonly key: number;
  readonly file: File;
  readonly part: number;
  readonly fault: string | null;
  stop(): void;
  /** Goes on where it was cut; absent where it never can. */
  again?: (() => void) | undefined;
};

let nextUpload = 1;

/** Files are sent as soon as they are given; the value has them when they have arrived. */
export function FilesControl({ field, value, onChange, label, onBusy }: ControlProps) {
  const { fields } = useMessages();
  const formats = useFormats();
  const chooser = useRef<HTMLInputElement>(null);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [isOver, setOver] = useState(false);
  const latest = useRef(value);
  latest.current = value;
  const files = filesIn(value);
  const isBusy = uploads.some(({ fault }) => fault === null);
  useEffect(() => onBusy?.(isBusy), [isBusy, onBusy]);

  const keep = (sources: readonly Readonly<Record<string, unknown>>[]) => {
    const next = withValue(field, { file_descriptions: sources });
    latest.current = next;
    onChange(next);
  };
  const { open, describe, viewer } = useViewer(files, ({ id }, description) =>
    keep(
      filesIn(latest.current).map(({ id: each, source }) =>
        each === id ? { ...source, description } : source,
      ),
    ),
  );
  const change = (key: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)));
  const forget = (key: number) => setUploads((all) => all.filter((upload) => upload.key !== key));

  const take = async (file: File) => {
    const most = field.max_size_upload ?? Number.POSITIVE_INFINITY;
    const key = nextUpload++;
    const stopping = new AbortController();
    const isTooLarge = file.size > most;
    const stop = () => {
      stopping.abort();
      forget(key);
    };
    const fault = isTooLarge ? fields.fileTooLarge(formats.size(most)) : null;
    const again = () => {
      forget(key);
      void take(file);
    };
    setUploads((all) => [...all, { key, file, part: 0, fault, stop, again: isTooLarge ? undefined : again }]);
    if (isTooLarge) return;
    try {
      const onProgress = (arrived: number, size: number) =>
        change(key, { part: size === 0 ? 1 : arrived / size });
      const { id, address } = await uploadFile(field.field_id, file, { onProgress, signal: stopping.signal });
      forget(key);
      const added = {
        id,
        name: file.name,
        size: file.size,
        type: file.type,
        html_url: address,
        html_preview_url: null,
      };
      keep([...filesIn(latest.current).map(({ source }) => source), added]);
    } catch (error) {
      if (!stopping.signal.aborted) change(key, { fault: faultOfUpload(error, fields.uploadFailed) });
    }
  };
  const takeAll = (given: FileList | null | undefined) => {
    for (const file of given ?? []) void take(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    takeAll(event.dataTransfer.files);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here, and the button does the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => takeAll(event.clipboardData.files)}
    >
      <ul className={styles['files']} aria-label={label ?? field.label}>
        {files.map((file) => (
          <FileCard
            key={file.id}
            file={file}
            onOpen={() => open(file)}
            onDescribe={() => describe(file)}
            onRemove={() => keep(files.filter(({ id }) => id !== file.id).map(({ source }) => source))}
          />
        ))}
        {uploads.map((upload) => (
          <UploadCard key={upload.key} upload={upload} />
        ))}
        <li>
          <button
            type="button"
            className={styles['add']}
            data-over={isOver || undefined}
            onClick={() => chooser.current?.click()}
          >
            <Icon name="plus" size={14} />
            {fields.addFiles}
          </button>
        </li>
      </ul>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={fields.addFiles}
        onChange={(event) => {
          takeAll(event.target.files);
          event.target.value = '';
        }}
      />
      {viewer}
    </div>
  );
}

function UploadCard({ upload }: { readonly upload: Upload }) {
  const { fields } = useMessages();
  const percent = Math.round(upload.part * 100);
  return (
    <li className={styles['file']}>
      <span className={styles['thumbnail']}>
        <Icon name="upload" />
      </span>
      <span className={styles['fileWords']}>
        <span className={styles['fileName']}>{upload.file.name}</span>
        <span className={upload.fault === null ? styles['fileFacts'] : styles['fileFault']} role="status">
          {upload.fault ?? fields.uploading(percent)}
        </span>
      </span>
      {upload.fault !== null && upload.again && (
        <IconButton
          size="small"
          icon="refresh"
          iconSize={14}
          label={fields.uploadAgain(upload.file.name)}
          onPress={upload.again}
        />
      )}
      <IconButton
        className={styles['fileRemove'] ?? ''}
        size="small"
        icon="x"
        iconSize={14}
        label={fields.cancelUpload(upload.file.name)}
        onPress={upload.stop}
      />
      {upload.fault === null && (
        <span className={styles['progress']}>
          <span style={{ width: `${percent}%` }} />
        </span>
      )}
    </li>
  );
}
