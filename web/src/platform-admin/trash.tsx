import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  Confirm,
  Faint,
  Main,
  PagedPlace,
  Section,
  Table,
} from '../project-admin/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { Button } from '../ui/index.ts';
import {
  bringBackArtifact,
  bringBackProject,
  bringBackRepository,
  purgeForGood,
  useDeletedArtifacts,
  useDeletedProjects,
  useDeletedRepositories,
} from './calls.ts';
import { useAdminRights } from './rights.ts';

function BringBack({ name, run }: { readonly name: string; run(): Promise<void> }) {
  const { trash } = useMessages().platformAdmin;
  const [isBusy, setBusy] = useState(false);
  const act = () => {
    setBusy(true);
    void run()
      .then(() => notify({ text: trash.back(name) }), tellFault)
      .finally(() => setBusy(false));
  };
  return (
    <Button size="small" isBusy={isBusy} aria-label={trash.bringBackNamed(name)} onPress={act}>
      {trash.bringBack}
    </Button>
  );
}

/** What was deleted and can be brought back, on the whole platform. */
export function Trash() {
  const { trash } = useMessages().platformAdmin;
  const formats = useFormats();
  const { mayChange } = useAdminRights();
  const projects = useDeletedProjects();
  const artifacts = useDeletedArtifacts();
  const repositories = useDeletedRepositories();
  const [purged, setPurged] = useState<{ readonly id: number; readonly label: string }>();
  return (
    <AdminPart title={trash.title} words={trash.words}>
      <Section name={trash.projects}>
        <PagedPlace list={projects} icon="folder" empty={trash.noProjects}>
          {(items) => (
            <Table label={trash.projects} columns={[trash.project, trash.deleted, trash.gone, '']}>
              {items.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Main second={one.shortname}>{one.label}</Main>
                  </td>
                  <td data-label={trash.deleted}>
                    <Faint>{trash.by(formats.day(one.deleted_on), one.deleted_by?.display_name)}</Faint>
                  </td>
                  <td data-label={trash.gone}>
                    <Faint>{one.purge_due_on === null ? trash.never : formats.day(one.purge_due_on)}</Faint>
                  </td>
                  <td>
                    {mayChange && (
                      <Buttons>
                        <BringBack name={one.label} run={() => bringBackProject(one.id)} />
                        <Button
                          size="small"
                          kind="quiet"
                          aria-label={trash.purgeNamed(one.label)}
                          onPress={() => setPurged(one)}
                        >
                          {trash.purge}
                        </Button>
                      </Buttons>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </PagedPlace>
      </Section>
      <Section name={trash.artifacts}>
        <PagedPlace list={artifacts} icon="trash" empty={trash.noArtifacts}>
          {(items) => (
            <Table label={trash.artifacts} columns={[trash.artifact, trash.tracker, trash.deleted, '']}>
              {items.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Main second={one.xref}>{one.title ?? one.xref}</Main>
                  </td>
                  <td data-label={trash.tracker}>{one.tracker.label}</td>
                  <td data-label={trash.deleted}>
                    <Faint>{trash.by(formats.day(one.deleted_on), one.deleted_by.display_name)}</Faint>
                  </td>
                  <td>{mayChange && <BringBack name={one.xref} run={() => bringBackArtifact(one.id)} />}</td>
                </tr>
              ))}
            </Table>
          )}
        </PagedPlace>
      </Section>
      <Section name={trash.repositories}>
        <PagedPlace list={repositories} icon="folder-code" empty={trash.noRepositories}>
          {(items) => (
            <Table label={trash.repositories} columns={[trash.repository, trash.project, trash.deleted, '']}>
              {items.map((one) => (
                <tr key={one.id}>
                  <td>
                    <Main>{one.name}</Main>
                  </td>
                  <td data-label={trash.project}>{one.project.label_without_icon}</td>
                  <td data-label={trash.deleted}>
                    <Faint>{formats.day(one.deleted_on)}</Faint>
                  </td>
                  <td>
                    {mayChange && <BringBack name={one.name} run={() => bringBackRepository(one.id)} />}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </PagedPlace>
      </Section>
      {purged !== undefined && (
        <Confirm
          title={trash.purgeNamed(purged.label)}
          confirm={trash.purge}
          deletes={purged.label}
          run={() => purgeForGood(purged.id)}
          onClose={() => setPurged(undefined)}
        >
          <p>{trash.purgeWords}</p>
        </Confirm>
      )}
    </AdminPart>
  );
}
