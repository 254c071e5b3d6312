import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { NameDialog, notify } from '../shell/index.ts';
import { useStanding, useSubmit, wordsOfError } from '../store/index.ts';
import { Button, copyText, Dialog, Menu, MenuItem, MenuSection, Select } from '../ui/index.ts';
import { changeKept, deleteKept, type KeptQuery, keepQuery } from './calls.ts';

const searchedFrom = 8;

/** The queries that are kept: one's own, then those of each project. */
export function KeptMenu({
  all,
  shown,
  onOpen,
}: {
  readonly all: readonly KeptQuery[];
  readonly shown: string | undefined;
  onOpen(id: string): void;
}) {
  const { queries } = useMessages();
  const mine = all.filter(({ project }) => project === undefined);
  const projects = [
    ...new Map(all.flatMap(({ project }) => (project ? [[project.id, project] as const] : []))).values(),
  ];
  const entry = ({ id, title }: KeptQuery) => (
    <MenuItem key={id} id={id} icon="search" isSet={id === shown}>
      {title === '' ? queries.untitled : title}
    </MenuItem>
  );
  return (
    <Menu
      aria-label={queries.kept}
      search={all.length >= searchedFrom ? queries.kept : undefined}
      onAction={(key) => onOpen(String(key))}
      trigger={
        <Button size="small" opens reasonNot={all.length === 0 ? queries.noneKept : null}>
          {queries.kept}
        </Button>
      }
    >
      {mine.length > 0 ? <MenuSection name={queries.mine}>{mine.map(entry)}</MenuSection> : null}
      {projects.map((project) => (
        <MenuSection key={project.id} name={project.label}>
          {all.filter((one) => one.project?.id === project.id).map(entry)}
        </MenuSection>
      ))}
    </Menu>
  );
}

type Asked = 'keep' | 'rename' | 'share' | 'delete';

export interface KeepMenuProps {
  readonly text: string;
  readonly kept: KeptQuery | undefined;
  readonly isChanged: boolean;
  /** Another one is shown from now on; undefined: the text alone. */
  onKept(id: string | undefined): void;
  onDiscard(): void;
}

