import type { Artifact } from '@atelier/client/routes';
import { useRef, useState } from 'react';
import {
  ArtifactLine,
  type ArtifactLink,
  CHILD_LINK,
  type Field,
  fieldHolding,
  isChildLink,
  linksIn,
  useArtifacts,
  withLinks,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { openCreation } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { Icon, IconButton } from '../ui/index.ts';
import styles from './artifact.module.css';
import type { Layout } from './layout.ts';
import { type SeenArtifact, useReasonNot, useStore, valueIn } from './seen.ts';

const MOST_CHILDREN = 10;
const DEEPEST = 3;

/** Opens creation; what is created is linked from this artifact. */
export function useCreateLinked(seen: SeenArtifact, field: Field, type: string): () => void {
  const store = useStore(seen);
  const link = (id: number) => {
    const links = linksIn(valueIn(seen.artifact, field.field_id));
    const added: ArtifactLink = { id, type, direction: 'forward', colour: '' };
    store(field, withLinks(field, [...links, added], false));
  };
  // Several may be created one after the other: each is added to what is there by then.
  const latest = useRef(link);
  latest.current = link;
  return () => openCreation({ onCreated: (id) => latest.current(id) });
}

/** Children of an artifact as they are known: links of the type that makes children. */
function childrenOf(artifact: Artifact): ArtifactLink[] {
  const value = fieldHolding(artifact.values ?? [], 'links');
  return linksIn(value).filter(isChildLink);
}

/** What belongs to an artifact, how much of it is done, and what belongs to that. */
export function Children({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  const { artifact: words, fields } = useMessages();
  const { user } = useStanding();
  const reasonNot = useReasonNot();
  const [showsAll, setShowsAll] = useState(false);
  const field = layout.links;
  const links = linksIn(field && valueIn(seen.artifact, field.field_id)).filter(isChildLink);
  const { artifacts } = useArtifacts(links.map(({ id }) => id));
  const mayAdd = field !== undefined && user !== null && reasonNot(seen, field) === null;
  if (links.length === 0 && !mayAdd) return null;
  const done = artifacts.filter(({ is_open: isOpen }) => !isOpen).length;
  const shown = showsAll ? links : links.slice(0, MOST_CHILDREN);
  return (
    <section className={styles['stripPart']} aria-label={words.children}>
      <div className={styles['stripHead']}>
        <h2>{words.children}</h2>
        {artifacts.length > 0 && (
          <span className={styles['count']}>{fields.nOfMDone(done, links.length)}</span>
        )}
        {mayAdd && <AddChild seen={seen} field={field} />}
      </div>
      {links.length > 0 && (
        <div className={styles['bar']}>
          <span style={{ width: `${(done / links.length) * 100}%` }} />
        </div>
      )}
      <Branches links={shown} artifacts={artifacts} depth={1} />
      {links.length > shown.length && (
        <button type="button" className={styles['addText']} onClick={() => setShowsAll(true)}>
          {words.childrenLeft(links.length - shown.length)}
        </button>
      )}
    </section>
  );
}

function AddChild({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field }) {
  const { artifact: words } = useMessages();
  const create = useCreateLinked(seen, field, CHILD_LINK);
  return (
    <span className={styles['sectionAct']}>
      <IconButton icon="plus" size="small" label={words.createChild} onPress={create} />
    </span>
  );
}

function Branches({
  links,
  artifacts,
  depth,
}: {
  readonly links: readonly ArtifactLink[];
  readonly artifacts: readonly Artifact[];
  readonly depth: number;
}) {
  const known = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const hasRoomToFold = depth < DEEPEST && artifacts.some((artifact) => childrenOf(artifact).length > 0);
  return (
    <ul className={styles['children']}>
      {links.map((link) => (
        <Branch
          key={link.id}
          link={link}
          artifact={known.get(link.id)}
          depth={depth}
          hasRoomToFold={hasRoomToFold}
        />
      ))}
    </ul>
  );
}

function Branch({
  link,
  artifact,
  depth,
  hasRoomToFold,
}: {
  readonly link: ArtifactLink;
  readonly artifact: Artifact | undefined;
  readonly depth: number;
  /** Those beside it may have children though it has none: titles stand below each other. */
  readonly hasRoomToFold: boolean;
}) {
  const { artifact: words } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const below = artifact === undefined || depth >= DEEPEST ? [] : childrenOf(artifact);
  return (
    <li className={styles['branch']}>
      <div className={styles['branchLine']}>
        {below.length > 0 ? (
          <button
            type="button"
            className={styles['fold']}
            aria-expanded={isOpen}
            aria-label={words.showChildren(artifact?.xref ?? `#${link.id}`)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          </button>
        ) : (
          hasRoomToFold && <span className={styles['fold']} />
        )}
        <ArtifactLine artifact={artifact} id={link.id} colour={link.colour} />
      </div>
      {isOpen && <Below links={below} depth={depth + 1} />}
    </li>
  );
}

/** Asked for when somebody opens the branch. */
function Below({ links, depth }: { readonly links: readonly ArtifactLink[]; readonly depth: number }) {
  const { artifacts } = useArtifacts(links.map(({ id }) => id));
  return <Branches links={links} artifacts={artifacts} depth={depth} />;
}
