import { type SnoozeChoice, snoozedUntil } from '../kernel/snooze.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, notify, tellFault } from '../shell/index.ts';
import { changeInbox, type InboxChange, markInInbox, type Notification } from '../store/index.ts';
import { askInboxAgain, leaveInbox } from './calls.ts';

type State = Partial<Pick<Notification, 'is_read' | 'is_done' | 'snoozed_until'>>;

/** Changes that the server has not answered yet. */
let underWay = 0;

/**
 * What is done to entries: seen at once, and taken back where the server refuses it. An answer that was asked for before tells what was
 * before, so it is not waited for; the inbox is read anew when all that was done is stored.
 */
function change(entries: readonly Notification[], state: State, more: InboxChange = {}): void {
  const ids = entries.map(({ id }) => id);
  const isMeant = ({ id }: Notification) => ids.includes(id);
  leaveInbox();
  markInInbox(isMeant, state);
  underWay++;
  changeInbox({ ids, ...state, ...more })
    .catch(tellFault)
    .finally(() => {
      underWay--;
      if (underWay === 0) void askInboxAgain();
    });
}

/** Everything that can be done to entries of the inbox, with its words and the way back. */
export function useInboxActs() {
  const { inbox } = useMessages();
  const formats = useFormats();
  const { said } = inbox;

  const back = (entries: readonly Notification[]) => {
    change(entries, { is_done: false });
    const [first] = entries;
    if (first !== undefined) announce(said.back(first.artifact.xref));
  };
  const snooze = (entry: Notification, until: Date) => {
    const { xref } = entry.artifact;
    const iso = until.toISOString();
    change([entry], { snoozed_until: iso });
    const before = entry.snoozed_until;
    notify({
      text: said.snoozed(xref, formats.moment(localText(until))),
      undo: () => {
        change([entry], { snoozed_until: before });
        announce(said.back(xref));
      },
    });
  };
  return {
    done(entry: Notification) {
      const { xref } = entry.artifact;
      change([entry], { is_done: true });
      notify({ text: said.done(xref), undo: () => back([entry]) });
    },
    notDone: (entry: Notification) => back([entry]),
    allDone(entries: readonly Notification[]) {
      change(entries, { is_done: true });
      const count = entries.length;
      notify({ text: said.allDone(count, formats.number(count)), undo: () => back(entries) });
    },
    turnRead(entry: Notification) {
      const { xref } = entry.artifact;
      change([entry], { is_read: !entry.is_read });
      announce(entry.is_read ? said.unread(xref) : said.read(xref));
    },
    snooze,
    snoozeFor: (entry: Notification, choice: SnoozeChoice) => snooze(entry, snoozedUntil(choice, new Date())),
    wake(entry: Notification) {
      change([entry], { snoozed_until: null });
      announce(said.back(entry.artifact.xref));
    },
  };
}

const two = (value: number) => String(value).padStart(2, '0');

/** A moment on the clock of whoever looks, as texts of the server stand. */
const localText = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
