import type { Project } from '@atelier/client/routes';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { type HeaderBackground, HeaderPicture, headerPictures } from '../projects/index.ts';
import { LeaveGuard, notify, WaitingPlace } from '../shell/index.ts';
import { Button, Checkbox, Note, TextArea, TextField } from '../ui/index.ts';
import {
  type ProjectSettings,
  saveBanner,
  saveHeaderPicture,
  saveProjectSettings,
  useAllProjectFields,
  useProjectSettings,
} from './calls.ts';
import styles from './details.module.css';
import { AdminPart, FaultLine, Form, Section, useSending, withoutSaved } from './parts.tsx';

type Names = Pick<ProjectSettings, 'label' | 'shortname' | 'description' | 'icon'>;

function Names({ project, settings }: { readonly project: Project; readonly settings: ProjectSettings }) {
  const { details } = useMessages().projectAdmin;
  const navigate = useNavigate();
  const { isBusy, faults, send } = useSending();
  // What nobody typed follows what is stored, and is not sent: others may have changed it since.
  const [typed, setTyped] = useState<Partial<Names>>({});
  const change = (more: Partial<Names>) => setTyped((now) => ({ ...now, ...more }));
  const { label, shortname, description, icon } = { ...settings, ...typed };
  const changes = {
    ...(label === settings.label ? {} : { label }),
    ...(shortname === settings.shortname ? {} : { shortname }),
    ...(description === settings.description ? {} : { description }),
    ...(icon === settings.icon ? {} : { icon }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const before = {
    label: settings.label,
    shortname: settings.shortname,
    description: settings.description,
    icon: settings.icon,
  };
  const submit = () =>
    void send(async () => {
      const saved = await saveProjectSettings(project.uri, changes);
      setTyped((now) => withoutSaved(now, changes));
      const undo = () => void saveProjectSettings(project.uri, before);
      notify({ text: details.saved, undo });
      if (saved.shortname !== settings.shortname)
        void navigate({
          to: '/projects/$name/admin/$page',
          params: { name: saved.shortname, page: 'details' },
          replace: true,
        });
    });
  return (
    <Form isOff={isBusy} onSubmit={submit}>
      <LeaveGuard isNeeded={isChanged && !isBusy} />
      <TextField
        label={details.label}
        value={label}
        onChange={(text) => change({ label: text })}
        isRequired
        fault={faults.at('label')}
      />
      <TextField
        label={details.shortname}
        value={shortname}
        onChange={(text) => change({ shortname: text })}
        isRequired
        help={details.shortnameHelp}
        fault={faults.at('shortname')}
      />
      {shortname !== settings.shortname && (
        <Note meaning="care">
          {details.addresses(`/projects/${settings.shortname}`, `/projects/${shortname}`)}
        </Note>
      )}
      <TextArea
        label={details.description}
        value={description}
        onChange={(text) => change({ description: text })}
        fault={faults.at('description')}
      />
      <TextField
        label={details.icon}
        value={icon}
        onChange={(text) => change({ icon: text })}
        help={details.iconHelp}
        fault={faults.at('icon')}
      />
      <FaultLine words={faults.elsewhere('label', 'shortname', 'description', 'icon')} />
      <Button type="submit" kind="primary" isBusy={isBusy} isDisabled={!isChanged}>
        {details.save}
      </Button>
    </Form>
  );
}

function Banner({ project }: { readonly project: Project }) {
  const { details } = useMessages().projectAdmin;
  const [typed, setTyped] = useState<string>();
  const { isBusy, faults, send } = useSending();
  const words = typed ?? project.banner ?? '';
  const submit = () =>
    void send(async () => {
      await saveBanner(project.uri, words);
      setTyped((now) => (now === typed ? undefined : now));
      notify({ text: details.saved });
    });
  return (
    <Section name={details.banner} words={details.bannerWords}>
      <Form isOff={isBusy} onSubmit={submit}>
        <TextArea
          label={details.bannerText}
          value={words}
          onChange={setTyped}
          rows={2}
          fault={faults.elsewhere()}
        />
        <Button type="submit" isBusy={isBusy} isDisabled={typed === undefined}>
          {details.save}
        </Button>
      </Form>
    </Section>
  );
}

/** Of the pictures that there are, one or none. */
function Picture({ project, settings }: { readonly project: Project; readonly settings: ProjectSettings }) {
  const { details } = useMessages().projectAdmin;
  const { faults, send } = useSending();
  const [wish, setWish] = useState<HeaderBackground | null>();
  const chosen =
    wish === undefined ? (headerPictures.find((name) => name === settings.header_background) ?? null) : wish;
  const choose = (name: HeaderBackground | null) => {
    setWish(name);
    void send(() => saveHeaderPicture(project.uri, name)).finally(() => setWish(undefined));
  };
  return (
    <Section name={details.picture} words={details.pictureWords}>
      <fieldset className={styles['pictures']} aria-label={details.picture}>
        {[null, ...headerPictures].map((name) => (
          <label key={name} className={styles['pictureChoice']}>
            <input
              type="radio"
              name="header-picture"
              checked={chosen === name}
              onChange={() => choose(name)}
            />
            {name === null ? (
              <span className={styles['noPicture']} />
            ) : (
              <HeaderPicture name={name} className={styles['picture']} />
            )}
            <span>{name === null ? details.noPicture : details.pictures[name]}</span>
          </label>
        ))}
      </fieldset>
      <FaultLine words={faults.elsewhere()} />
    </Section>
  );
}

function Fields({ project, settings }: { readonly project: Project; readonly settings: ProjectSettings }) {
  const { details } = useMessages().projectAdmin;
  const fields = useAllProjectFields().data ?? [];
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { isBusy, faults, send } = useSending();
  if (fields.length === 0) return null;
  const valueAt = (id: number) =>
    typed[id] ?? settings.fields.find((field) => field.field_id === id)?.value ?? '';
  const submit = () =>
    void send(async () => {
      const values = fields.map(({ id }) => ({ field_id: id, value: valueAt(id) }));
      await saveProjectSettings(project.uri, { fields: values });
      setTyped((now) => withoutSaved(now, typed));
      notify({ text: details.saved });
    });
  return (
    <Section name={details.fields} words={details.fieldsWords}>
      <Form isOff={isBusy} onSubmit={submit}>
        {fields.map(({ id, name, description, type, is_required: isRequired }) => {
          const common = {
            label: name,
            help: description,
            value: valueAt(id),
            isRequired,
            onChange: (value: string) => setTyped((now) => ({ ...now, [id]: value })),
          };
          return type === 'text' ? <TextArea key={id} {...common} /> : <TextField key={id} {...common} />;
        })}
        <FaultLine words={faults.elsewhere()} />
        <Button type="submit" isBusy={isBusy} isDisabled={Object.keys(typed).length === 0}>
          {details.save}
        </Button>
      </Form>
    </Section>
  );
}

/** Name, address, description and what else a project says of itself. */
export function Details({ project }: { readonly project: Project }) {
  const { details } = useMessages().projectAdmin;
  const asked = useProjectSettings(project.uri);
  const { data } = asked;
  const { send } = useSending();
  return (
    <AdminPart title={details.title} words={details.words}>
      <WaitingPlace asked={asked} lines={6} />
      {data !== undefined && (
        <>
          <Names project={project} settings={data} />
          <Picture project={project} settings={data} />
          <Banner project={project} />
          <Fields project={project} settings={data} />
          <Section name={details.template}>
            <Checkbox
              isSelected={data.is_template}
              help={details.templateHelp}
              onChange={(isTemplate) =>
                void send(() => saveProjectSettings(project.uri, { is_template: isTemplate }))
              }
            >
              {details.isTemplate}
            </Checkbox>
          </Section>
        </>
      )}
    </AdminPart>
  );
}
