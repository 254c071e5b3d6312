import { useState } from 'react';
import { holds, useArtifacts } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { useStanding, useTracker } from '../store/index.ts';
import {
  Button,
  Dialog,
  IconButton,
  MarkdownEditor,
  NumberField,
  Select,
  TextArea,
  TextField,
} from '../ui/index.ts';
import type { Tile } from './arrange.ts';
import { roles, useKeptQueries, useReportSettings, useReports, useTrackers } from './calls.ts';
import styles from './dashboards.module.css';
import { isComplete } from './tiles.ts';
import { type LinkEntry, linksOf, numberIn, roleOf, settingsOf, textIn } from './widgets.tsx';

interface FormProps {
  readonly tile: Tile;
  readonly projectId: number | null;
  onSettings(settings: unknown): void;
}

/** Without what was left empty. */
const given = (settings: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''));

function TrackerSelect({
  projectId,
  value,
  onChange,
}: {
  readonly projectId: number | null;
  readonly value: number | undefined;
  onChange(id: number): void;
}) {
  const { dashboards: words } = useMessages();
  const { data } = useTrackers(projectId);
  const { thing: known } = useTracker(value === undefined ? undefined : `trackers/${value}`);
  return (
    <Select
      label={words.form.tracker}
      isRequired
      value={value === undefined ? null : String(value)}
      known={known === undefined ? [] : [{ id: String(known.id), name: known.label }]}
      options={(data ?? []).map(({ id, label, project }) => ({
        id: String(id),
        name: project === '' ? label : `${label} · ${project}`,
      }))}
      onChange={(id) => id !== null && onChange(Number(id))}
    />
  );
}

