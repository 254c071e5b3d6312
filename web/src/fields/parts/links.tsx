import type { Artifact } from '@atelier/client/routes';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { knownThing, trackerFacet } from '../../store/index.ts';
import {
  EmptyDash,
  Face,
  IconButton,
  Popover,
  SearchField,
  Select,
  StatusRing,
  type StatusStage,
  TrackerMark,
} from '../../ui/index.ts';
import { type FoundArtifact, useArtifacts } from '../calls.ts';
import { choicesIn, personOf } from '../choice.ts';
import { type ArtifactLink, CHILD_LINK, linksIn, withLinks } from '../links.ts';
import type { ControlProps, Field, FieldPlace, FieldValue, ReaderProps } from '../model.ts';
import { statusField, statusStages } from '../status.ts';
import { useFoundArtifacts } from './calls.ts';
import styles from './controls.module.css';

function useLinkLabel(field: Field): (link: Pick<ArtifactLink, 'type' | 'direction'>) => string {
  const { fields } = useMessages();
  return ({ type, direction }) => {
    if (type === CHILD_LINK) return direction === 'forward' ? fields.parentOf : fields.childOf;
    const known = field.allowed_types?.find(({ shortname }) => shortname === type);
    if (known === undefined) return direction === 'forward' ? fields.linkedTo : fields.linkedFrom;
    return direction === 'forward' ? known.forward_label : known.reverse_label;
  };
}

/** By the tracker where it is known already, else open or closed. */
function stageOf(artifact: Artifact): StatusStage {
  const tracker = knownThing(artifact.tracker.uri, trackerFacet)?.body;
  if (tracker !== undefined) {
    const id = statusField(tracker)?.field_id;
    const value: FieldValue | undefined = artifact.values?.find(({ field_id: each }) => each === id);
    const [chosen] = choicesIn(value?.['values']);
    const stage = statusStages(tracker).get(chosen?.id ?? '');
    if (stage !== undefined) return stage;
  }
  return artifact.is_open ? 'empty' : 'done';
}

/** One line an artifact: its status, what it is, who is at it. */
export function ArtifactLine({
  artifact,
  id,
  colour,
}: {
  readonly artifact: Artifact | undefined;
  readonly id: number;
  readonly colour?: string;
}) {
  return (
    <Link href={`/artifacts/${id}`} className={styles['linkTarget'] ?? ''}>
      {artifact ? (
        <StatusRing colour={artifact.full_status?.color} stage={stageOf(artifact)} />
      ) : (
        <TrackerMark colour={colour ?? ''} />
      )}
      <span className={styles['linkRef']}>{artifact?.xref ?? `#${id}`}</span>
      <span className={styles['linkTitle']}>{artifact?.title ?? ''}</span>
    </Link>
  );
}

