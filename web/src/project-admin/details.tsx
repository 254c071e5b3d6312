import type { Project } from '@atelier/client/routes';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { type HeaderBackground, HeaderPicture, headerPictures } from '../projects/index.ts';
import { LeaveGuard, notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { Button, Checkbox, Note, TextArea, TextField } from '../ui/index.ts';
import {
  type ProjectSettings,
  readBanner,
  readProjectSettings,
  saveBanner,
  saveHeaderPicture,
  saveProjectSettings,
  useAllProjectFields,
  useProjectSettings,
} from './calls.ts';
import styles from './details.module.css';
import { AdminPart, FaultLine, Form, Section, useSending } from './parts.tsx';
import { Overtaken, useTyped } from './typed.tsx';

const namesOf = ({ label, shortname, description, icon }: ProjectSettings) => ({
  label,
  shortname,
  description,
  icon,
});

function Names({ project, settings }: { readonly project: Project; readonly settings: ProjectSettings }) {
  const { details } = useMessages().projectAdmin;
  const navigate = useNavigate();
  const { isBusy, faults, send } = useSending();
  const typed = useTyped(namesOf(settings), async () => namesOf(await readProjectSettings(project.uri)));
  const { change, isChanged } = typed;
  const { label, shortname, description, icon } = typed.values;
  const store = async (changes: Partial<typeof typed.values>) => {
    const saved = await saveProjectSettings(project.uri, changes);
    const members = Object.keys(changes);
    const before = Object.fromEntries(
      Object.entries(namesOf(settings)).filter(([name]) => members.includes(name)),
    );
    const undo = () => void saveProjectSettings(project.uri, before).catch(tellFault);
    notify({ text: details.saved, undo });
    if (saved.shortname !== settings.shortname)
      void navigate({
        to: '/projects/$name/admin/$page',
        params: { name: saved.shortname, page: 'details' },
        replace: true,
      });
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <Form isOff={isBusy} onSubmit={() => submit()}>
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
      <Overtaken typed={typed} names={details} onMine={() => submit(true)} />
      <Button type="submit" kind="primary" isBusy={isBusy} isDisabled={!isChanged}>
        {details.save}
      </Button>
    </Form>
  );
}

function Banner({ project }: { readonly project: Project }) {
  const { details } = useMessages().projectAdmin;
  const { isBusy, faults, send } = useSending();
  const typed = useTyped({ banner: project.banner ?? '' }, async () => ({
    banner: await readBanner(project.uri),
  }));
  const store = async ({ banner }: Partial<typeof typed.values>) => {
    if (banner !== undefined) await saveBanner(project.uri, banner);
    notify({ text: details.saved });
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <Section name={details.banner} words={details.bannerWords}>
      <Form isOff={isBusy} onSubmit={() => submit()}>
        <LeaveGuard isNeeded={typed.isChanged && !isBusy} />
        <TextArea
          label={details.bannerText}
          value={typed.values.banner}
          onChange={(banner) => typed.change({ banner })}
          rows={2}
          fault={faults.elsewhere()}
        />
        <Overtaken typed={typed} names={{ banner: details.bannerText }} onMine={() => submit(true)} />
        <Button type="submit" isBusy={isBusy} isDisabled={!typed.isChanged}>
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

const fieldValues = ({ fields }: ProjectSettings): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(({ field_id: id, value }) => [id, value ?? '']));

function Fields({ project, settings }: { readonly project: Project; readonly settings: ProjectSettings }) {
  const { details } = useMessages().projectAdmin;
  const fields = useAllProjectFields().data ?? [];
  const { isBusy, faults, send } = useSending();
  const typed = useTyped(fieldValues(settings), async () =>
    fieldValues(await readProjectSettings(project.uri)),
  );
  if (fields.length === 0) return null;
  const store = async (changes: Partial<typeof typed.values>, now: typeof typed.values) => {
    // They are stored together.
    const values = Object.entries({ ...now, ...changes });
    await saveProjectSettings(project.uri, {
      fields: values.map(([id, value = '']) => ({ field_id: Number(id), value })),
    });
    notify({ text: details.saved });
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <Section name={details.fields} words={details.fieldsWords}>
      <Form isOff={isBusy} onSubmit={() => submit()}>
        <LeaveGuard isNeeded={typed.isChanged && !isBusy} />
        {fields.map(({ id, name, description, type, is_required: isRequired }) => {
          const common = {
            label: name,
            help: description,
            value: typed.values[id] ?? '',
            isRequired,
            onChange: (value: string) => typed.change({ [id]: value }),
          };
          return type === 'text' ? <TextArea key={id} {...common} /> : <TextField key={id} {...common} />;
        })}
        <FaultLine words={faults.elsewhere()} />
        <Overtaken
          typed={typed}
          names={Object.fromEntries(fields.map(({ id, name }) => [id, name]))}
          onMine={() => submit(true)}
        />
        <Button type="submit" isBusy={isBusy} isDisabled={!typed.isChanged}>
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
