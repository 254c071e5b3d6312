import { type ReactNode, useState } from 'react';
import {
  type Field,
  fieldTypeOf,
  holds,
  isChildLink,
  isParentLink,
  LinkAdder,
  linksIn,
  shapeOf,
  withLinks,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { Button, Icon, RichText } from '../ui/index.ts';
import styles from './artifact.module.css';
import { useCreateLinked } from './children.tsx';
import { EditableField } from './editable-field.tsx';
import { type FormPart, fieldsWithin, formParts, type Layout, type Section } from './layout.ts';
import { moreOf, type SeenArtifact, useReasonNot, useStore, valueIn } from './seen.ts';

const isEmptyField = (seen: SeenArtifact, field: Field): boolean =>
  fieldTypeOf(field.type).isEmpty(valueIn(seen.artifact, field.field_id));

/** Fields in the order of the form: texts alone, the rest in pairs; what is empty folds to one line. */
export function Sections({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  const hasNames = layout.sections.filter(({ narrow }) => narrow.length > 0).length > 1;
  return (
    <>
      {layout.description && <EditableField seen={seen} field={layout.description} isWide />}
      {layout.sections.map((section) => (
        <SectionFields key={section.id} seen={seen} section={section} hasName={hasNames} />
      ))}
    </>
  );
}

function SectionFields({
  seen,
  section,
  hasName,
}: {
  readonly seen: SeenArtifact;
  readonly section: Section;
  readonly hasName: boolean;
}) {
  return (
    <>
      {section.wide.map((field) =>
        shapeOf(field) === 'words' ? (
          <StaticText key={field.field_id} field={field} />
        ) : (
          <EditableField key={field.field_id} seen={seen} field={field} isWide />
        ),
      )}
      {section.narrow.length > 0 && <Pairs seen={seen} section={section} hasName={hasName} />}
    </>
  );
}

function Pairs({
  seen,
  section,
  hasName,
}: {
  readonly seen: SeenArtifact;
  readonly section: Section;
  readonly hasName: boolean;
}) {
  const { artifact: words } = useMessages();
  const [showsEmpty, setShowsEmpty] = useState(false);
  const empty = section.narrow.filter((field) => isEmptyField(seen, field));
  const shown = showsEmpty ? section.narrow : section.narrow.filter((field) => !empty.includes(field));
  return (
    <section className={styles['section']} aria-label={section.label}>
      {hasName && section.label !== undefined && (
        <div className={styles['sectionHead']}>
          <h2>{section.label}</h2>
        </div>
      )}
      <div className={styles['pairs']}>
        {shown.map((field) => (
          <div key={field.field_id} className={styles['pair']}>
            <div className={styles['label']}>{field.label}</div>
            <EditableField seen={seen} field={field} />
          </div>
        ))}
        {empty.length > 0 && (
          <button
            type="button"
            className={styles['emptyFields']}
            aria-expanded={showsEmpty}
            onClick={() => setShowsEmpty(!showsEmpty)}
          >
            {showsEmpty ? words.hideEmptyFields : words.emptyFields(empty.length)}
            <Icon name={showsEmpty ? 'chevron-up' : 'chevron-down'} size={14} />
          </button>
        )}
      </div>
    </section>
  );
}

function StaticText({ field }: { readonly field: Field }) {
  const { specific_properties: properties } = field;
  const html = 'static_value' in properties ? properties['static_value'] : '';
  return <RichText html={typeof html === 'string' ? html : ''} />;
}

export function Files({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  const reasonNot = useReasonNot();
  const shown = layout.files.filter((field) => reasonNot(seen, field) === null || !isEmptyField(seen, field));
  return shown.map((field) => (
    <section key={field.field_id} className={styles['section']} aria-label={field.label}>
      <div className={styles['sectionHead']}>
        <h2>{field.label}</h2>
        <FileCount seen={seen} field={field} />
      </div>
      <EditableField seen={seen} field={field} />
    </section>
  ));
}

function FileCount({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field }) {
  const files = valueIn(seen.artifact, field.field_id)?.['file_descriptions'];
  const count = Array.isArray(files) ? files.length : 0;
  return count === 0 ? null : <span className={styles['count']}>{count}</span>;
}

/** Links by type and direction; children and parents stand elsewhere. */
export function Links({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  const { links: field } = layout;
  const reasonNot = useReasonNot();
  const store = useStore(seen);
  if (field === undefined) return null;
  const all = linksIn(valueIn(seen.artifact, field.field_id));
  const family = all.filter((link) => isChildLink(link) || isParentLink(link));
  const others = all.filter((link) => !family.includes(link));
  const mayChange = reasonNot(seen, field) === null;
  if (others.length === 0 && !mayChange) return null;
  const { Reader, Control } = fieldTypeOf(field.type);
  const value = withLinks(field, others, false);
  return (
    <section className={styles['section']} aria-label={field.label}>
      <div className={styles['sectionHead']}>
        <h2>{field.label}</h2>
        {others.length > 0 && <span className={styles['count']}>{others.length}</span>}
        {mayChange && (
          <span className={styles['sectionAct']}>
            <CreateLinked seen={seen} field={field} />
            <LinkAdder
              field={field}
              place={seen.place}
              onAdd={(link) => store(field, withLinks(field, [...all, link], link.direction === 'reverse'))}
            />
          </span>
        )}
      </div>
      {others.length > 0 && mayChange && Control ? (
        <div className={styles['withoutAdder']}>
          <Control
            field={field}
            value={value}
            place={seen.place}
            onChange={(next) =>
              store(field, withLinks(field, [...family, ...linksIn(next)], next['changes_reverse'] === true))
            }
          />
        </div>
      ) : (
        others.length > 0 && <Reader field={field} value={value} place={seen.place} />
      )}
    </section>
  );
}

function CreateLinked({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field }) {
  const { artifact: words } = useMessages();
  const create = useCreateLinked(seen, field, '');
  return (
    <Button kind="quiet" size="small" className={styles['quietAct'] ?? ''} onPress={create}>
      {words.createLinked}
    </Button>
  );
}

/** The form exactly as its administrator made it. */
export function AsBuilt({ seen }: { readonly seen: SeenArtifact }) {
  const { hiddenFieldsetIds } = moreOf(seen.artifact);
  const parts = formParts(seen.tracker).filter(({ field }) => !hiddenFieldsetIds.has(field.field_id));
  return parts.map((part) => <BuiltPart key={part.field.field_id} seen={seen} part={part} />);
}

function BuiltPart({ seen, part }: { readonly seen: SeenArtifact; readonly part: FormPart }) {
  const { field, parts } = part;
  const inner = parts.map((each) => <BuiltPart key={each.field.field_id} seen={seen} part={each} />);
  const shape = shapeOf(field);
  if (shape === 'group') return <BuiltFieldset part={part}>{inner}</BuiltFieldset>;
  if (shape === 'column') return <div className={styles['builtColumn']}>{inner}</div>;
  if (shape === 'space') return <div className={styles['lineBreak']} />;
  if (shape === 'rule') return <hr className={styles['separator']} />;
  if (shape === 'words') return <StaticText field={field} />;
  if (fieldTypeOf(field.type).isWide && !holds(field, 'files') && !holds(field, 'links'))
    return <EditableField seen={seen} field={field} isWide />;
  return (
    <div className={styles['pair']}>
      <div className={styles['label']}>{field.label}</div>
      <EditableField seen={seen} field={field} />
    </div>
  );
}

function BuiltFieldset({ part, children }: { readonly part: FormPart; readonly children: ReactNode }) {
  const [isFolded, setFolded] = useState(part.field.collapsed);
  if (fieldsWithin(part).length === 0) return null;
  return (
    <section className={styles['section']} aria-label={part.field.label}>
      <div className={styles['sectionHead']}>
        <h2>
          <button type="button" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size={14} />
            {part.field.label}
          </button>
        </h2>
      </div>
      {!isFolded && <div className={styles['built']}>{children}</div>}
    </section>
  );
}