function CountForm({ tile, projectId, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  const settings = settingsOf(tile);
  const set = (change: object) => onSettings(given({ ...settings, ...change }));
  return (
    <>
      <TrackerSelect
        projectId={projectId}
        value={numberIn(settings, 'tracker_id')}
        onChange={(id) => set({ tracker_id: id })}
      />
      <TextArea
        label={words.form.query}
        help={words.form.queryHelp}
        value={textIn(settings, 'expert_query')}
        onChange={(text) => set({ expert_query: text })}
      />
      <NumberField
        label={words.form.target}
        value={numberIn(settings, 'target') ?? Number.NaN}
        onChange={(target) => set({ target: Number.isNaN(target) ? undefined : target })}
      />
    </>
  );
}

function ReportForm({ tile, projectId, onSettings }: FormProps) {
  const { dashboards: words, tracker: trackerWords } = useMessages();
  const settings = settingsOf(tile);
  const reportId = numberIn(settings, 'report_id');
  const { data: report } = useReportSettings(reportId);
  const [chosen, setChosen] = useState<number>();
  const trackerId = chosen ?? report?.tracker.id;
  const { data: reports } = useReports(trackerId);
  const isChart = tile.kind === 'chart';
  const fits = (reports ?? []).filter(
    ({ renderers }) => !isChart || renderers.some(({ type }) => type === 'chart'),
  );
  const renderers = (fits.find(({ id }) => id === reportId)?.renderers ?? []).filter(
    ({ type }) => !isChart || type === 'chart',
  );
  return (
    <>
      <TrackerSelect projectId={projectId} value={trackerId} onChange={setChosen} />
      {reports !== undefined && fits.length === 0 ? (
        <p className={styles['faint']}>{words.form.noReports}</p>
      ) : (
        <Select
          label={words.form.report}
          isRequired
          value={reportId === undefined ? null : String(reportId)}
          known={report === undefined ? [] : [{ id: String(report.id), name: report.label }]}
          options={fits.map(({ id, label }) => ({ id: String(id), name: label }))}
          onChange={(id) => id !== null && onSettings({ report_id: Number(id) })}
        />
      )}
      {renderers.length > 1 && (
        <Select
          label={words.form.renderer}
          none={words.form.firstRenderer}
          value={numberIn(settings, 'renderer_id') === undefined ? null : String(settings['renderer_id'])}
          options={renderers.map(({ id, label, type }) => ({
            id: String(id),
            name: label === '' ? trackerWords.kinds[type === 'chart' ? 'charts' : type] : label,
          }))}
          onChange={(id) =>
            onSettings(given({ report_id: reportId, renderer_id: id === null ? undefined : Number(id) }))
          }
        />
      )}
    </>
  );
}

function BurndownForm({ tile, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  const settings = settingsOf(tile);
  const artifactId = numberIn(settings, 'artifact_id');
  const { artifacts } = useArtifacts(artifactId === undefined ? [] : [artifactId]);
  const artifact = artifacts.find(({ id }) => id === artifactId);
  const { thing: tracker } = useTracker(artifact?.tracker.uri);
  const fields = (tracker?.fields ?? []).filter((field) => holds(field, 'burndown'));
  const fieldId = numberIn(settings, 'field_id') ?? fields[0]?.field_id;
  return (
    <>
      <NumberField
        label={words.form.artifact}
        isRequired
        minValue={1}
        value={artifactId ?? Number.NaN}
        formatOptions={{ useGrouping: false }}
        help={artifact === undefined ? undefined : `${artifact.xref} ${artifact.title ?? ''}`}
        onChange={(id) => onSettings(given({ artifact_id: Number.isNaN(id) ? undefined : id }))}
      />
      {tracker !== undefined && (
        <Select
          label={words.form.field}
          isRequired
          value={numberIn(settings, 'field_id') === undefined ? null : String(fieldId)}
          options={fields.map((field) => ({ id: String(field.field_id), name: field.label }))}
          fault={fields.length === 0 ? words.form.noField : undefined}
          onChange={(id) => onSettings(given({ artifact_id: artifactId, field_id: Number(id) }))}
        />
      )}
    </>
  );
}

function ActivityForm({ tile, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  const { memberships } = useStanding();
  const projectId = numberIn(settingsOf(tile), 'project_id');
  return (
    <Select
      label={words.form.project}
      isRequired
      value={projectId === undefined ? null : String(projectId)}
      known={
        projectId === undefined ? [] : [{ id: String(projectId), name: tile.label || String(projectId) }]
      }
      options={memberships.map(({ project }) => ({
        id: String(project.id),
        name: project.label_without_icon,
      }))}
      onChange={(id) => id !== null && onSettings({ project_id: Number(id) })}
    />
  );
}

function MineForm({ tile, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  return (
    <Select
      label={words.form.role}
      value={roleOf(tile)}
      options={roles.map((id) => ({ id, name: words.roles[id] }))}
      onChange={(role) => onSettings({ role: role ?? 'assigned' })}
    />
  );
}

function TextForm({ tile, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  return (
    <MarkdownEditor
      label={words.form.text}
      value={textIn(settingsOf(tile), 'commonmark')}
      minHeight={140}
      showsTools
      onChange={(commonmark) => onSettings({ commonmark })}
    />
  );
}

function QueryForm({ tile, projectId, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  const settings = settingsOf(tile);
  const { data } = useKeptQueries(projectId, true);
  const queryId = textIn(settings, 'query_id');
  return (
    <>
      <Select
        label={words.form.kept}
        none={words.form.written}
        value={queryId === '' ? null : queryId}
        options={(data ?? []).map(({ id, title }) => ({ id, name: title }))}
        onChange={(id) => onSettings(id === null ? { tql_query: '' } : { query_id: id })}
      />
      {queryId === '' && (
        <TextArea
          label={words.form.tql}
          placeholder="SELECT @title, @status FROM @project = 'self' WHERE @status = OPEN()"
          value={textIn(settings, 'tql_query')}
          onChange={(tql_query) => onSettings({ tql_query })}
        />
      )}
    </>
  );
}

function LinksForm({ tile, onSettings }: FormProps) {
  const { dashboards: words } = useMessages();
  const links = linksOf(tile);
  const set = (at: number, change: Partial<LinkEntry>) =>
    onSettings(links.map((link, index) => (index === at ? { ...link, ...change } : link)));
  return (
    <>
      {links.map(({ label, href }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have nothing else to be told apart by
        <div key={at} className={styles['linkFields']}>
          <TextField
            label={words.form.linkName}
            value={label}
            onChange={(text) => set(at, { label: text })}
          />
          <TextField
            label={words.form.linkTo}
            value={href}
            placeholder="https://"
            onChange={(text) => set(at, { href: text })}
          />
          <IconButton
            icon="trash"
            size="small"
            label={words.form.removeLink(label)}
            onPress={() => onSettings(links.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button
        icon="plus"
        kind="quiet"
        size="small"
        onPress={() => onSettings([...links, { label: '', href: '' }])}
      >
        {words.form.addLink}
      </Button>
    </>
  );
}

const forms = {
  count: CountForm,
  report: ReportForm,
  chart: ReportForm,
  burndown: BurndownForm,
  activity: ActivityForm,
  mine: MineForm,
  text: TextForm,
  query: QueryForm,
  links: LinksForm,
  recent: undefined,
  favorites: undefined,
} as const;

/** What a widget shows and what it is called. */
export function SettingsDialog({
  tile: first,
  projectId,
  onDone,
  onClose,
}: {
  readonly tile: Tile;
  readonly projectId: number | null;
  onDone(tile: Tile): void;
  onClose(): void;
}) {
  const { dashboards: words } = useMessages();
  const [tile, setTile] = useState(first);
  const Form = forms[tile.kind];
  return (
    <Dialog
      title={words.kinds[tile.kind]}
      isOpen
      isDismissable={false}
      onClose={onClose}
      width="medium"
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" isDisabled={!isComplete(tile)} onPress={() => onDone(tile)}>
            {words.form.done}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['faint']}>{words.kindWords[tile.kind]}</p>
        {Form !== undefined && (
          <Form tile={tile} projectId={projectId} onSettings={(settings) => setTile({ ...tile, settings })} />
        )}
        <TextField
          label={words.form.title}
          help={words.form.titleHelp}
          maxLength={255}
          value={tile.title}
          onChange={(title) => setTile({ ...tile, title })}
        />
      </div>
    </Dialog>
  );
}
