import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  ChangeAndDelete,
  Confirm,
  Faint,
  FaultLine,
  FormDialog,
  Main,
  Overtaken,
  Table,
  useSending,
  useTyped,
} from '../project-admin/index.ts';
import { notify, WaitingPlace } from '../shell/index.ts';
import { Button, Tag, TextField } from '../ui/index.ts';
import {
  changeLinkType,
  type LinkType,
  makeLinkType,
  readLinkType,
  removeLinkType,
  useLinkTypes,
} from './calls.ts';
import { useAdminRights } from './rights.ts';

const labelsOf = (type: LinkType | undefined) => ({
  forward_label: type?.forward_label ?? '',
  reverse_label: type?.reverse_label ?? '',
});

function LinkTypeForm({ type, onClose }: { readonly type: LinkType | undefined; onClose(): void }) {
  const { linkTypes } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const [shortname, setShortname] = useState(type?.shortname ?? '');
  const stored = labelsOf(type);
  const typed = useTyped(stored, async () =>
    labelsOf(type === undefined ? undefined : await readLinkType(type)),
  );
  const { forward_label: forward, reverse_label: reverse } = typed.values;
  const store = async (changes: Partial<typeof stored>) => {
    if (type === undefined) await makeLinkType({ shortname: shortname.trim(), ...typed.values });
    else await changeLinkType(type.shortname, changes);
    notify({ text: linkTypes.saved });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={type === undefined ? linkTypes.create : linkTypes.changeNamed(type.shortname)}
      submit={type === undefined ? linkTypes.create : linkTypes.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      {type === undefined && (
        <TextField
          label={linkTypes.shortname}
          help={linkTypes.shortnameHelp}
          value={shortname}
          onChange={setShortname}
          autoFocus
          isRequired
          fault={faults.at('shortname')}
        />
      )}
      <TextField
        label={linkTypes.forward}
        help={linkTypes.forwardHelp}
        value={forward}
        onChange={(text) => typed.change({ forward_label: text })}
        isRequired
        fault={faults.at('forward_label')}
      />
      <TextField
        label={linkTypes.reverse}
        help={linkTypes.reverseHelp}
        value={reverse}
        onChange={(text) => typed.change({ reverse_label: text })}
        isRequired
        fault={faults.at('reverse_label')}
      />
      <FaultLine words={faults.elsewhere('shortname', 'forward_label', 'reverse_label')} />
      <Overtaken
        typed={typed}
        names={{ forward_label: linkTypes.forward, reverse_label: linkTypes.reverse }}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

/** Types of links between artifacts, for all projects. */
export function LinkTypes() {
  const { linkTypes } = useMessages().platformAdmin;
  const asked = useLinkTypes();
  const { data } = asked;
  const { mayChange } = useAdminRights();
  const [edited, setEdited] = useState<LinkType | 'new'>();
  const [leaving, setLeaving] = useState<LinkType>();
  return (
    <AdminPart
      title={linkTypes.title}
      words={linkTypes.words}
      actions={
        mayChange && (
          <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>
            {linkTypes.create}
          </Button>
        )
      }
    >
      <WaitingPlace asked={asked} lines={5} />
      {data !== undefined && (
        <Table
          label={linkTypes.title}
          columns={[linkTypes.shortname, linkTypes.forward, linkTypes.reverse, '']}
        >
          {data.map((type) => (
            <tr key={type.shortname}>
              <td>
                <Main>{type.shortname}</Main> {type.is_system && <Tag>{linkTypes.system}</Tag>}
              </td>
              <td data-label={linkTypes.forward}>{type.forward_label}</td>
              <td data-label={linkTypes.reverse}>
                <Faint>{type.reverse_label}</Faint>
              </td>
              <td>
                {mayChange && !type.is_system && (
                  <Buttons>
                    <ChangeAndDelete
                      words={linkTypes}
                      name={type.shortname}
                      onChange={() => setEdited(type)}
                      onDelete={() => setLeaving(type)}
                    />
                  </Buttons>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {edited !== undefined && (
        <LinkTypeForm type={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {leaving !== undefined && (
        <Confirm
          title={linkTypes.deleteNamed(leaving.shortname)}
          confirm={linkTypes.delete}
          deletes={leaving.shortname}
          run={() => removeLinkType(leaving.shortname)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{linkTypes.deleteWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
