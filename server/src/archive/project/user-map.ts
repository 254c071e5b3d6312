import { csvRows } from '../../kernel/csv.ts';
import { invalid } from '../../kernel/errors.ts';

/** What is to become of a person that an archive names. */
export type UserAction =
  | { readonly kind: 'create'; readonly status: 'A' | 'R' | 'S' }
  | { readonly kind: 'map'; readonly to: string }
  | { readonly kind: 'keep' };

/** Decisions about the people of an archive: each by name, or one for all. */
export type UserMap =
  | { readonly kind: 'file'; readonly actions: ReadonlyMap<string, UserAction> }
  | { readonly kind: 'automap'; readonly action: UserAction };

type CreatedStatus = 'A' | 'R' | 'S';

const isCreatedStatus = (text: string): text is CreatedStatus => ['A', 'R', 'S'].includes(text);

/** Undefined when there is no such action. */
function actionOf(text: string): UserAction | undefined {
  const [verb = '', ...rest] = text.trim().split(':');
  const operand = rest.join(':').trim();
  if (verb === 'noop' && operand === '') return { kind: 'keep' };
  if (verb === 'map') return { kind: 'map', to: operand };
  if (verb !== 'create') return undefined;
  const status = operand === '' ? 'S' : operand;
  return isCreatedStatus(status) ? { kind: 'create', status } : undefined;
}

const actionWords =
  'Write map:NAME with the name of an account here, create:A (or create:R, create:S), or noop for the account of that name.';

/** Reads a mapping file. Its first line is a heading, whatever it says. */
export function parseUserMap(text: string): UserMap {
  const actions = new Map<string, UserAction>();
  const [, ...lines] = [...csvRows(text, ',')];
  for (const { line, cells } of lines) {
    const [name = '', words = ''] = cells.map((cell) => cell.trim());
    const where = `line ${line} of the mapping of users`;
    const action = actionOf(words);
    if (action === undefined)
      throw invalid(`There is no action "${words}": ${where}, about ${name}. ${actionWords}`);
    if (action.kind === 'map' && action.to === '')
      throw invalid(`Nobody is named after "map:": ${where}, about ${name}. ${actionWords}`);
    if (actions.has(name)) throw invalid(`${name} is named twice: ${where}.`);
    actions.set(name, action);
  }
  return { kind: 'file', actions };
}

/** `no-email,create:A`: people are found by name, and the others are created. */
export function parseAutomap(text: string): UserMap {
  const [strategy, words, ...rest] = text.split(',');
  if (strategy?.trim() !== 'no-email' || words === undefined || rest.length > 0)
    throw invalid('The automatic mapping must be of the form no-email,create:A (or create:R, create:S).');
  const action = actionOf(words);
  if (action?.kind !== 'create' || words.trim() === 'create')
    throw invalid(`"${words}" is not possible for everybody: use create:A, create:R or create:S.`);
  return { kind: 'automap', action };
}
