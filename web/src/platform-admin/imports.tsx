import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Faint,
  FaultLine,
  FormDialog,
  Main,
  PagedPlace,
  Section,
  saveText,
  Table,
  useSending,
} from '../project-admin/index.ts';
import { announce, WaitingPlace } from '../shell/index.ts';
import {
  Button,
  Checkbox,
  Dialog,
  MeaningChip,
  Note,
  Radio,
  RadioGroup,
  SearchField,
  TextArea,
  TextField,
} from '../ui/index.ts';
import {
  cancelImport,
  type ListedProjectImport,
  type ProjectImport,
  startImport,
  useImport,
  useImports,
} from './calls.ts';
import styles from './platform-admin.module.css';
import { Progress } from './progress.tsx';
import { useAdminRights } from './rights.ts';

type People = 'archive' | 'create' | 'table';

function NewImport({ onStarted, onClose }: { onStarted(id: number): void; onClose(): void }) {
  const { imports } = useMessages().platformAdmin;
  const formats = useFormats();
  const { isBusy, faults, send } = useSending();
  const [file, setFile] = useState<File>();
  const [people, setPeople] = useState<People>('create');
  const [table, setTable] = useState('');
  const [name, setName] = useState('');
  const [isTemplate, setTemplate] = useState(false);
  const [isDryRun, setDryRun] = useState(true);
  const [arrived, setArrived] = useState(0);
  const submit = () =>
    void send(async () => {
      if (file === undefined) return;
      const automap = people === 'create' ? 'no-email,create:A' : '';
      const userMap = people === 'table' ? table : '';
      const wish = { file, automap, userMap, name: name.trim(), isTemplate, isDryRun };
      onStarted(await startImport(wish, setArrived));
    });
  return (
    <FormDialog
      title={imports.create}
      submit={isDryRun ? imports.check : imports.start}
      isBusy={isBusy}
      isOff={file === undefined}
      onSubmit={submit}
      onClose={onClose}
      width="medium"
    >
      <label className={styles['drop']}>
        <span>{file === undefined ? imports.choose : `${file.name} · ${formats.size(file.size)}`}</span>
        <input
          type="file"
          accept=".zip,application/zip"
          aria-label={imports.file}
          onChange={(event) => setFile(event.target.files?.[0])}
        />
      </label>
      {isBusy && file !== undefined && (
        <progress
          className={styles['progress']}
          value={arrived}
          max={file.size}
          aria-label={imports.uploading}
        >
          {formats.size(arrived)}
        </progress>
      )}
      <RadioGroup
        label={imports.people}
        value={people}
        onChange={(value) => setPeople(value === 'archive' || value === 'table' ? value : 'create')}
      >
        <Radio value="create" help={imports.peopleCreateHelp}>
          {imports.peopleCreate}
        </Radio>
        <Radio value="archive" help={imports.peopleArchiveHelp}>
          {imports.peopleArchive}
        </Radio>
        <Radio value="table">{imports.peopleTable}</Radio>
      </RadioGroup>
      {people === 'table' && (
        <TextArea
          label={imports.table}
          help={imports.tableHelp}
          value={table}
          onChange={setTable}
          rows={5}
          fault={faults.at('user_map')}
        />
      )}
      <TextField
        label={imports.name}
        help={imports.nameHelp}
        value={name}
        onChange={setName}
        fault={faults.at('name')}
      />
      <Checkbox isSelected={isTemplate} onChange={setTemplate}>
        {imports.template}
      </Checkbox>
      <Checkbox isSelected={isDryRun} onChange={setDryRun} help={imports.dryRunHelp}>
        {imports.dryRun}
      </Checkbox>
      <FaultLine words={faults.elsewhere('name', 'user_map')} />
    </FormDialog>
  );
}

function StateMark({ state }: { readonly state: ListedProjectImport['state'] }) {
  const { imports } = useMessages().platformAdmin;
  if (state === 'failed') return <MeaningChip meaning="bad">{imports.states[state]}</MeaningChip>;
  if (state === 'done') return <MeaningChip meaning="good">{imports.states[state]}</MeaningChip>;
  return <span>{imports.states[state]}</span>;
}

