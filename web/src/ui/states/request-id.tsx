import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { copyText } from '../copy-text.ts';
import { Icon } from '../icons/icon.tsx';
import { Unseen } from '../marks/marks.tsx';
import styles from './states.module.css';

/** By which the log of the server tells what failed. */
export function RequestId({ id }: { id: string }) {
  const { ui } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = () => copyText(id).then(() => setCopied(true));
  return (
    <p className={styles['request']}>
      {ui.requestId} <code>{id}</code>
      <button type="button" aria-label={ui.copyRequestId} onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} size={14} />
      </button>
      <span role="status">{isCopied && <Unseen>{ui.copied}</Unseen>}</span>
    </p>
  );
}
