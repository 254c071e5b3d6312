import { FieldCell } from '../fields/index.ts';
import { plainText } from '../kernel/plain-text.ts';
import { EmptyDash, TrackerMark } from '../ui/index.ts';
import type { QueryCell, QueryColumn } from './calls.ts';
import styles from './queries.module.css';

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const membersIn = (value: unknown): readonly QueryCell[] =>
  Array.isArray(value)
    ? value.filter((one): one is QueryCell => typeof one === 'object' && one !== null)
    : [];

/** People are told without their ids: the same name has the same colour. */
const numberOf = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

const withNumber = (user: QueryCell): QueryCell => ({ ...user, id: numberOf(textIn(user['display_name'])) });

/** A cell as rows of a tracker have it, which fields know how to draw. */
function asRowCell({ type }: QueryColumn, cell: QueryCell): QueryCell {
  const values = membersIn(cell['value']);
  switch (type) {
    case 'text':
      return { value: plainText(textIn(cell['value'])) };
    case 'user':
      return withNumber(cell);
    case 'list_user':
      return { value: values.map(withNumber) };
    case 'list_static':
      return { value: values.map((value) => ({ ...value, id: `value ${textIn(value['label'])}` })) };
    case 'list_user_group':
      return {
        value: values.map((value) => ({
          ...value,
          id: `group ${textIn(value['label'])}`,
          short_name: textIn(value['label']),
        })),
      };
    default:
      return cell;
  }
}

function Words({ children }: { readonly children: string }) {
  return children === '' ? <EmptyDash /> : <span className={styles['words']}>{children}</span>;
}

/** What a query found of one column of an artifact. */
export function ContentCell({
  column,
  cell,
}: {
  readonly column: QueryColumn;
  readonly cell: QueryCell | undefined;
}) {
  if (cell === undefined) return <EmptyDash />;
  switch (column.type) {
    case 'project':
      return <Words>{`${textIn(cell['icon'])} ${textIn(cell['name'])}`.trim()}</Words>;
    case 'tracker':
      return (
        <>
          <TrackerMark colour={textIn(cell['color'])} />
          <Words>{textIn(cell['name'])}</Words>
        </>
      );
    case 'pretty_title':
      return (
        <>
          <TrackerMark colour={textIn(cell['color'])} />
          <span className={styles['reference']}>{referenceOf(cell)}</span>
          <Words>{textIn(cell['title'])}</Words>
        </>
      );
    case 'link_type':
      return <Words>{textIn(cell['label'])}</Words>;
    case 'unknown':
      return <EmptyDash />;
    default:
      return <FieldCell column={{ ...column, label: column.name }} cell={asRowCell(column, cell)} />;
  }
}

const referenceOf = (cell: QueryCell) => `${textIn(cell['tracker_name'])} #${textIn(cell['artifact_id'])}`;

/** A cell in words: for files. */
export function cellText(column: QueryColumn, cell: QueryCell | undefined): string {
  if (cell === undefined) return '';
  switch (column.type) {
    case 'artifact':
      return textIn(cell['id']);
    case 'pretty_title':
      return `${referenceOf(cell)} ${textIn(cell['title'])}`.trim();
    case 'project':
    case 'tracker':
      return textIn(cell['name']);
    case 'link_type':
      return textIn(cell['label']);
    case 'text':
      return plainText(textIn(cell['value']));
    case 'date':
      return dateText(cell);
    case 'user':
      return textIn(cell['display_name']);
    case 'list_user':
    case 'list_static':
    case 'list_user_group':
      return membersIn(cell['value'])
        .map((value) => textIn(value['label']) || textIn(value['display_name']))
        .join(', ');
    default:
      return textIn(cell['value']);
  }
}

/** The day as it stands in the answer; times in the zone of the server, as everywhere. */
function dateText(cell: QueryCell): string {
  const at = textIn(cell['value']);
  return cell['with_time'] === true ? at.slice(0, 16).replace('T', ' ') : at.slice(0, 10);
}
