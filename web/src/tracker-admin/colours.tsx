import type { BodyOf, createTracker } from '@atelier/client/routes';
import { Radio, RadioGroup } from 'react-aria-components';
import { classes, Dot, Icon, Unseen } from '../ui/index.ts';
import styles from './colours.module.css';

export type ColourName = NonNullable<BodyOf<typeof createTracker>['color_name']>;

/** Eight families of three. */
const colorNames: readonly ColourName[] = [
  'inca-silver',
  'chrome-silver',
  'firemist-silver',
  'red-wine',
  'fiesta-red',
  'coral-pink',
  'teddy-brown',
  'clockwork-orange',
  'graffiti-yellow',
  'army-green',
  'neon-green',
  'acid-green',
  'sherwood-green',
  'ocean-turquoise',
  'surf-green',
  'deep-blue',
  'lake-placid-blue',
  'daphne-blue',
  'plum-crazy',
  'ultra-violet',
  'lilac-purple',
  'panther-pink',
  'peggy-pink',
  'flamingo-pink',
];

const NONE = 'none';

/** `deep-blue` as it is read. */
const readable = (name: string) => name.replaceAll('-', ' ');

const isColour = (name: string): name is ColourName => colorNames.some((one) => one === name);

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
    if (isColour(name)) onChange(name);
    else onChange(null);
  };
  return (
    <RadioGroup
      aria-label={label}
      className={styles['colours'] ?? ''}
      value={value === null || value === '' ? NONE : value}
      onChange={choose}
    >
      {colorNames.map((name) => (
        <Radio key={name} value={name} className={styles['colour'] ?? ''}>
          {({ isSelected }) => (
            <>
              <Dot colour={name} />
              <span className={classes(styles['check'])}>
                {isSelected && <Icon name="check" size={12} />}
              </span>
              <Unseen>{readable(name)}</Unseen>
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
