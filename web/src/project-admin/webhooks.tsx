import type { Project } from '@atelier/client/routes';
import { webhookEvents } from '@atelier/contract/webhook-events';
import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  Dialog,
  EmptyPlace,
  IconButton,
  MeaningChip,
  Menu,
  MenuItem,
  Switch,
  Tag,
  TextField,
} from '../ui/index.ts';
import {
  changeWebhook,
  makeWebhook,
  type PlacedWebhook,
  ping,
  readWebhook,
  removeWebhook,
  sendAgain,
  useWebhookDeliveries,
  useWebhooks,
  type Webhook,
  type WebhookDelivery,
} from './calls.ts';
import {
  AdminPart,
  Confirm,
  Faint,
  FaultLine,
  FormDialog,
  Main,
  Row,
  ShownOnce,
  useSending,
} from './parts.tsx';
import styles from './services.module.css';
import { Overtaken, useTyped } from './typed.tsx';

type EventName = Webhook['events'][number];

const isEvent = (text: string): text is EventName => webhookEvents.some((event) => event === text);

const wishOf = (hook: Pick<Webhook, 'url' | 'events'> | undefined) => {
  const events: readonly string[] = hook?.events ?? webhookEvents;
  return { url: hook?.url ?? '', events };
};

function HookForm({
  project,
  hook,
  onSecret,
  onClose,
}: {
  readonly project: Project;
  readonly hook: PlacedWebhook | undefined;
  onSecret(secret: string): void;
  onClose(): void;
}) {
  const { webhooks } = useMessages().projectAdmin;
  const { isBusy, faults, send } = useSending();
  const stored = wishOf(hook);
  const typed = useTyped(stored, async () =>
    hook === undefined ? stored : wishOf(await readWebhook(hook.id)),
  );
  const { url, events } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (hook === undefined)
      onSecret(await makeWebhook(project.uri, { url: url.trim(), events: events.filter(isEvent) }));
    else
      await changeWebhook(project.uri, hook.id, {
        ...(changes.url === undefined ? {} : { url: changes.url.trim() }),
        ...(changes.events === undefined ? {} : { events: changes.events.filter(isEvent) }),
      });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={hook === undefined ? webhooks.create : webhooks.changeNamed(hook.url)}
      submit={hook === undefined ? webhooks.create : webhooks.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
      width="medium"
    >
      <TextField
        label={webhooks.address}
        help={webhooks.addressHelp}
        value={url}
        onChange={(text) => typed.change({ url: text })}
        autoFocus
        isRequired
        type="url"
        fault={faults.at('url')}
      />
      <CheckboxGroup
        label={webhooks.events}
        value={[...events]}
        onChange={(names) => typed.change({ events: names })}
        fault={faults.at('events')}
      >
        {webhookEvents.map((event) => (
          <Checkbox key={event} value={event}>
            {event}
          </Checkbox>
        ))}
      </CheckboxGroup>
      <FaultLine words={faults.elsewhere('url', 'events')} />
      <Overtaken typed={typed} names={{ url: webhooks.address }} onMine={() => submit(true)} />
    </FormDialog>
  );
}

function Delivery({ hook, delivery }: { readonly hook: PlacedWebhook; readonly delivery: WebhookDelivery }) {
  const { webhooks } = useMessages().projectAdmin;
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { state, event, status, fault, answer, body, duration } = delivery;
  const again = () =>
    sendAgain(hook.id, delivery.id).then(() => notify({ text: webhooks.isSentAgain }), tellFault);
  return (
    <li>
      <div className={styles['deliveryHead']}>
        <MeaningChip meaning={state === 'delivered' ? 'good' : state === 'failed' ? 'bad' : 'care'}>
          {webhooks.states[state]}
        </MeaningChip>
        <span>
          {event} <Faint>{status ?? ''}</Faint> {fault !== null && <span lang="en">{fault}</span>}
        </span>
        <Faint>
          {formats.moment(delivery.tried_on ?? delivery.creation_date)}
          {duration !== null && ` · ${duration} ms`}
        </Faint>
        <Button size="small" kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? webhooks.less : webhooks.more}
        </Button>
        <Button size="small" onPress={again}>
          {webhooks.again}
        </Button>
      </div>
      {isOpen && (
        <>
          <p className={styles['events']}>{webhooks.answer}</p>
          <pre className={styles['answer']}>{answer === '' ? webhooks.nothing : answer}</pre>
          <p className={styles['events']}>{webhooks.body}</p>
          <pre className={styles['answer']}>{body ?? webhooks.bodyHidden}</pre>
        </>
      )}
    </li>
  );
}

