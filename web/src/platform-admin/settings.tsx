import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  AdminPart,
  FaultLine,
  Filters,
  Overtaken,
  Row,
  Section,
  UnsavedBar,
  useSending,
  useTyped,
} from '../project-admin/index.ts';
import { notify, WaitingPlace } from '../shell/index.ts';
import { Button, NotSavedYet, SearchField, Select, Switch, TextField } from '../ui/index.ts';
import { readSettings, type Setting, saveSettings, useSettings } from './calls.ts';
import { useAdminRights } from './rights.ts';

type Value = Setting['value'];

const groups = {
  people: /^(access_mode|password_|login_|session_|access_key_|registered_|authenticated_)/,
  projects: /^(project_|restricted_users_|pending_|disabled_services)/,
  artifacts: /^(artifact_|archive_|file_)/,
  queries: /^query_/,
  outside: /^(run_job_|webhook_|secure_mail)/,
  subversion: /svn/,
  others: /^/,
} as const;

type GroupName = keyof typeof groups;
const groupNames = Object.keys(groups) as GroupName[];

const groupOf = ({ name }: Setting): GroupName =>
  groupNames.find((group) => groups[group].test(name)) ?? 'others';

/** What is typed, in the type that the setting has; a number that is none stays a text, which the server refuses with words. */
function inType(setting: Setting, text: string): Value {
  return typeof setting.default === 'number' && /^\s*\d+\s*$/.test(text) ? Number(text) : text;
}

function Control({
  setting,
  value,
  fault,
  isOff,
  onChange,
}: {
  readonly setting: Setting;
  readonly value: Value;
  readonly fault: string | null;
  readonly isOff: boolean;
  onChange(value: Value): void;
}) {
  const { settings } = useMessages().platformAdmin;
  const label = settings.names[setting.name] ?? setting.name;
  if (typeof setting.default === 'boolean')
    return (
      <Switch aria-label={label} isSelected={value === true} isDisabled={isOff} onChange={onChange}>
        {value === true ? settings.on : settings.off}
      </Switch>
    );
  if (setting.choices !== null)
    return (
      <Select
        aria-label={label}
        value={String(value)}
        isDisabled={isOff}
        onChange={(choice) => onChange(choice ?? setting.default)}
        options={setting.choices.map((id) => ({ id, name: settings.choices[id] ?? id }))}
        fault={fault}
      />
    );
  return (
    <TextField
      aria-label={label}
      value={String(value)}
      isDisabled={isOff}
      {...(typeof setting.default === 'number' ? { inputMode: 'numeric' as const } : {})}
      onChange={(text) => onChange(inType(setting, text))}
      fault={fault}
    />
  );
}

const valuesOf = (settings: readonly Setting[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(settings.map(({ name, value }) => [name, value]));

/** The settings of the platform: searched, checked before they are saved, and back to what they were. */
export function Settings() {
  const { settings } = useMessages().platformAdmin;
  const asked = useSettings();
  const { data } = asked;
  const { mayChange } = useAdminRights();
  const [words, setWords] = useState('');
  const { isBusy, faults, send } = useSending();
  const typed = useTyped(valuesOf(data ?? []), async () => valuesOf(await readSettings()));
  const change = ({ name }: Setting, value: Value) => typed.change({ [name]: value });
  const changed =
    data?.filter(({ name, value }) => typed.values[name] !== value).map(({ name }) => name) ?? [];
  const count = changed.length;
  const store = async (changes: Partial<typeof typed.values>) => {
    await saveSettings(changes);
    notify({ text: settings.saved(Object.keys(changes).length) });
  };
  const save = (isForced = false) => void send(() => typed.save(store, isForced));
  const nameOf = ({ name }: Setting) => settings.names[name] ?? name;
  const wordsOf = ({ name, description }: Setting) => settings.descriptions[name] ?? description;
  const isFound = (setting: Setting) => {
    const text = `${setting.name} ${nameOf(setting)} ${wordsOf(setting)}`.toLowerCase();
    return words
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  };
  const found = data?.filter(isFound) ?? [];
  const shown = (value: string | boolean | number | readonly string[]) =>
    typeof value === 'boolean'
      ? value
        ? settings.on
        : settings.off
      : value === ''
        ? settings.nothing
        : (settings.choices[String(value)] ?? String(value));
  return (
    <AdminPart title={settings.title} words={settings.words}>
      <Filters count={data === undefined ? undefined : settings.count(found.length)}>
        <SearchField placeholder={settings.find} value={words} onChange={setWords} />
      </Filters>
      <WaitingPlace asked={asked} lines={10} />
      {groupNames.map((group) => {
        const own = found.filter((setting) => groupOf(setting) === group);
        if (own.length === 0) return null;
        return (
          <Section key={group} name={settings.groups[group]}>
            {own.map((setting) => {
              const value = typed.values[setting.name] ?? setting.value;
              const isChanged = value !== setting.value;
              return (
                <Row
                  key={setting.name}
                  name={
                    <>
                      {nameOf(setting)} {isChanged && <NotSavedYet />}
                    </>
                  }
                  words={
                    <>
                      <span lang={Object.hasOwn(settings.descriptions, setting.name) ? undefined : 'en'}>
                        {wordsOf(setting)}.
                      </span>{' '}
                      {settings.byDefault(shown(setting.default))}
                    </>
                  }
                >
                  {mayChange && value !== setting.default && (
                    <Button
                      kind="quiet"
                      size="small"
                      aria-label={settings.backNamed(nameOf(setting))}
                      onPress={() => change(setting, setting.default)}
                    >
                      {settings.back}
                    </Button>
                  )}
                  <Control
                    setting={setting}
                    value={value}
                    fault={isChanged ? faults.at(setting.name) : null}
                    isOff={!mayChange}
                    onChange={(next) => change(setting, next)}
                  />
                </Row>
              );
            })}
          </Section>
        );
      })}
      {count > 0 && (
        <>
          <FaultLine words={faults.elsewhere(...changed)} />
          <Overtaken
            typed={typed}
            names={Object.fromEntries(data?.map((setting) => [setting.name, nameOf(setting)]) ?? [])}
            shown={shown}
            onMine={() => save(true)}
          />
          <UnsavedBar
            words={settings.changed(count)}
            isBusy={isBusy}
            onDiscard={() => typed.discard()}
            onSave={() => save()}
          />
        </>
      )}
    </AdminPart>
  );
}
