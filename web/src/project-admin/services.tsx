import type { Project } from '@atelier/client/routes';
import { type DragEvent, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce, notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { Button, Checkbox, Icon, IconButton, iconNameOf, Switch, TextField } from '../ui/index.ts';
import {
  changeLink,
  makeLink,
  orderServices,
  type ProjectService,
  readService,
  removeLink,
  switchService,
  useServices,
} from './calls.ts';
import { AdminPart, Confirm, FaultLine, FormDialog, Main, useSending } from './parts.tsx';
import styles from './services.module.css';
import { Overtaken, useTyped } from './typed.tsx';

const linkOf = (service: ProjectService | undefined) => ({
  label: service?.label ?? '',
  service_url: service?.service_url ?? '',
  icon: service?.icon ?? '',
  open_in_new_tab: service?.open_in_new_tab ?? true,
});

function LinkForm({
  project,
  service,
  onClose,
}: {
  readonly project: Project;
  readonly service: ProjectService | undefined;
  onClose(): void;
}) {
  const { services } = useMessages().projectAdmin;
  const { isBusy, faults, send } = useSending();
  const stored = linkOf(service);
  const typed = useTyped(stored, async () =>
    service === undefined ? stored : linkOf(await readService(service.id)),
  );
  const { label, service_url: address, icon, open_in_new_tab: isElsewhere } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (service === undefined) await makeLink(project.uri, { ...typed.values, service_url: address.trim() });
    else await changeLink(project.uri, service.id, changes);
    notify({ text: services.saved });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={service === undefined ? services.addLink : services.changeNamed(service.label)}
      submit={service === undefined ? services.addLink : services.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextField
        label={services.name}
        value={label}
        onChange={(text) => typed.change({ label: text })}
        autoFocus
        isRequired
        fault={faults.at('label')}
      />
      <TextField
        label={services.address}
        help={services.addressHelp}
        value={address}
        onChange={(text) => typed.change({ service_url: text })}
        isRequired
        fault={faults.at('service_url')}
      />
      <TextField
        label={services.icon}
        help={services.iconHelp}
        value={icon}
        onChange={(text) => typed.change({ icon: text })}
        fault={faults.at('icon')}
      />
      <Checkbox isSelected={isElsewhere} onChange={(is) => typed.change({ open_in_new_tab: is })}>
        {services.newTab}
      </Checkbox>
      <FaultLine words={faults.elsewhere('label', 'service_url', 'icon')} />
      <Overtaken
        typed={typed}
        names={{ label: services.name, service_url: services.address, icon: services.icon }}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

/** The order in view while it is stored: nothing jumps back. */
function useOrder(project: Project, stored: readonly ProjectService[] | undefined) {
  const { services } = useMessages().projectAdmin;
  const [pending, setPending] = useState<readonly number[]>();
  const all = stored ?? [];
  const ordered =
    pending === undefined
      ? all
      : [...all].sort((one, other) => pending.indexOf(one.id) - pending.indexOf(other.id));
  const move = (from: number, to: number) => {
    const moved = ordered[from];
    if (moved === undefined || to < 0 || to >= ordered.length || from === to) return;
    const rest = ordered.filter((service) => service !== moved);
    const next = [...rest.slice(0, to), moved, ...rest.slice(to)].map(({ id }) => id);
    setPending(next);
    announce(services.moved(moved.label, to + 1));
    void orderServices(project.uri, next)
      .catch(tellFault)
      .finally(() => setPending(undefined));
  };
  return { ordered, move };
}

/** The menu of a project: tools on and off, links of its own, and their order. */
export function Services({ project }: { readonly project: Project }) {
  const { services } = useMessages().projectAdmin;
  const asked = useServices(project.uri);
  const { data } = asked;
  const { ordered, move } = useOrder(project, data);
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [edited, setEdited] = useState<ProjectService | 'new'>();
  const [leaving, setLeaving] = useState<ProjectService>();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (dragged !== undefined && over !== undefined) move(dragged, over);
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <AdminPart
      title={services.title}
      words={services.words}
      actions={
        <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
          {services.addLink}
        </Button>
      }
    >
      <WaitingPlace asked={asked} lines={5} />
      <ol
        className={styles['services']}
        aria-label={services.title}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        {ordered.map((service, place) => (
          <li
            key={service.id}
            draggable
            data-over={over === place && dragged !== place}
            onDragStart={() => setDragged(place)}
            onDragEnter={() => setOver(place)}
            onDragEnd={() => setDragged(undefined)}
          >
            <span className={styles['grip']}>
              <Icon name="grip-vertical" />
            </span>
            <Icon name={iconNameOf(service.icon, service.is_custom ? 'link' : 'layout-list')} />
            <span className={styles['name']}>
              <Main second={service.is_custom ? service.service_url : ''}>{service.label}</Main>
            </span>
            <span className={styles['acts']}>
              <IconButton
                icon="arrow-up"
                size="small"
                label={services.up(service.label)}
                isDisabled={place === 0}
                onPress={() => move(place, place - 1)}
              />
              <IconButton
                icon="arrow-down"
                size="small"
                label={services.down(service.label)}
                isDisabled={place === ordered.length - 1}
                onPress={() => move(place, place + 1)}
              />
              {service.is_custom && (
                <>
                  <IconButton
                    icon="pencil"
                    size="small"
                    label={services.changeNamed(service.label)}
                    onPress={() => setEdited(service)}
                  />
                  <IconButton
                    icon="trash"
                    size="small"
                    label={services.deleteNamed(service.label)}
                    onPress={() => setLeaving(service)}
                  />
                </>
              )}
              <Switch
                aria-label={services.isOn(service.label)}
                isSelected={service.is_enabled}
                isDisabled={service.name === 'admin'}
                onChange={(is) =>
                  (service.is_custom
                    ? changeLink(project.uri, service.id, { is_enabled: is })
                    : switchService(project.uri, service.id, is)
                  ).catch(tellFault)
                }
              />
            </span>
          </li>
        ))}
      </ol>
      {edited !== undefined && (
        <LinkForm
          project={project}
          service={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {leaving !== undefined && (
        <Confirm
          title={services.deleteNamed(leaving.label)}
          confirm={services.delete}
          deletes={leaving.label}
          run={() => removeLink(project.uri, leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{services.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
