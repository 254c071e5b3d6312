import { Suspense, useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { useLive, userFacet, useThing } from '../store/index.ts';
import { classes } from '../ui/index.ts';
import styles from './changed-by-other.module.css';
import type { Field, FieldValue } from './model.ts';
import { fieldTypeOf } from './types.ts';

interface ChangedByOtherProps {
  readonly trackerId: number;
  /** Of the artifact. */
  readonly uri: string;
  readonly field: Field;
  /** As it is stored now. */
  readonly value: FieldValue | undefined;
  /** Over what lies below, where there is no room. */
  readonly isFloating?: boolean;
}

/** Somebody else changed what is being edited here: said below the control, which keeps what is typed. */
export function ChangedByOther(props: ChangedByOtherProps) {
  return (
    <Suspense fallback={null}>
      <Change {...props} />
    </Suspense>
  );
}

function Change({ trackerId, uri, field, value, isFloating = false }: ChangedByOtherProps) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const [by, setBy] = useState<number>();
  useLive(`trackers/${trackerId}`, (event) => {
    const isThis = event.event === 'artifact' && event.uri === uri;
    if (isThis && event.fields.includes(field.field_id)) setBy(event.by ?? 0);
  });
  const { thing: person } = useThing(by === undefined || by === 0 ? undefined : `users/${by}`, userFacet);
  if (by === undefined) return null;
  return (
    <p role="status" className={classes(styles['line'], isFloating && styles['floating'])}>
      {words.changedByOther(person?.display_name ?? '', fieldTypeOf(field.type).summary(value, formats))}
    </p>
  );
}
