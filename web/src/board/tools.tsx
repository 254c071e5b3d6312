import type { Tracker } from '@atelier/client/routes';
import { createPortal } from 'react-dom';
import { fieldTypes, may } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { columnFields, Setting, type ViewProps } from '../tracker/index.ts';
import { IconButton, Menu, MenuItem, MenuSection } from '../ui/index.ts';
import { type BoardPlan, columnLists, hasParents, parentLanes } from './settings.ts';

const searchedFrom = 8;

export interface ToolsProps extends Pick<ViewProps, 'tracker' | 'tools' | 'onSettings'> {
  readonly plan: BoardPlan;
  /** Values without a column, to be brought back. */
  readonly hidden: readonly { readonly id: string; readonly name: string }[];
  readonly onShow: (id: string) => void;
}

/** Lists and people that lanes can stand for. */
const laneLists = (tracker: Tracker) => columnLists(tracker).filter((field) => may(field, 'read'));

/** What columns and lanes stand for, and what cards show: among the filters of the page. */
export function Tools({ tracker, tools, plan, onSettings, hidden, onShow }: ToolsProps) {
  const { board: words } = useMessages();
  if (tools === null) return null;
  const lists = columnLists(tracker);
  const lanes = laneLists(tracker).filter((field) => field !== plan.by);
  const parentName = tracker.parent?.label ?? words.parent;
  const laneName =
    plan.lanesBy === undefined
      ? words.noLanes
      : plan.lanesBy === parentLanes
        ? parentName
        : plan.lanesBy.label;
  return createPortal(
    <>
      <Menu
        aria-label={words.columns}
        placement="bottom end"
        search={lists.length >= searchedFrom ? words.searchFields : undefined}
        onAction={(key) =>
          onSettings({ columns_by: String(key), column_ids: null, limits: {}, collapsed_ids: [] })
        }
        trigger={<Setting name={words.columns} value={plan.by?.label ?? '–'} />}
      >
        {lists.map(({ name, label }) => (
          <MenuItem key={name} id={name} isSet={plan.by?.name === name}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        aria-label={words.lanes}
        placement="bottom end"
        search={lanes.length >= searchedFrom ? words.searchFields : undefined}
        onAction={(key) => onSettings({ swimlanes_by: key === 'none' ? null : String(key).slice(1) })}
        trigger={<Setting name={words.lanes} value={laneName} />}
      >
        <MenuItem id="none" isSet={plan.lanesBy === undefined}>
          {words.noLanes}
        </MenuItem>
        {hasParents(tracker) && (
          <MenuItem id={`=${parentLanes}`} isSet={plan.lanesBy === parentLanes}>
            {parentName}
          </MenuItem>
        )}
        {lanes.map((field) => (
          <MenuItem key={field.name} id={`=${field.name}`} isSet={plan.lanesBy === field}>
            {field.label}
          </MenuItem>
        ))}
      </Menu>
      <CardsMenu tracker={tracker} plan={plan} onSettings={onSettings} hidden={hidden} onShow={onShow} />
    </>,
    tools,
  );
}

const noColour = 'colour:';

/** Which facts cards have, what colours them, and which columns are hidden. */
function CardsMenu({
  tracker,
  plan,
  onSettings,
  hidden,
  onShow,
}: Pick<ToolsProps, 'tracker' | 'plan' | 'onSettings' | 'hidden' | 'onShow'>) {
  const { board: words } = useMessages();
  const fields = columnFields(tracker).filter(({ name }) => name !== plan.by?.name);
  const choices = fields.filter(({ type }) => fieldTypes[type]?.chooses === 'one');
  const choose = (key: string) => {
    if (key.startsWith('shown:')) onShow(key.slice(6));
    else if (key.startsWith(noColour)) onSettings({ colors_by: key.slice(noColour.length) || null });
    else {
      const name = key.slice(1);
      const isShown = plan.cardFields.includes(name);
      const others = plan.cardFields.filter((one) => one !== name);
      onSettings({ card_fields: isShown ? others : [...others, name] });
    }
  };
  return (
    <Menu
      aria-label={words.settings}
      placement="bottom end"
      search={words.searchFields}
      onAction={(key) => choose(String(key))}
      trigger={<IconButton icon="adjustments-horizontal" label={words.settings} size="small" />}
    >
      {hidden.length > 0 && (
        <MenuSection name={words.hiddenColumns}>
          {hidden.map(({ id, name }) => (
            <MenuItem key={id} id={`shown:${id}`} icon="eye">
              {name}
            </MenuItem>
          ))}
        </MenuSection>
      )}
      <MenuSection name={words.shownOnCards}>
        {fields.map(({ name, label }) => (
          <MenuItem key={name} id={`=${name}`} isSet={plan.cardFields.includes(name)}>
            {label}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection name={words.coloursBy}>
        <MenuItem id={noColour} isSet={plan.coloursBy === undefined}>
          {words.noColour}
        </MenuItem>
        {choices.map(({ name, label }) => (
          <MenuItem key={name} id={`${noColour}${name}`} isSet={plan.coloursBy?.name === name}>
            {label}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
}
