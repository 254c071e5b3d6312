import { type ReactNode, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { Page } from '../shell/index.ts';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Chip,
  Count,
  colourNames,
  Dialog,
  Dot,
  EmptyPlace,
  Face,
  Faces,
  FilterChip,
  IconButton,
  Key,
  MarkdownEditor,
  type Meaning,
  MeaningChip,
  Menu,
  MenuItem,
  MultiSelect,
  Note,
  NoteAction,
  NotSavedYet,
  NumberField,
  Radio,
  RadioGroup,
  RichText,
  SearchField,
  Segmented,
  Select,
  Skeleton,
  StatusRing,
  type StatusStage,
  Switch,
  Tag,
  TextArea,
  TextDiff,
  TextField,
  Toast,
  type Token,
  TokenField,
  TrackerMark,
} from '../ui/index.ts';
import styles from './controls.module.css';

const STAGES: readonly StatusStage[] = ['empty', 'quarter', 'half', 'three-quarters', 'done', 'dropped'];
const MEANINGS: readonly Meaning[] = ['good', 'care', 'bad', 'info'];
const PEOPLE = ['Ada Moreau', 'Bruno Keller', 'Chiara Rossi', 'Dmitri Volkov', 'Emeka Obi', 'Freya Lund'];

/** `/help/controls`: every control as it is, so that a change of one can be looked at. */
export function ControlsPage() {
  const { help } = useMessages();
  const words = help.controlSheet;
  return (
    <Page title={words.title} crumbs={[{ name: help.title, to: '/help' }, { name: words.title }]}>
      <div className={styles['sheet']}>
        <p>{words.words}</p>
        <Row name={words.buttons}>
          <Buttons />
        </Row>
        <Row name={words.fields}>
          <Fields />
        </Row>
        <Row name={words.lists}>
          <Lists />
        </Row>
        <Row name={words.cells}>
          <Cells />
        </Row>
        <Row name={words.menus}>
          <Overlays />
        </Row>
        <Row name={words.notes}>
          <Notes />
        </Row>
        <Row name={words.places}>
          <EmptyPlace icon="bug" name="No bugs yet" actions={<Button>Create the first</Button>}>
            Report what does not work as it should.
          </EmptyPlace>
          <Skeleton className={styles['grow'] ?? ''} />
        </Row>
        <Row name={words.greys}>
          {Array.from({ length: 12 }, (_, place) => place + 1).map((grey) => (
            <span key={grey} className={styles['swatch']} style={{ background: `var(--grey-${grey})` }} />
          ))}
        </Row>
        <Row name={words.meanings}>
          {MEANINGS.map((meaning) => (
            <MeaningChip key={meaning} meaning={meaning} icon="info-circle">
              {meaning}
            </MeaningChip>
          ))}
        </Row>
        <Row name={words.colours}>
          {colourNames.map((colour) => (
            <span key={colour} className={styles['colour']}>
              <TrackerMark colour={colour} />
              <StatusRing colour={colour} stage="half" />
              <Chip colour={colour}>{colour}</Chip>
            </span>
          ))}
        </Row>
        <Row name={words.faces}>
          {PEOPLE.map((name, id) => (
            <Face key={name} id={id} name={name} size={28} isNamed />
          ))}
          <Faces people={PEOPLE.map((name, id) => ({ id, name }))} />
        </Row>
        <Row name={words.texts}>
          <Texts />
        </Row>
      </div>
    </Page>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles['row']} aria-label={name}>
      <h2>{name}</h2>
      <div className={styles['parts']}>{children}</div>
    </section>
  );
}

function Buttons() {
  return (
    <>
      <Button kind="primary">Save</Button>
      <Button>Cancel</Button>
      <Button kind="quiet" opens>
        More
      </Button>
      <Button kind="danger">Delete</Button>
      <Button kind="destroy">Delete 3</Button>
      <Button reasonNot="There is nothing to send">Send</Button>
      <Button isBusy>Saving</Button>
      <IconButton icon="copy" label="Copy" keys="y" />
      <Key keys="Mod k" />
    </>
  );
}

function Fields() {
  const [text, setText] = useState('Nightly export');
  const [words, setWords] = useState('');
  return (
    <>
      <TextField label="Name" placeholder="Description" />
      <TextField label="Filled" value={text} onChange={setText} />
      <TextField label="Short name" defaultValue="shop" fault="This short name is taken" />
      <NumberField label="Number" defaultValue={5} unit="h" />
      <SearchField placeholder="Search here" value={words} onChange={setWords} />
      <TextArea label="Text" rows={2} help="At most two lines" />
    </>
  );
}

