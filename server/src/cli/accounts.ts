import { CommandFault } from './faults.ts';
import type { Instance } from './instance.ts';

/** The person a command names; the account that stands for nobody is no person. */
export async function accountNamed({ database, identity }: Instance, name: string) {
  const account = await identity.findAccountByName(database, name);
  if (account === undefined || account.id === identity.noneId)
    throw new CommandFault(`There is no user ${name}.`);
  return account;
}
