import * as contract from '@atelier/contract';
import { type ImportRecord, listImports, readImport } from '../../../archive/index.ts';
import { formatInstant } from '../../../kernel/clock.ts';
import { forbidden } from '../../../kernel/errors.ts';
import { countsAsAdministrator, readProject } from '../../../projects/index.ts';
import { archiveFolder, exportPath } from '../../bytes/index.ts';
import { bind, pageOf, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

function presentFacts(record: ImportRecord): Omit<contract.ProjectImport, 'report'> {
  const { id, fileName, state, progress, projectId, fault, createdAt, archiveNumber, cancelledBy } = record;
  // Nobody sees the project before it is done.
  const isShown = state === 'done' && projectId !== null;
  return {
    id,
    uri: `project_imports/${id}`,
    file_name: fileName,
    state,
    progress,
    project: isShown ? { id: projectId, uri: `projects/${projectId}` } : null,
    fault,
    is_cancelled: cancelledBy !== null,
    upload_href: state === 'uploading' ? `${archiveFolder}/${archiveNumber}` : null,
    created_on: formatInstant(createdAt),
  };
}

const reportOf = ({ report }: ImportRecord): contract.ImportReport | null =>
  report === null ? null : JSON.parse(report);

const present = (record: ImportRecord): contract.ProjectImport => ({
  ...presentFacts(record),
  report: reportOf(record),
});

/** In a list nobody looks for ids, of which there may be thousands. */
function presentListed(record: ImportRecord): contract.ListedProjectImport {
  const report = reportOf(record);
  if (report === null) return { ...presentFacts(record), report };
  const { ids: _ids, users: _users, ...outcome } = report;
  return { ...presentFacts(record), report: outcome };
}

export function projectImportBindings({ database, operations, config }: Services): RouteBinding[] {
  return [
    bind(contract.createProjectImport, async ({ viewer, body }) => {
      const id = await operations.requestImport(viewer, {
        upload: { name: body.file_name, size: body.file_size, largest: config.maxArchiveSize },
        options: {
          automap: body.automap,
          userMap: body.user_map,
          into: body.project,
          name: body.name,
          isTemplate: body.is_template ?? false,
          isDryRun: body.dry_run ?? false,
        },
      });
      return { body: present(await readImport(database, viewer, id)) };
    }),
    bind(contract.listProjectImports, async ({ viewer, query }) =>
      pageOf(query, await listImports(database, viewer, query), presentListed),
    ),
    bind(contract.getProjectImport, async ({ viewer, params }) => ({
      body: present(await readImport(database, viewer, params.id)),
    })),
    bind(contract.cancelProjectImport, async ({ viewer, params }) => {
      await operations.cancelImport(viewer, { id: params.id });
      return { body: present(await readImport(database, viewer, params.id)) };
    }),
    bind(contract.getProjectArchive, async ({ viewer, params }) => {
      const { project } = await readProject(database, viewer, params.id);
      if (!countsAsAdministrator(viewer, project))
        throw forbidden('Only project administrators may export a project.');
      const modes = viewer.isSiteAdmin ? (['structure', 'all'] as const) : (['structure'] as const);
      return { body: modes.map((mode) => ({ mode, download_href: exportPath(project.id, mode) })) };
    }),
  ];
}