function Deliveries({ hook, onClose }: { readonly hook: PlacedWebhook; onClose(): void }) {
  const { webhooks } = useMessages().projectAdmin;
  const { ui } = useMessages();
  const asked = useWebhookDeliveries(hook.id);
  const { data } = asked;
  const [isBusy, setBusy] = useState(false);
  const send = () => {
    setBusy(true);
    void ping(hook.id)
      .catch(tellFault)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog
      title={webhooks.deliveriesOf(hook.url)}
      isOpen
      onClose={onClose}
      width="wide"
      buttons={
        <>
          <Button onPress={onClose}>{ui.close}</Button>
          <Button kind="primary" icon="send" isBusy={isBusy} onPress={send}>
            {webhooks.ping}
          </Button>
        </>
      }
    >
      <WaitingPlace asked={asked} lines={4} />
      {data?.length === 0 && (
        <EmptyPlace icon="send" name={webhooks.noDeliveries}>
          {webhooks.noDeliveriesWords}
        </EmptyPlace>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['deliveries']}>
          {data.map((delivery) => (
            <Delivery key={delivery.id} hook={hook} delivery={delivery} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type Act = 'change' | 'deliveries' | 'renew' | 'delete';

function HookRow({
  project,
  hook,
  onAct,
}: {
  readonly project: Project;
  readonly hook: PlacedWebhook;
  onAct(act: Act): void;
}) {
  const { webhooks } = useMessages().projectAdmin;
  return (
    <Row
      name={
        <>
          <Main>{hook.url}</Main> {hook.trackerLabel !== undefined && <Tag>{hook.trackerLabel}</Tag>}
        </>
      }
      words={hook.events.join(', ')}
    >
      <Switch
        aria-label={webhooks.isOn(hook.url)}
        isSelected={hook.is_enabled}
        onChange={(is) => changeWebhook(project.uri, hook.id, { is_enabled: is }).catch(tellFault)}
      />
      <Button size="small" aria-label={webhooks.deliveriesOf(hook.url)} onPress={() => onAct('deliveries')}>
        {webhooks.deliveries}
      </Button>
      <Menu
        placement="bottom end"
        trigger={<IconButton icon="dots" size="small" label={webhooks.actionsOf(hook.url)} />}
      >
        <MenuItem icon="pencil" onAction={() => onAct('change')}>
          {webhooks.change}
        </MenuItem>
        <MenuItem icon="key" onAction={() => onAct('renew')}>
          {webhooks.renew}
        </MenuItem>
        <MenuItem icon="trash" isDanger onAction={() => onAct('delete')}>
          {webhooks.delete}
        </MenuItem>
      </Menu>
    </Row>
  );
}

/** Servers that are told of what happens in the project. */
export function Webhooks({ project }: { readonly project: Project }) {
  const { webhooks } = useMessages().projectAdmin;
  const asked = useWebhooks(project.uri);
  const { data } = asked;
  const [acting, setActing] = useState<{ readonly act: Act; readonly hook: PlacedWebhook }>();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const close = () => setActing(undefined);
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>
      {webhooks.create}
    </Button>
  );
  return (
    <AdminPart title={webhooks.title} words={webhooks.words} actions={create}>
      {secret !== undefined && (
        <ShownOnce
          title={webhooks.copySecret}
          words={webhooks.secretWords}
          text={secret}
          label={webhooks.secret}
        />
      )}
      <WaitingPlace asked={asked} lines={5} />
      {data?.length === 0 && (
        <EmptyPlace icon="webhook" name={webhooks.none}>
          {webhooks.noneWords}
        </EmptyPlace>
      )}
      {data?.map((hook) => (
        <HookRow key={hook.id} project={project} hook={hook} onAct={(act) => setActing({ act, hook })} />
      ))}
      {isCreating && (
        <HookForm
          project={project}
          hook={undefined}
          onSecret={setSecret}
          onClose={() => setCreating(false)}
        />
      )}
      {acting?.act === 'change' && (
        <HookForm project={project} hook={acting.hook} onSecret={setSecret} onClose={close} />
      )}
      {acting?.act === 'deliveries' && <Deliveries hook={acting.hook} onClose={close} />}
      {acting?.act === 'renew' && (
        <Confirm
          title={webhooks.renewTitle}
          confirm={webhooks.renew}
          run={async () => {
            const renewed = await changeWebhook(project.uri, acting.hook.id, { renew_secret: true });
            if (renewed !== null) setSecret(renewed);
          }}
          onClose={close}
        >
          <p>{webhooks.renewWords}</p>
        </Confirm>
      )}
      {acting?.act === 'delete' && (
        <Confirm
          title={webhooks.deleteTitle(acting.hook.url)}
          confirm={webhooks.delete}
          deletes={acting.hook.url}
          run={() => removeWebhook(project.uri, acting.hook.id)}
          onClose={close}
        >
          <p>{webhooks.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
