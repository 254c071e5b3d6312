/** The only name by which a script is ever loaded from code, as the policy of documents asks. */
const script = '/service-worker.js';

/** `TrustedTypePolicyFactory` is not among the types of the language yet. */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

const isPolicies = (value: unknown): value is Policies =>
  typeof value === 'object' && value !== null && 'createPolicy' in value;

function trusted(address: string): string {
  const policies: unknown = Reflect.get(globalThis, 'trustedTypes');
  if (!isPolicies(policies)) return address;
  const createScriptURL = (asked: string) => {
    if (asked !== script) throw new TypeError(`${asked} is no script of ours.`);
    return asked;
  };
  return policies.createPolicy('atelier', { createScriptURL }).createScriptURL(address);
}

/** Lets the application open without a network from the next visit on. Where browsers have no workers, it needs one. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(trusted(script)).catch(() => undefined);
}
