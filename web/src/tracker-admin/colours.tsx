import { Radio, RadioGroup } from 'react-aria-components';
import {
  type ColourName,
  classes,
  colourNames,
  Dot,
  Icon,
  isColourName,
  readableColour,
  Unseen,
} from '../ui/index.ts';
import styles from './colours.module.css';

const NONE = 'none';

interface ColoursProps {
  readonly label: string;
  readonly value: string | null;
  /** Offers to have none, in these words. */
  readonly none?: string;
  onChange(colour: ColourName | null): void;
}

/** The colours of the palette, eight families of three; arrows go among them. */
export function Colours({ label, value, none, onChange }: ColoursProps) {
  const choose = (name: string) => {
    if (isColourName(name)) onChange(name);
    else onChange(null);
  };
  return (
    <RadioGroup
      aria-label={label}
      className={styles['colours'] ?? ''}
      value={value === null || value === '' ? NONE : value}
      onChange={choose}
    >
      {colourNames.map((name) => (
        <Radio key={name} value={name} className={styles['colour'] ?? ''}>
          {({ isSelected }) => (
            <>
              <Dot colour={name} />
              <span className={classes(styles['check'])}>
                {isSelected && <Icon name="check" size={12} />}
              </span>
              <Unseen>{readableColour(name)}</Unseen>
            </>
          )}
        </Radio>
      ))}
      {none !== undefined && (
        <Radio value={NONE} className={styles['none'] ?? ''}>
          {none}
        </Radio>
      )}
    </RadioGroup>
  );
}
