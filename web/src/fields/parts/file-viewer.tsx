import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { BareDialog, focusBack, Icon, IconButton, LinkButton } from '../../ui/index.ts';
import { type FileFacts, FileFactsLine } from '../file-facts.tsx';
import { useFileText } from './calls.ts';
import styles from './file-viewer.module.css';

const isPicture = ({ type }: FileFacts): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type);
const isText = ({ type, name }: FileFacts): boolean =>
  /^(text\/|application\/(json|xml|yaml))/.test(type) || /\.(log|md|txt|csv|json|xml|ya?ml)$/i.test(name);

/** As the API takes it. */
const LONGEST_DESCRIPTION = 10_000;

/** A tab of the browser that shows the file under a policy of its own. */
const inlineAddress = (address: string): string => `${address}?disposition=inline`;

/** One file after the other, large; arrows lead to the next and the one before. */
export function FileViewer({
  files,
  place,
  describesFirst,
  onDescribe,
  onPlace,
  onClose,
}: {
  readonly files: readonly FileFacts[];
  readonly place: number;
  /** Whether the first one is opened to be described. */
  readonly describesFirst: boolean;
  /** Absent where nobody may. */
  readonly onDescribe: ((file: FileFacts, description: string) => void) | undefined;
  readonly onPlace: (place: number) => void;
  readonly onClose: () => void;
}) {
  const { artifact, fields, ui } = useMessages();
  const { viewer } = artifact;
  const file = files[place];
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      // Arrows in what is being typed go through the text.
      if (event.target instanceof HTMLTextAreaElement && !event.target.readOnly) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined || files[place + step] === undefined) return;
      event.preventDefault();
      onPlace(place + step);
    };
    document.addEventListener('keydown', turn);
    return () => document.removeEventListener('keydown', turn);
  }, [files, place, onPlace]);
  if (file === undefined) return null;
  const address = file.address ?? '';
  return (
    <BareDialog label={file.name} isOpen onClose={onClose} width="wide" className={styles['viewer'] ?? ''}>
      <header className={styles['head']}>
        <h2 className={styles['name']}>{file.name}</h2>
        <span className={styles['facts']}>
          <FileFactsLine file={file} />
        </span>
        <span className={styles['space']} />
        {files.length > 1 && (
          <>
            <IconButton
              icon="chevron-left"
              label={viewer.previousFile}
              isDisabled={place === 0}
              onPress={() => onPlace(place - 1)}
            />
            <span className={styles['facts']}>{fields.nOfM(place + 1, files.length)}</span>
            <IconButton
              icon="chevron-right"
              label={viewer.nextFile}
              isDisabled={place === files.length - 1}
              onPress={() => onPlace(place + 1)}
            />
          </>
        )}
        <LinkButton kind="quiet" href={inlineAddress(address)} target="_blank" rel="noreferrer">
          {viewer.openInTab}
        </LinkButton>
        <LinkButton kind="quiet" href={address} target="_blank" rel="noreferrer" download={file.name}>
          {fields.download}
        </LinkButton>
        <IconButton icon="x" label={ui.close} keys="Esc" onPress={onClose} />
      </header>
      <div className={styles['stage']}>
        <Content key={file.id} file={file} address={address} />
      </div>
      <Description
        key={`description of ${file.id}`}
        file={file}
        isFirst={describesFirst}
        onDescribe={onDescribe && ((description) => onDescribe(file, description))}
      />
    </BareDialog>
  );
}

/** What somebody said about the file; pressed, it becomes a text that Enter keeps. */
function Description({
  file,
  isFirst,
  onDescribe,
}: {
  readonly file: FileFacts;
  readonly isFirst: boolean;
  readonly onDescribe: ((description: string) => void) | undefined;
}) {
  const { artifact, fields } = useMessages();
  const { viewer } = artifact;
  const [typed, setTyped] = useState(isFirst ? file.description : null);
  const button = useRef<HTMLButtonElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const isTyping = typed !== null;
  useEffect(() => {
    if (isTyping) area.current?.select();
  }, [isTyping]);
  if (onDescribe === undefined)
    return file.description === '' ? null : <p className={styles['description']}>{file.description}</p>;
  const leave = () => {
    setTyped(null);
    focusBack(button);
  };
  const keep = () => {
    const description = (typed ?? '').trim();
    if (typed !== null && description !== file.description.trim()) onDescribe(description);
  };
  if (!isTyping)
    return (
      <button
        type="button"
        ref={button}
        className={styles['describe']}
        aria-label={fields.describeFile(file.name)}
        onClick={() => setTyped(file.description)}
      >
        {file.description === '' ? (
          <span className={styles['facts']}>{fields.noDescription}</span>
        ) : (
          file.description
        )}
        <Icon name="pencil" size={14} />
      </button>
    );
  return (
    <textarea
      ref={area}
      rows={1}
      maxLength={LONGEST_DESCRIPTION}
      className={styles['describing']}
      aria-label={viewer.descriptionOf(file.name)}
      placeholder={fields.noDescription}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        keep();
        setTyped(null);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey) {
          event.preventDefault();
          keep();
          leave();
        } else if (event.key === 'Escape') {
          // The viewer stays.
          event.stopPropagation();
          leave();
        }
      }}
    />
  );
}

function Content({ file, address }: { readonly file: FileFacts; readonly address: string }) {
  const { viewer } = useMessages().artifact;
  const [isBroken, setBroken] = useState(false);
  if (isPicture(file) && !isBroken)
    return <img src={address} alt={file.description || file.name} onError={() => setBroken(true)} />;
  if (isText(file)) return <TextContent address={address} name={file.name} />;
  return (
    <p className={styles['nothing']}>
      <Icon name="file-text" size={20} /> {viewer.noPreview}
    </p>
  );
}

function TextContent({ address, name }: { readonly address: string; readonly name: string }) {
  const text = useFileText(address);
  return <textarea className={styles['text']} readOnly aria-label={name} value={text ?? ''} />;
}