function Report({ report }: { readonly report: NonNullable<ProjectImport['report']> }) {
  const { imports } = useMessages().platformAdmin;
  const formats = useFormats();
  const [words, setWords] = useState('');
  const found = report.warnings.filter(({ text, place, code }) =>
    `${code} ${place} ${text}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <Section name={imports.counts}>
        <p>
          {Object.entries(report.counts)
            .map(([what, count]) => `${imports.things[what] ?? what}: ${formats.number(count)}`)
            .join(' · ')}
        </p>
      </Section>
      <Section
        name={imports.warnings(report.warning_count)}
        actions={
          <Button
            size="small"
            icon="download"
            onPress={() =>
              saveText('import-report.json', 'application/json', JSON.stringify(report, null, 2))
            }
          >
            {imports.download}
          </Button>
        }
      >
        {report.warnings.length > 5 && (
          <SearchField placeholder={imports.findWarning} value={words} onChange={setWords} />
        )}
        {report.warnings.length > 0 && (
          <ul className={styles['warnings']}>
            {found.map((warning) => (
              <li key={`${warning.code} ${warning.place} ${warning.line} ${warning.text}`}>
                <Main second={`${warning.place}:${warning.line}`}>
                  <span lang="en">{warning.text}</span>{' '}
                  {warning.count > 1 && <Faint>× {warning.count}</Faint>}
                </Main>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** Asks once more: what an import has read so far is gone afterwards. */
function CancelImport({ id }: { readonly id: number }) {
  const { imports } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <p>
        <Button size="small" icon="x" onPress={() => setAsked(true)}>
          {imports.cancel}
        </Button>
      </p>
    );
  return (
    <>
      <Note
        meaning="care"
        actions={
          <>
            <Button
              size="small"
              kind="danger"
              isDisabled={isBusy}
              onPress={() =>
                void send(async () => {
                  await cancelImport(id);
                  announce(imports.cancelling);
                })
              }
            >
              {imports.cancelNow}
            </Button>
            <Button size="small" onPress={() => setAsked(false)}>
              {imports.goOn}
            </Button>
          </>
        }
      >
        {imports.cancelWords}
      </Note>
      <FaultLine words={faults.elsewhere()} />
    </>
  );
}

function ImportDialog({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { imports } = useMessages().platformAdmin;
  const asked = useImport(id);
  const { data } = asked;
  const { ui } = useMessages();
  const { mayChange } = useAdminRights();
  const project = data?.project;
  const isOpen = data !== undefined && data.state !== 'done' && data.state !== 'failed';
  return (
    <Dialog
      title={imports.ofFile(data?.file_name ?? '')}
      isOpen
      onClose={onClose}
      width="wide"
      buttons={<Button onPress={onClose}>{ui.close}</Button>}
    >
      <WaitingPlace asked={asked} lines={4} />
      {data !== undefined && (
        <div className={styles['import']}>
          <p role="status">
            <StateMark state={data.state} />
          </p>
          {data.progress !== null && <Progress {...data.progress} lang="en" label={imports.progress} />}
          {isOpen && data.is_cancelled && <Note meaning="info">{imports.cancelling}</Note>}
          {isOpen && !data.is_cancelled && mayChange && <CancelImport id={id} />}
          {data.fault !== null && (
            <Note meaning="bad" isAlert>
              {imports.nothingStayed} <span lang="en">{data.fault}</span>
            </Note>
          )}
          {data.state === 'done' && project === null && <Note meaning="info">{imports.onlyChecked}</Note>}
          {project != null && data.report !== null && (
            <p>
              <a href={`/projects/${data.report.project.shortname}`}>
                {imports.open(data.report.project.shortname)}
              </a>
            </p>
          )}
          {data.report !== null && <Report report={data.report} />}
        </div>
      )}
    </Dialog>
  );
}

/** Projects out of archives. */
export function Imports() {
  const { imports } = useMessages().platformAdmin;
  const formats = useFormats();
  const { mayChange } = useAdminRights();
  const list = useImports();
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<number>();
  const started = (id: number) => {
    setCreating(false);
    setShown(id);
    announce(imports.started);
  };
  return (
    <AdminPart
      title={imports.title}
      words={imports.words}
      actions={
        mayChange && (
          <Button kind="primary" icon="upload" onPress={() => setCreating(true)}>
            {imports.create}
          </Button>
        )
      }
    >
      <PagedPlace list={list} icon="upload" empty={imports.none} emptyWords={imports.noneWords}>
        {(items) => (
          <Table label={imports.title} columns={[imports.file, imports.state, imports.when, '']}>
            {items.map((one) => (
              <tr key={one.id}>
                <td>
                  <Main second={one.report === null ? '' : imports.warnings(one.report.warning_count)}>
                    {one.file_name}
                  </Main>
                </td>
                <td data-label={imports.state}>
                  <StateMark state={one.state} />{' '}
                  {one.fault !== null && (
                    <Faint>
                      <span lang="en">{one.fault}</span>
                    </Faint>
                  )}
                </td>
                <td data-label={imports.when}>
                  <Faint>{formats.moment(one.created_on)}</Faint>
                </td>
                <td>
                  <Button
                    size="small"
                    kind="quiet"
                    aria-label={imports.lookAt(one.file_name)}
                    onPress={() => setShown(one.id)}
                  >
                    {imports.look}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
      {isCreating && <NewImport onStarted={started} onClose={() => setCreating(false)} />}
      {shown !== undefined && <ImportDialog id={shown} onClose={() => setShown(undefined)} />}
    </AdminPart>
  );
}
