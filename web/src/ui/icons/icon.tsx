import sprite from 'virtual:icons';
import styles from './icon.module.css';
import { type IconName, isIconName } from './names.ts';

/** The outlines become part of the document: for each icon that points into another file a browser asks for that file again. */
const outlines = new XMLHttpRequest();
outlines.open('GET', sprite);
// So it is read as a document, not as text that might be anything.
outlines.responseType = 'document';
// What a server says that does not have the file, or a proxy before it, is no part of this page. In the head nothing is looked at that
// is hidden or shown when a menu opens.
outlines.onload = () => {
  if (outlines.status === 200) document.head.append(outlines.responseXML?.documentElement ?? '');
};
outlines.send();

export type IconProps = {
  name: IconName;
  /** 16 in rows and buttons, 13 or 14 for chevrons, 20 to 24 on small screens and in empty places. */
  size?: number;
  /** Only where no word stands beside it. */
  label?: string;
  className?: string;
};

export function Icon({ name, size = 16, label, className = '' }: IconProps) {
  const role = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a name by aria-label, or is hidden
    <svg
      {...role}
      className={`${styles['icon']} ${className}`}
      width={size}
      height={size}
      strokeWidth={size >= 20 ? 1.5 : 1.75}
    >
      <use href={`#icon-${name}`} />
    </svg>
  );
}

/** The API names icons `ti ti-star` or `fa-star`; what is not in the sprite becomes the one given instead. */
export function iconNameOf(classes: string, otherwise: IconName): IconName {
  const names = classes.split(/\s+/).map((word) => word.replace(/^(ti|fa|tlp)-/, ''));
  return names.find(isIconName) ?? otherwise;
}
