import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  Confirm,
  Faint,
  Filters,
  Main,
  PagedPlace,
  Table,
} from '../project-admin/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';
import { Button, IconButton, Menu, MenuItem, SearchField, Segmented, Tag } from '../ui/index.ts';
import {
  approveProject,
  type Project,
  type ProjectState,
  refuseProject,
  setProjectState,
  setTemplate,
  useProjects,
} from './calls.ts';
import { useAdminRights } from './rights.ts';

const states: readonly ProjectState[] = ['active', 'pending', 'suspended'];
const isState = (text: string | undefined): text is ProjectState => states.some((state) => state === text);

interface ProjectRights {
  readonly mayApprove: boolean;
  readonly mayManage: boolean;
  readonly mayRefuse: boolean;
}

/** Delegates approve, or suspend and reactivate; only site administrators do everything. */
function useProjectRights(): ProjectRights {
  const { mayChange, isSiteAdministrator } = useAdminRights();
  const { permissions } = useStanding();
  const holds = (id: number) => mayChange && permissions.some((permission) => permission.id === id);
  return {
    mayApprove: isSiteAdministrator || holds(1) || holds(8),
    mayManage: isSiteAdministrator || holds(8),
    mayRefuse: isSiteAdministrator,
  };
}

function Waiting({ project, rights }: { readonly project: Project; readonly rights: ProjectRights }) {
  const { projects } = useMessages().platformAdmin;
  const [isRefusing, setRefusing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const name = project.label_without_icon;
  const approve = () => {
    setBusy(true);
    void approveProject(project.id)
      .then(() => notify({ text: projects.approved(name) }), tellFault)
      .finally(() => setBusy(false));
  };
  return (
    <Buttons>
      {rights.mayApprove && (
        <Button size="small" isBusy={isBusy} aria-label={projects.approveNamed(name)} onPress={approve}>
          {projects.approve}
        </Button>
      )}
      {rights.mayRefuse && (
        <Button
          size="small"
          kind="quiet"
          aria-label={projects.refuseNamed(name)}
          onPress={() => setRefusing(true)}
        >
          {projects.refuse}
        </Button>
      )}
      {isRefusing && (
        <Confirm
          title={projects.refuseNamed(name)}
          confirm={projects.refuse}
          isDanger
          run={async () => {
            await refuseProject(project.id);
            notify({ text: projects.refused(name) });
          }}
          onClose={() => setRefusing(false)}
        >
          <p>{projects.refuseWords}</p>
        </Confirm>
      )}
    </Buttons>
  );
}

function Acts({ project, rights }: { readonly project: Project; readonly rights: ProjectRights }) {
  const { projects } = useMessages().platformAdmin;
  const [isAsking, setAsking] = useState(false);
  const name = project.label_without_icon;
  const isSuspended = project.status === 'suspended';
  const isTemplate = project.is_template;
  if (!rights.mayManage) return null;
  return (
    <>
      <Menu
        placement="bottom end"
        trigger={<IconButton icon="dots" size="small" label={projects.actionsOf(name)} />}
      >
        {rights.mayRefuse ? (
          <MenuItem href={`/projects/${project.shortname}/admin/details`} icon="settings">
            {projects.settings}
          </MenuItem>
        ) : null}
        {isSuspended ? (
          <MenuItem
            icon="player-play"
            onAction={() =>
              void setProjectState(project.id, 'active').then(
                () => notify({ text: projects.reactivated(name) }),
                tellFault,
              )
            }
          >
            {projects.reactivate}
          </MenuItem>
        ) : (
          <MenuItem icon="player-pause" isDanger onAction={() => setAsking(true)}>
            {projects.suspend}
          </MenuItem>
        )}
        {rights.mayRefuse && !isSuspended ? (
          <MenuItem icon="copy" onAction={() => void setTemplate(project.id, !isTemplate).catch(tellFault)}>
            {isTemplate ? projects.noTemplate : projects.makeTemplate}
          </MenuItem>
        ) : null}
      </Menu>
      {isAsking && (
        <Confirm
          title={projects.suspendNamed(name)}
          confirm={projects.suspend}
          isDanger
          run={async () => {
            await setProjectState(project.id, 'suspended');
            notify({ text: projects.isSuspended(name) });
          }}
          onClose={() => setAsking(false)}
        >
          <p>{projects.suspendWords}</p>
        </Confirm>
      )}
    </>
  );
}

/** All projects, whatever their state. */
export function Projects() {
  const { projects } = useMessages().platformAdmin;
  const formats = useFormats();
  const given = useSearch({ from: '/admin/$page' });
  const navigate = useNavigate();
  const rights = useProjectRights();
  const { isSiteAdministrator, mayChange } = useAdminRights();
  // Whoever only approves lists nothing else.
  const offered =
    isSiteAdministrator || !mayChange ? states : rights.mayManage ? states : (['pending'] as const);
  const waiting = useProjects('pending', '').size ?? 0;
  const state = isState(given.status)
    ? given.status
    : waiting > 0 || offered.length === 1
      ? 'pending'
      : 'active';
  const words = given.words ?? '';
  const list = useProjects(state, words);
  const change = (next: { words?: string; status?: string }) =>
    void navigate({
      to: '/admin/$page',
      params: { page: 'projects' },
      search: { ...given, ...next },
      replace: true,
    });
  return (
    <AdminPart title={projects.title} words={projects.words}>
      <Filters count={list.size === undefined ? undefined : projects.count(list.size)}>
        <SearchField placeholder={projects.find} value={words} onChange={(next) => change({ words: next })} />
        {offered.length > 1 && (
          <Segmented
            label={projects.state}
            options={offered.map((id) => ({
              id,
              name:
                id === 'pending' && waiting > 0 ? `${projects.states[id]} ${waiting}` : projects.states[id],
            }))}
            value={state}
            onChange={(id) => change({ status: id })}
          />
        )}
      </Filters>
      <PagedPlace
        list={list}
        icon="folder"
        empty={words === '' ? projects.none[state] : projects.nothingMatches}
        emptyWords={state === 'pending' && words === '' ? projects.pendingWords : ''}
      >
        {(items) => (
          <Table
            label={projects.title}
            columns={[projects.project, projects.visibility, projects.members, '']}
          >
            {items.map((project) => (
              <tr key={project.id}>
                <td>
                  <Main second={project.description === '' ? project.shortname : project.description}>
                    <a href={`/projects/${project.shortname}`}>{project.label_without_icon}</a>{' '}
                    {project.is_template && <Tag>{projects.template}</Tag>}
                  </Main>
                </td>
                <td data-label={projects.visibility}>
                  <Faint>{projects.accesses[project.access] ?? project.access}</Faint>
                </td>
                <td data-label={projects.members}>
                  <Faint>
                    {project.member_count === undefined ? '' : formats.number(project.member_count)}
                  </Faint>
                </td>
                <td>
                  {state === 'pending' ? (
                    <Waiting project={project} rights={rights} />
                  ) : (
                    <Acts project={project} rights={rights} />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedPlace>
    </AdminPart>
  );
}
