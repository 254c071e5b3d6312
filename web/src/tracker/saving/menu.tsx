import type { ReportSettings, Tracker } from '@atelier/client/routes';
import { Suspense, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify } from '../../shell/index.ts';
import { useStanding, wordsOfError } from '../../store/index.ts';
import { Button, later, Menu, MenuItem } from '../../ui/index.ts';
import type { View } from '../view.ts';
import { rendererOf, type ViewKind, type ViewSettings } from '../views.ts';
import { Overtaken, removeReport, saveNewReport, saveReport } from './calls.ts';
import type { ViewNameDialogProps } from './name-dialog.tsx';
import type { OvertakenDialogProps } from './overtaken-dialog.tsx';

export interface SaveMenuProps {
  readonly kind: ViewKind;
  readonly settings?: ViewSettings | undefined;
  readonly tracker: Tracker;
  readonly view: View;
  readonly report: ReportSettings | undefined;
  readonly isChanged: boolean;
  readonly onDiscard: () => void;
  /** Another report is shown from now on. */
  readonly onReport: (id: number | undefined) => void;
  /** It was asked for before it was there. */
  readonly opensAtOnce: boolean;
}

/** Administrators alone are told who may what. */
const isAdministrator = ({ permissions_for_groups }: Tracker) => permissions_for_groups !== null;

/** Reports ask by criteria or by a query. */
const hasBoth = ({ filters, query, words }: View) => filters.length > 0 && (query !== '' || words !== '');

/** Keeps what is seen: in its report, as one's own, or for everybody. */
export function SaveMenu(props: SaveMenuProps) {
  const { kind, settings = {}, tracker, view, report, isChanged, onDiscard, onReport } = props;
  const { saving, tracker: words } = useMessages();
  const { user } = useStanding();
  const [isOpen, setOpen] = useState(props.opensAtOnce);
  const [named, setNamed] = useState<'mine' | 'all'>();
  const [overtaken, setOvertaken] = useState<Overtaken>();
  /** The report as it was known when one began to see it otherwise. */
  const [begun, setBegun] = useState(report);
  if (begun !== report && (!isChanged || begun?.id !== report?.id)) setBegun(report);
  const isAdmin = isAdministrator(tracker);
  const reasonNot = user === null ? saving.signInFirst : hasBoth(view) ? saving.cannotSaveBoth : undefined;
  const mayChange = report !== undefined && (!report.is_public || isAdmin);
  const other = kind === 'table' ? undefined : { type: rendererOf(kind), settings };
  const save = async (isForced = false) => {
    if (report === undefined) return;
    setOvertaken(undefined);
    try {
      await saveReport(tracker, view, other, begun ?? report, isForced);
      onReport(report.id);
      notify({ text: saving.saved(report.label) });
    } catch (error) {
      if (error instanceof Overtaken) setOvertaken(error);
      else notify({ text: wordsOfError(error), kind: 'bad' });
    }
  };
  const remove = async () => {
    if (report === undefined) return;
    try {
      await removeReport(tracker, report.id);
      onReport(undefined);
      notify({ text: saving.deleted(report.label) });
    } catch (error) {
      notify({ text: wordsOfError(error), kind: 'bad' });
    }
  };
  const acts: Readonly<Record<string, () => void>> = {
    save: () => void save(),
    mine: () => setNamed('mine'),
    all: () => setNamed('all'),
    discard: onDiscard,
    remove: () => void remove(),
  };
  const reasonNotSave = reasonNot ?? (isChanged ? undefined : saving.nothingToSave);
  return (
    <>
      <Menu
        aria-label={words.saveView}
        isOpen={isOpen}
        onOpenChange={setOpen}
        placement="bottom end"
        onAction={(key) => acts[String(key)]?.()}
        trigger={
          <Button size="small" opens>
            {words.saveView}
          </Button>
        }
      >
        {report !== undefined && (
          <MenuItem id="save" reasonNot={mayChange ? reasonNotSave : saving.cannotSaveOthers}>
            {words.save}
          </MenuItem>
        )}
        <MenuItem id="mine" reasonNot={reasonNot}>
          {saving.asMine}
        </MenuItem>
        {isAdmin && (
          <MenuItem id="all" reasonNot={reasonNot}>
            {saving.forAll}
          </MenuItem>
        )}
        {isChanged && (
          <MenuItem id="discard" icon="arrow-back-up">
            {words.discard}
          </MenuItem>
        )}
        {mayChange && !report.is_default && (
          <MenuItem id="remove" icon="trash" isDanger>
            {saving.deleteView}
          </MenuItem>
        )}
      </Menu>
      {overtaken !== undefined && report !== undefined && (
        <OvertakenDialog
          {...{ tracker, view, kind, overtaken }}
          onTheirs={() => {
            setOvertaken(undefined);
            onDiscard();
          }}
          onMine={() => void save(true)}
          onClose={() => setOvertaken(undefined)}
        />
      )}
      {named !== undefined && (
        <ViewNameDialog
          isPublic={named === 'all'}
          onClose={() => setNamed(undefined)}
          onSave={async (label) => {
            const saved = await saveNewReport(tracker, view, other, { label, isPublic: named === 'all' });
            setNamed(undefined);
            onReport(saved.id);
            notify({ text: saving.saved(saved.label) });
          }}
        />
      )}
    </>
  );
}

const naming = later(() => import('./name-dialog.tsx'));
const choosing = later(() => import('./overtaken-dialog.tsx'));

function LoadedChoice(props: OvertakenDialogProps) {
  const { OvertakenDialog: Loaded } = choosing.use();
  return <Loaded {...props} />;
}

function OvertakenDialog(props: OvertakenDialogProps) {
  return (
    <Suspense fallback={null}>
      <LoadedChoice {...props} />
    </Suspense>
  );
}

function LoadedDialog(props: ViewNameDialogProps) {
  const { ViewNameDialog: Loaded } = naming.use();
  return <Loaded {...props} />;
}

function ViewNameDialog(props: ViewNameDialogProps) {
  return (
    <Suspense fallback={null}>
      <LoadedDialog {...props} />
    </Suspense>
  );
}
