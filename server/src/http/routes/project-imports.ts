import * as contract from '@atelier/contract';
import { type ImportRecord, listImports, readImport } from '../../archive/index.ts';
import { formatInstant } from '../../kernel/clock.ts';
import { forbidden } from '../../kernel/errors.ts';
import { countsAsAdministrator, readProject } from '../../projects/index.ts';
import { exportPath } from '../exports.ts';
import { bind, pageOf, type RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { archiveFolder } from '../tus.ts';

function present(record: ImportRecord): contract.ProjectImport {
  const { id, fileName, state, progress, projectId, report, fault, createdAt } = record;
  // Nobody sees the project before it is done.
  const isShown = state === 'done' && projectId !== null;
  return {
    id,
    uri: `project_imports/${id}`,
    file_name: fileName,
    state,
    progress,
    project: isShown ? { id: projectId, uri: `projects/${projectId}` } : null,
    report: report === null ? null : JSON.parse(report),
    fault,
    upload_href: state === 'uploading' ? `${archiveFolder}/${id}` : null,
    created_on: formatInstant(createdAt),
  };
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
      pageOf(query, await listImports(database, viewer, query), present),
    ),
    bind(contract.getProjectImport, async ({ viewer, params }) => ({
      body: present(await readImport(database, viewer, params.id)),
    })),
    bind(contract.getProjectArchive, async ({ viewer, params }) => {
      const { project } = await readProject(database, viewer, params.id);
      if (!countsAsAdministrator(viewer, project))
        throw forbidden('Only project administrators may export a project.');
      const modes = viewer.isSiteAdmin ? (['structure', 'all'] as const) : (['structure'] as const);
      return { body: modes.map((mode) => ({ mode, download_href: exportPath(project.id, mode) })) };
    }),
  ];
}
