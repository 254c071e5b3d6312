import type { RouteBinding } from '../route.ts';
import type { Services } from '../services.ts';
import { credentialBindings } from './credentials.ts';
import { platformBindings } from './platform.ts';
import { userBindings } from './users.ts';

/** Everything below `/api`. */
export function routeBindings(services: Services): RouteBinding[] {
  return [...platformBindings(services), ...credentialBindings(services), ...userBindings(services)];
}
