import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { credentialBindings } from './credentials.ts';
import { labelBindings } from './labels.ts';
import { membershipBindings } from './memberships.ts';
import { platformBindings } from './platform.ts';
import { projectFieldBindings } from './project-fields.ts';
import { projectPageBindings } from './project-pages.ts';
import { projectServiceBindings } from './project-services.ts';
import { projectSettingsBindings } from './project-settings.ts';
import { projectBindings } from './projects.ts';
import { userGroupBindings } from './user-groups.ts';
import { userBindings } from './users.ts';

/** Everything below `/api`. */
export function routeBindings(services: Services): RouteBinding[] {
  return [
    ...platformBindings(services),
    ...credentialBindings(services),
    ...userBindings(services),
    ...membershipBindings(services),
    ...projectBindings(services),
    ...projectSettingsBindings(services),
    ...projectServiceBindings(services),
    ...projectFieldBindings(services),
    ...projectPageBindings(services),
    ...labelBindings(services),
    ...userGroupBindings(services),
  ];
}
