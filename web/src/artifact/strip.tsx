import type { Artifact } from '@atelier/client/routes';
import { Link } from 'react-aria-components';
import { fieldHolding, firstName, personOf, type Reference, referencesIn } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { Face, RelativeTime } from '../ui/index.ts';
import styles from './artifact.module.css';
import { Children } from './children.tsx';
import { EditableField } from './editable-field.tsx';
import type { Layout } from './layout.ts';
import { type SeenArtifact, valueIn } from './seen.ts';

/** Facts beside the text: who, when, how much; children; where it came from. */
export function Strip({
  seen,
  layout,
  isEmpty,
}: {
  readonly seen: SeenArtifact;
  readonly layout: Layout;
  /** Its room alone, until what stands in it is drawn. */
  readonly isEmpty: boolean;
}) {
  const { artifact: words } = useMessages();
  return (
    <aside className={styles['strip']} aria-label={words.facts}>
      {!isEmpty && (
        <>
          <StripFields seen={seen} layout={layout} />
          <Children seen={seen} layout={layout} />
          <Origins seen={seen} />
        </>
      )}
    </aside>
  );
}

/** Who made it, when it was changed last, and what names it. */
export function Origins({ seen }: { readonly seen: SeenArtifact }) {
  return (
    <>
      <Origin artifact={seen.artifact} />
      <References seen={seen} />
    </>
  );
}

export function StripFields({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  if (layout.strip.length === 0) return null;
  return (
    <div className={styles['facts']}>
      {layout.strip.map((field) => (
        <div key={field.field_id} className={styles['fact']}>
          <div className={styles['factLabel']} title={field.label}>
            {field.label}
          </div>
          <EditableField seen={seen} field={field} />
        </div>
      ))}
    </div>
  );
}

function Origin({ artifact }: { readonly artifact: Artifact }) {
  const { artifact: words } = useMessages();
  const formats = useFormats();
  const submitter = personOf(artifact.submitted_by_user);
  return (
    <div className={styles['stripPart']}>
      <div className={styles['facts']}>
        <div className={styles['fact']}>
          <div className={styles['factLabel']}>{words.submitted}</div>
          <div className={styles['person']} title={formats.exact(artifact.submitted_on)}>
            <Face {...submitter} />
            <span>{words.by(firstName(submitter.name), formats.day(artifact.submitted_on))}</span>
          </div>
        </div>
        <div className={styles['fact']}>
          <div className={styles['factLabel']}>{words.updated}</div>
          <RelativeTime at={artifact.last_modified_date} />
        </div>
      </div>
    </div>
  );
}

function References({ seen }: { readonly seen: SeenArtifact }) {
  const { artifact: words } = useMessages();
  const field = fieldHolding(seen.tracker.fields, 'references');
  const all = field === undefined ? [] : referencesIn(valueIn(seen.artifact, field.field_id));
  const comesIn = ({ direction }: Reference) => direction !== 'out';
  const groups = [
    { name: words.referencedIn, references: all.filter(comesIn) },
    { name: words.refersTo, references: all.filter((reference) => !comesIn(reference)) },
  ];
  return groups
    .filter(({ references }) => references.length > 0)
    .map(({ name, references }) => (
      <section key={name} className={styles['stripPart']} aria-label={name}>
        <div className={styles['stripHead']}>
          <h2>{name}</h2>
          <span className={styles['count']}>{references.length}</span>
        </div>
        <ul className={styles['children']}>
          {references.map(({ ref, address }) => (
            <li key={ref}>
              <Link href={address} className={styles['reference'] ?? ''}>
                {ref}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    ));
}
