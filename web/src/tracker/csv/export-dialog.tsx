import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, Checkbox, Dialog, Radio, RadioGroup, Select } from '../../ui/index.ts';
import type { View } from '../view.ts';
import { type ExportWish, exportTable, separators, unwrittenColumns } from './calls.ts';
import styles from './csv.module.css';

export interface ExportDialogProps {
  readonly tracker: Tracker;
  readonly view: View;
  /** Of those that are selected. */
  readonly ids: readonly number[] | undefined;
  readonly found: number | undefined;
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** Saves bytes as a file of the person who looks. */
function saveAs(name: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Which rows and columns become a file, and how they are written. */
export function ExportDialog({ tracker, view, ids, found = 0, total = 0, onClose }: ExportDialogProps) {
  const { csv: words, tracker: said } = useMessages();
  const formats = useFormats();
  const [wish, setWish] = useState<ExportWish>({
    rows: ids === undefined ? 'seen' : 'selected',
    columns: 'seen',
    separator: 'comma',
    hasBom: false,
    ids,
  });
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      saveAs(`${tracker.item_name}.csv`, await exportTable(tracker, view, wish));
      onClose();
    } catch (error) {
      notify({ kind: 'bad', text: wordsOfError(error) });
      setBusy(false);
    }
  };
  const special: Readonly<Record<string, string>> = said.special;
  const leftOut =
    wish.columns === 'all' ? [] : unwrittenColumns(view).map(({ name }) => special[name] ?? name);
  return (
    <Dialog
      title={words.exportTitle}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} onPress={() => void download()}>
            {words.download}
          </Button>
        </>
      }
    >
      <div className={styles['options']}>
        <RadioGroup
          label={words.rows}
          value={wish.rows}
          onChange={(rows) =>
            setWish({ ...wish, rows: rows === 'all' || rows === 'selected' ? rows : 'seen' })
          }
        >
          {ids !== undefined && (
            <Radio value="selected">{words.rowsSelected(formats.number(ids.length))}</Radio>
          )}
          <Radio value="seen">{words.rowsSeen(formats.number(found))}</Radio>
          {total !== found && <Radio value="all">{words.rowsAll(formats.number(total))}</Radio>}
        </RadioGroup>
        <RadioGroup
          label={words.columns}
          value={wish.columns}
          onChange={(columns) => setWish({ ...wish, columns: columns === 'all' ? 'all' : 'seen' })}
        >
          <Radio value="seen">{words.columnsSeen}</Radio>
          <Radio value="all">{words.columnsAll}</Radio>
        </RadioGroup>
        {leftOut.length > 0 && <p className={styles['faint']}>{words.leftOut(formats.list(leftOut))}</p>}
        <Select
          label={words.separator}
          options={separators.map((id) => ({ id, name: words.separators[id] }))}
          value={wish.separator}
          onChange={(id) => setWish({ ...wish, separator: separators.find((one) => one === id) ?? 'comma' })}
        />
        <Checkbox isSelected={wish.hasBom} onChange={(hasBom) => setWish({ ...wish, hasBom })}>
          {words.bom}
        </Checkbox>
      </div>
    </Dialog>
  );
}