/** Children and parents of the strip and the head of a page are not said twice there. */
function LinkRows({
  field,
  links,
  onRemove,
}: {
  readonly field: Field;
  readonly links: readonly ArtifactLink[];
  readonly onRemove?: ((link: ArtifactLink) => void) | undefined;
}) {
  const { fields } = useMessages();
  const labelOf = useLinkLabel(field);
  const { artifacts } = useArtifacts(links.map(({ id }) => id));
  const known = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  return (
    <ul className={styles['links']}>
      {links.map((link) => {
        const artifact = known.get(link.id);
        const [assignee] = artifact?.assignees ?? [];
        return (
          <li key={`${link.direction} ${link.id}`} className={styles['link']}>
            <span className={styles['linkType']} title={labelOf(link)}>
              {labelOf(link)}
            </span>
            <ArtifactLine artifact={artifact} id={link.id} colour={link.colour} />
            <span className={styles['linkStatus']}>{artifact?.full_status?.value ?? ''}</span>
            {assignee ? <Face {...personOf(assignee)} isNamed /> : <span />}
            {onRemove && (
              <IconButton
                className={styles['linkAct'] ?? ''}
                size="small"
                icon="link-off"
                label={fields.unlink(artifact?.xref ?? `#${link.id}`)}
                onPress={() => onRemove(link)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function LinksReader({ field, value }: ReaderProps) {
  const links = linksIn(value);
  return links.length === 0 ? <EmptyDash /> : <LinkRows field={field} links={links} />;
}

export function LinksControl({ field, value, onChange, place, label }: ControlProps) {
  const links = linksIn(value);
  const changesReverse = value?.['changes_reverse'] === true;
  const put = (next: readonly ArtifactLink[], link: ArtifactLink) =>
    onChange(withLinks(field, next, changesReverse || link.direction === 'reverse'));
  return (
    <div>
      <LinkRows
        field={field}
        links={links}
        onRemove={(link) =>
          put(
            links.filter((other) => other !== link),
            link,
          )
        }
      />
      <LinkAdder
        field={field}
        place={place}
        label={label}
        onAdd={(link) =>
          put(
            [...links.filter(({ id, direction }) => id !== link.id || direction !== link.direction), link],
            link,
          )
        }
      />
    </div>
  );
}

/** Finds an artifact by number or words, and says how it is linked. */
export function LinkAdder({
  field,
  place,
  onAdd,
  label,
}: {
  readonly field: Field;
  readonly place: FieldPlace;
  readonly onAdd: (link: ArtifactLink) => void;
  readonly label?: string | undefined;
}) {
  const { fields } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<string>(' forward');
  const labelOf = useLinkLabel(field);
  const kinds = ['', ...(field.allowed_types ?? []).map(({ shortname }) => shortname)].flatMap((type) =>
    (['forward', 'reverse'] as const).map((direction) => ({
      id: `${type} ${direction}`,
      name: labelOf({ type, direction }),
    })),
  );
  const add = ({ id }: FoundArtifact) => {
    const [type = '', direction] = kind.split(' ');
    onAdd({ id, type, direction: direction === 'reverse' ? 'reverse' : 'forward', colour: '' });
    setOpen(false);
  };
  return (
    <Popover
      label={fields.addLink}
      placement="bottom end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <IconButton
          icon="plus"
          label={label === undefined ? fields.addLink : `${label}: ${fields.addLink}`}
        />
      }
    >
      <div className={styles['linkForm']}>
        <Select
          aria-label={fields.linkType}
          options={kinds}
          value={kind}
          onChange={(id) => setKind(id ?? ' forward')}
        />
        <ArtifactFinder projectId={place.projectId} exceptId={place.artifact?.id} onChoose={add} />
      </div>
    </Popover>
  );
}

export function ArtifactFinder({
  projectId,
  exceptId,
  onChoose,
}: {
  readonly projectId: number;
  readonly exceptId?: number | undefined;
  readonly onChoose: (artifact: FoundArtifact) => void;
}) {
  const { fields, ui } = useMessages();
  const [words, setWords] = useState('');
  const { found, isAsking } = useFoundArtifacts(words, projectId);
  const offered = found.filter(({ id }) => id !== exceptId);
  const [first] = offered;
  return (
    <>
      <SearchField
        autoFocus
        placeholder={fields.searchArtifacts}
        value={words}
        onChange={setWords}
        onSubmit={() => first && onChoose(first)}
      />
      <fieldset className={styles['found']} aria-label={fields.linkTo}>
        {offered.map((artifact) => (
          <button key={artifact.id} type="button" onClick={() => onChoose(artifact)}>
            <span className={styles['linkRef']}>{artifact.xref}</span>
            <span className={styles['linkTitle']}>{artifact.title}</span>
          </button>
        ))}
        {words.trim() !== '' && offered.length === 0 && !isAsking && (
          <span className={styles['linkType']}>{ui.nothingFound}</span>
        )}
      </fieldset>
    </>
  );
}
