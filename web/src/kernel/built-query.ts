import { type FromCondition, readCrossQuery } from './cross-query.ts';
import type { Alternatives, QueryOperator, Term } from './query.ts';
import { quoted } from './quoted.ts';

/** A condition as it is built: a name, an operator and values as they are written, or what only a text can say. */
export type BuiltCondition =
  | {
      readonly is: 'comparison';
      readonly name: string;
      readonly operator: QueryOperator;
      /** As they stand in a query: `"Open"`, `3`, `NOW() - 7d`. */
      readonly values: readonly string[];
    }
  | { readonly is: 'text'; readonly text: string };

/** Where a query looks: in one's own projects, in the one it is kept in, in some by their short names, or without a word about it. */
export type BuiltProjects =
  | { readonly is: 'mine' }
  | { readonly is: 'self' }
  | { readonly is: 'named'; readonly names: readonly string[] }
  | { readonly is: 'none' };

export interface BuiltOrder {
  readonly name: string;
  readonly isDescending: boolean;
}

/** A query over several trackers as its parts. */
export interface BuiltQuery {
  readonly columns: readonly string[];
  readonly projects: BuiltProjects;
  /** Short names; none: all of them. */
  readonly trackers: readonly string[];
  /** Whether one of the conditions is enough. */
  readonly isAny: boolean;
  readonly conditions: readonly BuiltCondition[];
  readonly order?: BuiltOrder | undefined;
}

/** Holds for every artifact: a query must say something. */
const everything: BuiltCondition = { is: 'comparison', name: '@id', operator: '>=', values: ['1'] };

const isEverything = (condition: BuiltCondition) => JSON.stringify(condition) === JSON.stringify(everything);

function termOf(source: string, term: Term): BuiltCondition {
  if (term.is !== 'comparison') return { is: 'text', text: source.slice(term.from, term.to).trim() };
  const { name, operator, values } = term;
  return {
    is: 'comparison',
    name,
    operator,
    values: values.map(({ from, to }) => source.slice(from, to).trim()),
  };
}

function conditionsOf(source: string, condition: Alternatives): Pick<BuiltQuery, 'isAny' | 'conditions'> {
  const [first = [], ...more] = condition.options;
  if (more.length === 0) {
    const conditions = first.map((term) => termOf(source, term));
    const [only] = conditions;
    const isAll = conditions.length === 1 && only !== undefined && isEverything(only);
    return { isAny: false, conditions: isAll ? [] : conditions };
  }
  if (condition.options.every((terms) => terms.length === 1))
    return { isAny: true, conditions: condition.options.flat().map((term) => termOf(source, term)) };
  return {
    isAny: false,
    conditions: [{ is: 'text', text: source.slice(condition.from, condition.to).trim() }],
  };
}

const textsOf = ({ values }: FromCondition) => (values === 'mine' ? [] : values.map(({ text }) => text));

/** Undefined where it is not one of those that can be built: categories, and programs. */
function projectsOf(condition: FromCondition | undefined): BuiltProjects | undefined {
  if (condition === undefined) return { is: 'none' };
  const { target, values } = condition;
  if (values === 'mine') return { is: 'mine' };
  const names = textsOf(condition);
  if (target === '@project.name') return { is: 'named', names };
  return target === '@project' && names.length === 1 && names[0] === 'self' ? { is: 'self' } : undefined;
}

/** The parts of a query; undefined for a text that is none, or one that has parts which cannot be built. */
export function builtQuery(source: string): BuiltQuery | undefined {
  const { query } = readCrossQuery(source);
  if (query === undefined) return undefined;
  const ofTrackers = query.from.filter(({ target }) => target === '@tracker.name');
  const ofProjects = query.from.filter(({ target }) => target !== '@tracker.name');
  if (ofTrackers.length > 1 || ofProjects.length > 1) return undefined;
  const projects = projectsOf(ofProjects[0]);
  if (projects === undefined) return undefined;
  const { order } = query;
  return {
    columns: query.columns.map(({ name }) => name),
    projects,
    trackers: ofTrackers.flatMap(textsOf),
    ...conditionsOf(source, query.condition),
    ...(order === undefined ? {} : { order: { name: order.name, isDescending: order.isDescending } }),
  };
}

const oneOf = (target: string, names: readonly string[]) =>
  names.length === 1
    ? `${target} = ${names.map(quoted).join('')}`
    : `${target} IN(${names.map(quoted).join(', ')})`;

function writtenFrom({ projects, trackers }: BuiltQuery): string {
  const ofTrackers = trackers.length === 0 ? [] : [oneOf('@tracker.name', trackers)];
  const ofProjects =
    projects.is === 'named' && projects.names.length > 0
      ? [oneOf('@project.name', projects.names)]
      : projects.is === 'self'
        ? ['@project = "self"']
        : projects.is === 'none' && ofTrackers.length > 0
          ? []
          : ['@project = MY_PROJECTS()'];
  return [...ofProjects, ...ofTrackers].join(' AND ');
}

function writtenCondition(condition: BuiltCondition, isAlone: boolean): string {
  if (condition.is === 'text') return isAlone ? condition.text : `(${condition.text})`;
  const { name, operator, values } = condition;
  return operator === 'BETWEEN' || operator === 'IN' || operator === 'NOT IN'
    ? `${name} ${operator}(${values.join(', ')})`
    : `${name} ${operator} ${values.join('')}`;
}

/** A condition that still lacks its value is not asked for. */
const isWhole = (condition: BuiltCondition): boolean => {
  if (condition.is === 'text') return condition.text.trim() !== '';
  const { operator, values } = condition;
  return operator === 'BETWEEN' ? values.length === 2 : values.length > 0;
};

/** The text of a query, a line for each of its parts. */
export function writtenQuery(built: BuiltQuery): string {
  const given = built.conditions.filter(isWhole);
  const conditions = given.length === 0 ? [everything] : given;
  const columns = built.columns.length === 0 ? ['@pretty_title'] : built.columns;
  return [
    `SELECT ${columns.join(', ')}`,
    `FROM ${writtenFrom(built)}`,
    `WHERE ${conditions
      .map((one) => writtenCondition(one, conditions.length === 1))
      .join(built.isAny ? ' OR ' : ' AND ')}`,
    ...(built.order === undefined
      ? []
      : [`ORDER BY ${built.order.name} ${built.order.isDescending ? 'DESC' : 'ASC'}`]),
  ].join('\n');
}
