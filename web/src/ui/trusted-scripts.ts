/** `TrustedTypePolicyFactory` is not among the types of the language yet. */
interface Policy {
  createScriptURL(address: string): string;
}

interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

const isPolicies = (value: unknown): value is Policies =>
  typeof value === 'object' && value !== null && 'createPolicy' in value;

/** The only names by which scripts are ever loaded from code, as the policy of documents asks. */
const isOurs = (address: string) =>
  address === '/service-worker.js' || /^\/assets\/[\w.-]+\.js$/.test(address);

function createScriptURL(asked: string): string {
  if (!isOurs(asked)) throw new TypeError(`${asked} is no script of ours.`);
  return asked;
}

let policy: Policy | undefined;

/** The address of a worker as browsers take it that let no other script in. The policy can be made once only. */
export function trustedScript(address: string): string {
  const policies: unknown = Reflect.get(globalThis, 'trustedTypes');
  if (!isPolicies(policies)) return address;
  policy ??= policies.createPolicy('atelier', { createScriptURL });
  return policy.createScriptURL(address);
}