/** Keeps a query for oneself or for a project, and takes care of one that is kept. */
export function KeepMenu({ text, kept, isChanged, onKept, onDiscard }: KeepMenuProps) {
  const { queries } = useMessages();
  const { user } = useStanding();
  const [asked, setAsked] = useState<Asked>();
  const save = async () => {
    if (kept === undefined) return;
    try {
      await changeKept(kept, { text, title: kept.title, description: kept.description });
      onKept(kept.id);
      notify({ text: queries.saved(kept.title) });
    } catch (error) {
      notify({ text: wordsOfError(error), kind: 'bad' });
    }
  };
  const copy = () => void copyText(window.location.href).then(() => notify({ text: queries.linkCopied }));
  const acts: Readonly<Record<string, () => void>> = {
    save: () => void save(),
    keep: () => setAsked('keep'),
    rename: () => setAsked('rename'),
    share: () => setAsked('share'),
    delete: () => setAsked('delete'),
    copy,
    discard: onDiscard,
  };
  const reasonNot =
    user === null ? queries.signInFirst : text.trim() === '' ? queries.nothingToKeep : undefined;
  const mayNot = kept?.mayChange === true ? undefined : queries.notYours;
  return (
    <>
      <Menu
        aria-label={queries.keep}
        placement="bottom end"
        onAction={(key) => acts[String(key)]?.()}
        trigger={
          <Button size="small" opens>
            {queries.keep}
          </Button>
        }
      >
        {kept !== undefined && (
          <MenuItem id="save" reasonNot={mayNot ?? (isChanged ? undefined : queries.unchanged)}>
            {queries.save}
          </MenuItem>
        )}
        <MenuItem id="keep" icon="plus" reasonNot={reasonNot}>
          {queries.keepAs}
        </MenuItem>
        {kept !== undefined && (
          <MenuItem id="rename" icon="pencil" reasonNot={mayNot}>
            {queries.rename}
          </MenuItem>
        )}
        {kept !== undefined && (
          <MenuItem id="share" icon="users" reasonNot={reasonNot}>
            {queries.share}
          </MenuItem>
        )}
        <MenuItem id="copy" icon="link">
          {queries.copyLink}
        </MenuItem>
        {kept !== undefined && isChanged && (
          <MenuItem id="discard" icon="arrow-back-up">
            {queries.discard}
          </MenuItem>
        )}
        {kept !== undefined && (
          <MenuItem id="delete" icon="trash" isDanger reasonNot={mayNot}>
            {queries.delete}
          </MenuItem>
        )}
      </Menu>
      {(asked === 'keep' || asked === 'share') && (
        <KeepDialog
          text={text}
          from={kept}
          isShared={asked === 'share'}
          onClose={() => setAsked(undefined)}
          onKept={onKept}
        />
      )}
      {asked === 'rename' && kept !== undefined && (
        <RenameDialog kept={kept} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'delete' && kept !== undefined && (
        <DeleteDialog kept={kept} onClose={() => setAsked(undefined)} onGone={() => onKept(undefined)} />
      )}
    </>
  );
}

const ownPlace = 'mine';

function KeepDialog({
  text,
  from,
  isShared,
  onClose,
  onKept,
}: {
  readonly text: string;
  readonly from: KeptQuery | undefined;
  /** Whether it shall be for a project. */
  readonly isShared: boolean;
  onClose(): void;
  onKept(id: string): void;
}) {
  const { queries } = useMessages();
  const { memberships, is_site_administrator: isSiteAdministrator } = useStanding();
  const projects = memberships
    .filter(({ project }) => project.id !== (isShared ? from?.project?.id : undefined))
    .map(({ project, is_administrator }) => ({
      id: String(project.id),
      name: project.label_without_icon,
      reasonNot: is_administrator || isSiteAdministrator ? undefined : queries.onlyAdministrators,
    }));
  const first = projects.find(({ reasonNot }) => reasonNot === undefined)?.id ?? null;
  const [title, setTitle] = useState(from?.title ?? '');
  const [place, setPlace] = useState<string | null>(isShared ? first : ownPlace);
  const save = async () => {
    const projectId = place === ownPlace || place === null ? undefined : Number(place);
    const wish = { text, title: title.trim(), description: from?.description ?? '' };
    const id = await keepQuery({ projectId }, wish, queries.title);
    onClose();
    onKept(id);
    notify({ text: queries.saved(title.trim()) });
  };
  return (
    <NameDialog
      heading={isShared ? queries.shareTitle : queries.keepTitle}
      label={queries.name}
      name={title}
      onName={setTitle}
      isWhole={title.trim() !== '' && place !== null}
      onSave={save}
      onClose={onClose}
    >
      <Select
        label={queries.keptFor}
        help={queries.keptForHelp}
        options={isShared ? projects : [{ id: ownPlace, name: queries.onlyMe }, ...projects]}
        value={place}
        onChange={setPlace}
      />
    </NameDialog>
  );
}

function RenameDialog({ kept, onClose }: { readonly kept: KeptQuery; onClose(): void }) {
  const { queries } = useMessages();
  const [title, setTitle] = useState(kept.title);
  const save = async () => {
    await changeKept(kept, { text: kept.tql_query, title: title.trim(), description: kept.description });
    onClose();
    notify({ text: queries.saved(title.trim()) });
  };
  return (
    <NameDialog
      heading={queries.renameTitle}
      label={queries.name}
      name={title}
      onName={setTitle}
      onSave={save}
      onClose={onClose}
    />
  );
}

function DeleteDialog({
  kept,
  onClose,
  onGone,
}: {
  readonly kept: KeptQuery;
  onClose(): void;
  onGone(): void;
}) {
  const { queries } = useMessages();
  const { fault, isBusy, submit } = useSubmit(async () => {
    await deleteKept(kept);
    onClose();
    onGone();
    notify({ text: queries.deleted(kept.title) });
  });
  return (
    <Dialog
      title={queries.deleteTitle(kept.title)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{queries.cancel}</Button>
          <Button kind="destroy" isBusy={isBusy} onPress={() => void submit()}>
            {queries.delete}
          </Button>
        </>
      }
    >
      <p>{kept.project === undefined ? queries.deleteMine : queries.deleteOfProject(kept.project.label)}</p>
      {fault !== undefined && <p role="alert">{fault}</p>}
    </Dialog>
  );
}
