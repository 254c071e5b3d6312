import { ChoiceMark, type StatusStages } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { Button, Dialog } from '../ui/index.ts';
import styles from './board.module.css';
import type { AskedValue } from './moves.ts';

export interface WhichValueProps {
  readonly asked: AskedValue;
  readonly stages: StatusStages | undefined;
  /** Undefined: none, the cards go back. */
  readonly onChosen: (id: string | undefined) => void;
}

/** Cards came into a column of several values: which of them they get. */
export function WhichValue({ asked, stages, onChosen }: WhichValueProps) {
  const { board: words } = useMessages();
  const { cards, field, ways } = asked;
  const name = cards.length > 1 ? words.nCardsSaid(cards.length) : (cards[0] ?? '');
  return (
    <Dialog
      title={words.whichValue(field.label, name)}
      isOpen
      width="narrow"
      onClose={() => onChosen(undefined)}
      buttons={<Button onPress={() => onChosen(undefined)}>{words.cancel}</Button>}
    >
      <div className={styles['ways']}>
        {ways.map(({ id, choice, asks }, place) => (
          <Button key={id} autoFocus={place === 0} onPress={() => onChosen(id)}>
            {choice && <ChoiceMark choice={choice} stages={stages} />}
            {choice?.name ?? words.noValue}
            {asks !== undefined && <span className={styles['asks']}>{asks}</span>}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}
