import { classes } from '../classes.ts';
import styles from './marks.module.css';

const COLOURS = [
  'lake-placid-blue',
  'clockwork-orange',
  'panther-pink',
  'sherwood-green',
  'ultra-violet',
  'ocean-turquoise',
  'army-green',
  'lilac-purple',
  'red-wine',
  'graffiti-yellow',
  'deep-blue',
  'surf-green',
];

export type Person = {
  id: number;
  name: string;
  picture?: string | null | undefined;
};

export type FaceProps = Person & {
  /** 16 blame, 20 rows, 24 timeline, 28 profile. */
  size?: 16 | 20 | 24 | 28 | 40;
  isGroup?: boolean;
  /** Said where the name does not stand beside it. */
  isNamed?: boolean;
};

/** First letters of the first and the last word. */
export function initials(name: string): string {
  const words = name
    .replace(/\(.*?\)/g, ' ')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : words[0]?.slice(1)];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

export function Face({ id, name, picture, size = 20, isGroup = false, isNamed = false }: FaceProps) {
  const role = isNamed ? { role: 'img', 'aria-label': name, title: name } : { 'aria-hidden': true };
  return (
    <span
      {...role}
      className={classes(styles['face'], styles[`face${size}`], isGroup && styles['groupFace'])}
      data-color={COLOURS[Math.abs(id) % COLOURS.length]}
    >
      {picture ? <img src={picture} alt="" loading="lazy" /> : initials(name)}
    </span>
  );
}

/** Faces that overlap, the names of all of them said once. */
export function Faces({
  people,
  size = 20,
  most = 4,
}: {
  people: readonly Person[];
  size?: 20 | 24 | 28;
  most?: number;
}) {
  const seen = people.slice(0, most);
  const more = people.length - seen.length;
  return (
    <span className={styles['faces']} role="img" aria-label={people.map((person) => person.name).join(', ')}>
      {seen.map((person) => (
        <Face key={person.id} {...person} size={size} />
      ))}
      {more > 0 && <span className={styles['facesMore']}>+{more}</span>}
    </span>
  );
}
