import { useEffect } from 'react';
import { useMessages } from '../../messages/index.ts';
import { BareDialog, Icon, IconButton, LinkButton } from '../../ui/index.ts';
import { useFileText } from '../calls.ts';
import { type FileFacts, FileFactsLine } from '../file-facts.tsx';
import styles from './file-viewer.module.css';

const isPicture = ({ type }: FileFacts): boolean =>
  /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/.test(type);
const isText = ({ type, name }: FileFacts): boolean =>
  /^(text\/|application\/(json|xml|yaml))/.test(type) || /\.(log|md|txt|csv|json|xml|ya?ml)$/i.test(name);

/** A tab of the browser that shows the file under a policy of its own. */
const inlineAddress = (address: string): string => `${address}?disposition=inline`;

/** One file after the other, large; arrows lead to the next and the one before. */
export function FileViewer({
  files,
  place,
  onPlace,
  onClose,
}: {
  readonly files: readonly FileFacts[];
  readonly place: number;
  readonly onPlace: (place: number) => void;
  readonly onClose: () => void;
}) {
  const { fields, ui } = useMessages();
  const file = files[place];
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
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
              label={fields.previousFile}
              isDisabled={place === 0}
              onPress={() => onPlace(place - 1)}
            />
            <span className={styles['facts']}>{fields.nOfM(place + 1, files.length)}</span>
            <IconButton
              icon="chevron-right"
              label={fields.nextFile}
              isDisabled={place === files.length - 1}
              onPress={() => onPlace(place + 1)}
            />
          </>
        )}
        <LinkButton kind="quiet" href={inlineAddress(address)} target="_blank" rel="noreferrer">
          {fields.openInTab}
        </LinkButton>
        <LinkButton kind="quiet" href={address} target="_blank" rel="noreferrer" download={file.name}>
          {fields.download}
        </LinkButton>
        <IconButton icon="x" label={ui.close} keys="Esc" onPress={onClose} />
      </header>
      <div className={styles['stage']}>
        <Content key={file.id} file={file} address={address} />
      </div>
      {file.description !== '' && <p className={styles['facts']}>{file.description}</p>}
    </BareDialog>
  );
}

function Content({ file, address }: { readonly file: FileFacts; readonly address: string }) {
  const { fields } = useMessages();
  if (isPicture(file)) return <img src={address} alt={file.description || file.name} />;
  if (isText(file)) return <TextContent address={address} name={file.name} />;
  return (
    <p className={styles['nothing']}>
      <Icon name="file-text" size={20} /> {fields.noPreview}
    </p>
  );
}

function TextContent({ address, name }: { readonly address: string; readonly name: string }) {
  const text = useFileText(address);
  return <textarea className={styles['text']} readOnly aria-label={name} value={text ?? ''} />;
}
