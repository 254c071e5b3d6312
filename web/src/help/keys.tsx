import { type Messages, useMessages } from '../messages/index.ts';
import { Key } from '../ui/index.ts';
import styles from './help.module.css';

interface KeyLine {
  readonly keys: readonly string[];
  readonly name: string;
}

const line = (name: string, ...keys: readonly string[]): KeyLine => ({ keys, name });

/** All keys, by where they work, in the words that they have there. */
function keysByPlace(words: Messages): readonly (readonly [string, readonly KeyLine[]])[] {
  const { artifact, board, help, home, inbox, search, shell, svn, timeline, tracker } = words;
  return [
    [
      help.keyPlaces.everywhere,
      [
        line(shell.palette.title, 'Mod k'),
        line(shell.keys, '?'),
        line(shell.create, 'c'),
        line(shell.createElsewhere, 'Shift c'),
        line(shell.goHome, 'g h', 'g m'),
        line(shell.goInbox, 'g i'),
        line(shell.goProjects, 'g p'),
        line(shell.goQueries, 'g q'),
        line(shell.goSearch, '/'),
        line(shell.undoLast, 'Mod z'),
        line(shell.copyAddress, 'y'),
        line(shell.collapse, '['),
      ],
    ],
    [
      help.keyPlaces.home,
      [
        line(home.keys.next, 'j', 'Down'),
        line(home.keys.previous, 'k', 'Up'),
        line(home.keys.open, 'o'),
        line(home.keys.status, 's'),
      ],
    ],
    [
      help.keyPlaces.table,
      [
        line(tracker.next, 'j'),
        line(tracker.previous, 'k'),
        line(tracker.open, 'o'),
        line(tracker.edit, 'e'),
        line(help.keyFields.status, 's'),
        line(help.keyFields.assignee, 'a'),
        line(help.keyFields.due, 'd'),
        line(help.keyFields.priority, 'p'),
        line(help.keyFields.labels, 'l'),
        line(tracker.select, 'x'),
        line(tracker.addFilter, 'f'),
        line(tracker.clearFilters, 'Shift f'),
        line(tracker.searchHere, '/'),
        line(tracker.queryLabel, 'Mod ?'),
        line(tracker.print, 'Mod p'),
        line(tracker.closePanel, 'Esc'),
      ],
    ],
    [
      help.keyPlaces.board,
      [
        line(board.next, 'j'),
        line(board.previous, 'k'),
        line(board.open, 'o'),
        line(board.moveCard, 'Shift m'),
      ],
    ],
    [
      help.keyPlaces.calendar,
      [line(timeline.today, 't'), line(timeline.before, '['), line(timeline.after, ']')],
    ],
    [
      help.keyPlaces.artifact,
      [
        line(artifact.commentLabel, 'm'),
        line(artifact.next, 'Shift j'),
        line(artifact.previous, 'Shift k'),
        line(artifact.watch, 'w'),
        line(artifact.mute, 'Shift w'),
        line(artifact.copyReference('art #…'), 'Shift y'),
        line(help.keyFields.send, 'Mod Enter'),
      ],
    ],
    [
      help.keyPlaces.inbox,
      [
        line(inbox.keys.next, 'j', 'Down'),
        line(inbox.keys.previous, 'k', 'Up'),
        line(inbox.keys.open, 'o'),
        line(inbox.keys.done, 'e'),
        line(inbox.keys.allDone, 'Shift e'),
        line(inbox.keys.unread, 'u'),
        line(inbox.keys.snooze, 'h'),
        line(inbox.keys.close, 'Esc'),
      ],
    ],
    [
      help.keyPlaces.search,
      [
        line(home.keys.next, 'j', 'Down'),
        line(home.keys.previous, 'k', 'Up'),
        line(home.keys.open, 'o'),
        line(search.otherWords, '/'),
        line(tracker.closePanel, 'Esc'),
      ],
    ],
    [
      help.keyPlaces.svn,
      [line(svn.findFile, 't'), line(svn.before, 'k'), line(svn.after, 'j'), line(svn.up, 'Left')],
    ],
  ];
}

/** Every key of the application, and where it works. */
export function AllKeys() {
  const words = useMessages();
  return keysByPlace(words).map(([place, lines]) => (
    <section key={place} aria-label={place} className={styles['section']}>
      <h2 className={styles['heading']}>{place}</h2>
      <ul className={styles['keys']}>
        {lines.map(({ name, keys }) => (
          <li key={name}>
            <span>{name}</span>
            <span className={styles['caps']}>
              {keys.map((each) => (
                <Key key={each} keys={each} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  ));
}
