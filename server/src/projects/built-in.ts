import { administrationProjectId } from '../identity/index.ts';
import type { Transaction } from '../storage/index.ts';
import { defaultTemplateId, shortnameKey } from './model.ts';
import { insertDefaultServices } from './services.ts';

const builtInProjects = [
  {
    id: administrationProjectId,
    shortname: 'admin-project',
    label: 'Administration Project',
    status: 'active',
    is_template: 0,
  },
  {
    id: defaultTemplateId,
    shortname: 'default-template',
    label: 'Default Site Template',
    status: 'system',
    is_template: 1,
  },
] as const;

/** Puts the projects that every platform has into an empty database. */
export async function insertBuiltInProjects(tx: Transaction): Promise<void> {
  for (const project of builtInProjects) {
    await tx.run(
      tx.sql.insertInto('project').values({
        ...project,
        shortname_key: shortnameKey(project.shortname),
        description: project.label,
        access: 'public',
        icon: '',
        field_values: '{}',
        has_synchronised_membership: 0,
        banner: null,
        header_background: null,
        created_at: Date.now(),
      }),
    );
    await insertDefaultServices(tx, project.id);
  }
}
