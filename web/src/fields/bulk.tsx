import { type ComponentType, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import type { FieldEntry } from '../store/index.ts';
import { Button, IconButton, Select } from '../ui/index.ts';
import { CHILD_LINK, linksIn, withLinks } from './links.ts';
import { chosenIn, sentId } from './lists.tsx';
import {
  type ControlProps,
  type Field,
  type FieldValue,
  may,
  membersIn,
  textIn,
  withValue,
} from './model.ts';
import { uploadFile } from './parts/calls.ts';
import styles from './parts/controls.module.css';
import { ArtifactFinder } from './parts/links.tsx';
import { fieldTypes } from './types.ts';

/** What is done to the value of many artifacts: it is replaced, or single items come to it or go. */
export type BulkAct = 'set' | 'add' | 'remove';

/** How fields of a type are changed in many artifacts at once. */
export interface BulkRules {
  /** The usual one first. */
  readonly acts: readonly BulkAct[];
  readonly Control: ComponentType<ControlProps>;
  /** Whether a single press says all that is to be said. */
  readonly isOnePress: boolean;
  entryOf(field: Field, value: FieldValue, act: BulkAct): FieldEntry;
  /** Where every artifact needs something of its own, such as its copy of a file: what is sent for the next one. */
  entryForOne?(field: Field, value: FieldValue): Promise<FieldEntry>;
}

/** Of lists of several values: ids for those that are there, words for those that are new. */
function itemsEntry(field: Field, value: FieldValue, act: BulkAct): FieldEntry {
  const chosen = chosenIn(value);
  const isNew = (id: string) => id.startsWith('new:');
  const ids = chosen.filter(({ id }) => !isNew(id)).map(({ id }) => sentId(id));
  if (act === 'remove') return { field_id: field.field_id, remove_value_ids: ids };
  const typed = membersIn(value['bind_value_objects']).filter(
    ({ id }) => id === undefined || isNew(String(id)),
  );
  const words = typed.map((object) => textIn(object['label']));
  return {
    field_id: field.field_id,
    add_value_ids: ids,
    ...(words.length === 0 ? {} : { add_values: words }),
  };
}

function linksEntry(field: Field, value: FieldValue, act: BulkAct): FieldEntry {
  const links = linksIn(value);
  return act === 'remove'
    ? { field_id: field.field_id, remove_links: links.map(({ id }) => id) }
    : { field_id: field.field_id, add_links: links.map(({ id, type }) => ({ id, type })) };
}

/** Links that come to those that are there: which artifacts, and what they are to these. */
function LinksControl({ field, value, onChange, place }: ControlProps) {
  const { fields } = useMessages();
  const links = linksIn(value);
  const [type, setType] = useState('');
  const labelOf = (name: string) => {
    if (name === CHILD_LINK) return fields.parentOf;
    return field.allowed_types?.find(({ shortname }) => shortname === name)?.forward_label ?? fields.linkedTo;
  };
  const types = ['', ...(field.allowed_types ?? []).map(({ shortname }) => shortname)];
  const keep = (next: typeof links) => onChange(withLinks(field, next, false));
  return (
    <div className={styles['linkForm']}>
      <Select
        aria-label={fields.linkType}
        options={types.map((id) => ({ id: id === '' ? 'plain' : id, name: labelOf(id) }))}
        value={type === '' ? 'plain' : type}
        onChange={(id) => {
          const next = id === null || id === 'plain' ? '' : id;
          setType(next);
          keep(links.map((link) => ({ ...link, type: next })));
        }}
      />
      {links.map((link) => (
        <span key={link.id} className={styles['chosenLink']}>
          {`${labelOf(link.type)} #${link.id}`}
          <IconButton
            icon="x"
            size="small"
            iconSize={14}
            label={fields.unlink(`#${link.id}`)}
            onPress={() => keep(links.filter((other) => other !== link))}
          />
        </span>
      ))}
      <ArtifactFinder
        projectId={place.projectId}
        onChoose={({ id }) =>
          keep([...links.filter((link) => link.id !== id), { id, type, direction: 'forward', colour: '' }])
        }
      />
    </div>
  );
}

const chosenFiles = (value: FieldValue | undefined): readonly File[] => {
  const files: unknown = value?.['files'];
  return Array.isArray(files) ? files.filter((file) => file instanceof File) : [];
};

/** Files that come to those that are there: each artifact gets its own copy, once it is known which do. */
function FilesControl({ field, value, onChange }: ControlProps) {
  const { fields } = useMessages();
  const chooser = useRef<HTMLInputElement>(null);
  const files = chosenFiles(value);
  const keep = (next: readonly File[]) =>
    onChange(
      withValue(field, { files: next, file_descriptions: next.map(({ name }, id) => ({ id, name })) }),
    );
  return (
    <div className={styles['linkForm']}>
      {files.map((file) => (
        <span key={file.name} className={styles['chosenLink']}>
          {file.name}
          <IconButton
            icon="x"
            size="small"
            iconSize={14}
            label={fields.removeFile(file.name)}
            onPress={() => keep(files.filter((other) => other !== file))}
          />
        </span>
      ))}
      <Button icon="plus" size="small" onPress={() => chooser.current?.click()}>
        {fields.addFiles}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={fields.addFiles}
        onChange={(event) => {
          keep([...files, ...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
}

async function uploadedFiles(field: Field, value: FieldValue): Promise<FieldEntry> {
  const ids: number[] = [];
  for (const file of chosenFiles(value)) ids.push((await uploadFile(field.field_id, file, {})).id);
  return { field_id: field.field_id, add_files: ids };
}

const several: readonly BulkAct[] = ['add', 'remove', 'set'];

const special: Readonly<Record<string, Partial<BulkRules>>> = {
  msb: { acts: several },
  cb: { acts: several },
  tbl: { acts: several },
  art_link: { acts: ['add', 'remove'], Control: LinksControl, entryOf: linksEntry },
  file: {
    acts: ['add'],
    Control: FilesControl,
    entryOf: (field) => ({ field_id: field.field_id, add_files: [] }),
    entryForOne: uploadedFiles,
  },
};

/** How a field is changed in many artifacts; undefined where nobody can. */
export function bulkRulesOf(field: Field): BulkRules | undefined {
  const type = fieldTypes[field.type];
  const Control = type?.BulkControl ?? type?.Control;
  if (type === undefined || Control === undefined || !may(field, 'update')) return undefined;
  return {
    acts: ['set'],
    Control,
    isOnePress: type.isChoice && special[field.type] === undefined,
    ...special[field.type],
    entryOf: (given, value, act) => {
      if (act === 'set') return type.entryOf(given, value);
      return (special[field.type]?.entryOf ?? itemsEntry)(given, value, act);
    },
  };
}