const OPTIONS = ['Open', 'In work', 'Review', 'Closed'].map((name, place) => ({
  id: name,
  name,
  mark: <StatusRing colour="lake-placid-blue" stage={STAGES[place] ?? 'empty'} />,
  second: name === 'Review' ? 'asks a comment' : undefined,
  reasonNot: name === 'Closed' ? 'not from Open' : null,
}));

function Lists() {
  const [one, setOne] = useState<string | null>('Open');
  const [several, setSeveral] = useState<string[]>(['Open', 'In work']);
  const [tokens, setTokens] = useState<Token[]>([{ id: '1', name: 'cart', colour: 'ocean-turquoise' }]);
  const [segment, setSegment] = useState('month');
  return (
    <>
      <Select label="Status" options={OPTIONS} value={one} onChange={setOne} none />
      <MultiSelect label="Several" options={OPTIONS} value={several} onChange={setSeveral} />
      <TokenField
        label="Labels"
        value={tokens}
        onChange={setTokens}
        options={[{ id: '2', name: 'regression', colour: 'peggy-pink' }]}
        create={(name) => ({ id: name, name })}
      />
      <Segmented
        label="Zoom"
        value={segment}
        onChange={setSegment}
        options={[
          { id: 'week', name: 'Week' },
          { id: 'month', name: 'Month' },
        ]}
      />
      <FilterChip
        field="Status"
        operator="is not"
        value="Closed"
        label="Status is not Closed"
        onRemove={() => {}}
      />
      <Checkbox defaultSelected>A box</Checkbox>
      <Switch defaultSelected>A switch</Switch>
      <RadioGroup label="One of" defaultValue="a" isRow>
        <Radio value="a">First</Radio>
        <Radio value="b">Second</Radio>
      </RadioGroup>
      <CheckboxGroup label="Several of" defaultValue={['a']} isRow>
        <Checkbox value="a">First</Checkbox>
        <Checkbox value="b">Second</Checkbox>
      </CheckboxGroup>
    </>
  );
}

function Cells() {
  return (
    <>
      {STAGES.map((stage) => (
        <StatusRing key={stage} colour="ultra-violet" stage={stage} />
      ))}
      <Dot colour="clockwork-orange" />
      <Dot colour="" />
      <Tag>REST</Tag>
      <Count value={14} />
      <Count value={3} isUnread />
      <NotSavedYet />
    </>
  );
}

function Overlays() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu trigger={<Button opens>Menu</Button>} aria-label="Menu" search="Status…">
        {OPTIONS.map(({ id, name, mark, second, reasonNot }) => (
          <MenuItem key={id} id={id} mark={mark} second={second} reasonNot={reasonNot} isSet={id === 'Open'}>
            {name}
          </MenuItem>
        ))}
      </Menu>
      <Button onPress={() => setOpen(true)}>Dialog</Button>
      <Dialog
        title="Delete bug #42?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        buttons={
          <>
            <Button onPress={() => setOpen(false)}>Cancel</Button>
            <Button kind="destroy" onPress={() => setOpen(false)}>
              Delete
            </Button>
          </>
        }
      >
        It has 3 children, which stay. You can bring it back from the trash for 30 days.
      </Dialog>
    </>
  );
}

function Notes() {
  return (
    <>
      <Toast action={<Button kind="inverse">Undo</Button>}>Status is now Closed</Toast>
      <Note meaning="care" icon="cloud-off">
        Offline, 3 changes wait
      </Note>
      <Note meaning="bad" actions={<NoteAction onPress={() => {}}>Edit again</NoteAction>}>
        Not stored: Effort is required
      </Note>
    </>
  );
}

const PROSE =
  '<p>Since <strong>Friday</strong> a basket filled before signing in is empty.</p><p>Happens with <code>basket.merge = lazy</code> only. Related to <a href="/artifacts/31">bug #31</a>.</p>';

function Texts() {
  const [text, setText] = useState('Looks **right**, and the test fails without it.');
  return (
    <div className={styles['texts']}>
      <RichText html={PROSE} />
      <MarkdownEditor label="Comment" value={text} onChange={setText} showsTools />
      <TextDiff
        name="Description"
        before={'The old basket is gone from the table.\nNobody saw it.'}
        after={'The old basket is still in the table, with the key of the visitor.\nNobody saw it.'}
      />
    </div>
  );
}
