import type { Tracker } from '@atelier/client/routes';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type BulkAct, bulkRulesOf, type Field, fieldTypes } from '../../fields/index.ts';
import { useFormats, useMessages } from '../../messages/index.ts';
import { Button, classes, Segmented } from '../../ui/index.ts';
import styles from './bulk.module.css';
import { type FieldWish, placeOfMany } from './wish.ts';

interface FieldFormProps {
  readonly tracker: Tracker;
  readonly field: Field;
  readonly wish: FieldWish | undefined;
  readonly count: number;
  /** A key asked for it: a choice is made at once. */
  readonly isQuick: boolean;
  onWish(wish: FieldWish | undefined): void;
  onPreview(): void;
  onChange(): void;
  /** A choice that needs no more words. */
  onQuick(wish: FieldWish): void;
}

/** What shall become of one field: replaced, or, where it has several items, some of them added or taken away. */
export function FieldForm(props: FieldFormProps) {
  const { tracker, field, wish, count, isQuick, onWish, onPreview, onChange, onQuick } = props;
  const rules = bulkRulesOf(field);
  const [act, setAct] = useState<BulkAct>(wish?.act ?? rules?.acts[0] ?? 'set');
  const [isListOpen, setListOpen] = useState(false);
  const opensList = rules?.isOnePress === true && wish === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list opens once, above a form that is there.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setListOpen(opensList));
    return () => cancelAnimationFrame(frame);
  }, []);
  const { bulk: words } = useMessages();
  const [isBusy, setBusy] = useState(false);
  const isReady = wish !== undefined && !isBusy;
  /** As it is when a control sends what was typed last: that may be told a moment after its key. */
  const send = useRef(() => {});
  useLayoutEffect(() => {
    send.current = () => {
      if (isReady) onChange();
    };
  });
  if (rules === undefined) return null;
  const { Control, acts, isOnePress } = rules;
  const isWide = fieldTypes[field.type]?.isWide === true;
  return (
    <div className={classes(styles['fieldForm'], isWide && styles['wide'])}>
      <h2 className={styles['name']}>{field.label}</h2>
      {acts.length > 1 && (
        <Segmented
          label={words.act}
          options={acts.map((id) => ({ id, name: words.acts[id] }))}
          value={act}
          onChange={(next) => {
            const chosen = acts.find((one) => one === next) ?? act;
            setAct(chosen);
            if (wish !== undefined) onWish({ ...wish, act: chosen });
          }}
        />
      )}
      <Control
        field={field}
        value={wish?.value}
        place={placeOfMany(tracker)}
        autoFocus
        onBusy={setBusy}
        onSend={() => send.current()}
        {...(isOnePress ? { isOpen: isListOpen, onOpenChange: setListOpen } : {})}
        onChange={(value) => {
          const next = { field, act, value };
          onWish(next);
          if (isQuick && isOnePress) onQuick(next);
        }}
      />
      <FormButtons
        count={count}
        isReady={isReady}
        onClear={() => onWish(undefined)}
        onPreview={onPreview}
        onChange={onChange}
      />
    </div>
  );
}

interface FormButtonsProps {
  readonly count: number;
  readonly isReady: boolean;
  onClear(): void;
  onPreview(): void;
  onChange(): void;
}

/** What is said is kept in the bar, tried, or done. */
export function FormButtons({ count, isReady, onClear, onPreview, onChange }: FormButtonsProps): ReactNode {
  const { bulk: words } = useMessages();
  const formats = useFormats();
  return (
    <div className={styles['buttons']}>
      <Button kind="quiet" isDisabled={!isReady} onPress={onClear}>
        {words.clear}
      </Button>
      <Button isDisabled={!isReady} onPress={onPreview}>
        {words.preview}
      </Button>
      <Button kind="primary" isDisabled={!isReady} onPress={onChange}>
        {words.change(formats.number(count))}
      </Button>
    </div>
  );
}
