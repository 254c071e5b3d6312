import type {
  MinimalProject,
  ProjectField as PresentedField,
  ProjectSettings as PresentedSettings,
  ProjectService,
} from '@atelier/contract';
import { formatInstant } from '../kernel/clock.ts';
import {
  isHidden,
  type Project,
  type ProjectField,
  type ProjectFigures,
  type ProjectSettings,
  parseFieldValues,
  type Service,
  shortnameKey,
} from '../projects/index.ts';

const labelOf = ({ icon, label }: Project) => (icon === '' ? label : `${icon} ${label}`);
/** A project that is being imported has no state that clients know. */
const statusOf = ({ status }: Project) => (isHidden(status) ? null : status);

export function presentMinimalProject(project: Project): MinimalProject {
  return {
    id: project.id,
    uri: `projects/${project.id}`,
    label: labelOf(project),
    label_without_icon: project.label,
    shortname: shortnameKey(project.shortname),
    status: statusOf(project),
    access: project.access,
    is_template: project.isTemplate,
  };
}

/** What all projects have in common in their full form, worked out once. */
export interface ProjectForm {
  /** The `resources` as JSON text, cut at the places where the project's id belongs. */
  readonly resources: readonly string[];
  readonly fields: readonly ProjectField[];
}

export function projectForm(resourceTypes: readonly string[], fields: readonly ProjectField[]): ProjectForm {
  const hole = '\0';
  const entries = resourceTypes.map((type) => `{"type":"${type}","uri":"projects/${hole}/${type}"}`);
  return { resources: `[${entries.join(',')}]`.split(hole), fields };
}

const quoted = (text: string) => JSON.stringify(text);

function additionalFields(fields: readonly ProjectField[], fieldValues: string): string {
  if (fields.length === 0) return '[]';
  const values = parseFieldValues(fieldValues);
  return JSON.stringify(fields.map(({ id, name }) => ({ name, value: values[id] ?? '' })));
}

/**
 * The full form as JSON text. The most read answer of all is written member by member, at half the cost of building an
 * object first.
 */
export function projectText(
  project: Project,
  { resources, fields }: ProjectForm,
  figures?: ProjectFigures,
): string {
  const { id } = project;
  const label = quoted(project.label);
  const status = statusOf(project);
  return (
    `{"id":${id},"uri":"projects/${id}","label":${project.icon === '' ? label : quoted(labelOf(project))}` +
    `,"label_without_icon":${label},"shortname":"${shortnameKey(project.shortname)}"` +
    `,"status":${status === null ? 'null' : `"${status}"`},"access":"${project.access}"` +
    `,"is_template":${project.isTemplate},"resources":${resources.join(String(id))}` +
    `,"additional_informations":[],"is_member_of":${project.membership !== 'none'}` +
    `,"description":${quoted(project.description)}` +
    `,"additional_fields":${additionalFields(fields, project.fieldValues)},"icon":${quoted(project.icon)}` +
    `${project.headerBackground === null ? '' : `,"header_background":"${project.headerBackground}"`}` +
    `${project.banner === null ? '' : `,"banner":${quoted(project.banner)}`}` +
    `${figures === undefined ? '' : figuresText(figures)}}`
  );
}

const figuresText = ({ lastActivityAt, memberCount }: ProjectFigures) =>
  `,"last_activity_date":"${formatInstant(lastActivityAt)}","member_count":${memberCount}`;

export function presentSettings(settings: ProjectSettings): PresentedSettings {
  const { id, status } = settings.project;
  return {
    id,
    uri: `projects/${id}`,
    label: settings.label,
    shortname: shortnameKey(settings.shortname),
    description: settings.description,
    icon: settings.icon,
    access: settings.access,
    status,
    is_template: settings.isTemplate,
    has_synchronised_membership: settings.hasSynchronisedMembership,
    has_truncated_mails: settings.hasTruncatedMails,
    membership_delegation: [...settings.membershipDelegation],
    fields: settings.fields.map(({ fieldId, value }) => ({ field_id: fieldId, value })),
    header_background: settings.project.headerBackground ?? '',
  };
}

export function presentService(service: Service): ProjectService {
  return {
    id: service.id,
    uri: `project_services/${service.id}`,
    service_url: service.url,
    name: service.name,
    label: service.label,
    is_enabled: service.isEnabled,
    icon: service.icon,
    is_custom: service.isCustom,
    open_in_new_tab: service.opensInNewTab,
  };
}

export function presentProjectField(field: ProjectField): PresentedField {
  const { id, name, rank, isRequired, description, type } = field;
  return { id, name, rank, is_required: isRequired, description, type };
}
