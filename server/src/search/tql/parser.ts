import { invalid } from '../../kernel/errors.ts';
import type { ComparedValue, Operator, Period } from '../../trackers/index.ts';
import { Scanner, SyntaxFault } from './scanner.ts';
import type {
  Alternatives,
  CrossQuery,
  FromCondition,
  LinkTerm,
  NamedComparison,
  Query,
  Term,
  WantedEnd,
} from './tree.ts';

/*
 * The grammar of queries, a function for each rule of it. A rule that does not fit gives undefined and has read nothing:
 * its caller tries the next one. No rule is tried twice at the same place, so that reading takes time in proportion to
 * the length of the text.
 */

/** Parentheses inside each other; the cost of a condition does not bound them where there is no limit to it. */
const deepest = 100;

/** At least one item, with the separator between them. */
function listOf<T>(scanner: Scanner, separator: () => boolean, item: () => T | undefined): T[] | undefined {
  const first = item();
  if (first === undefined) return undefined;
  const items = [first];
  for (;;) {
    const next = scanner.attempt(() => (separator() ? item() : undefined));
    if (next === undefined) return items;
    items.push(next);
  }
}

/** condition = and_expr , { "OR" , and_expr } */
function condition(scanner: Scanner, depth = 0): Alternatives | undefined {
  if (depth > deepest)
    throw invalid(`The query is too complex: it has more than ${deepest} parentheses inside each other.`);
  const options = listOf(
    scanner,
    () => scanner.keyword('OR'),
    () => andExpression(scanner, depth),
  );
  return options && { is: 'alternatives', options };
}

/** and_expr = term , { "AND" , term } */
const andExpression = (scanner: Scanner, depth: number): Term[] | undefined =>
  listOf(
    scanner,
    () => scanner.keyword('AND'),
    () => term(scanner, depth),
  );

/** term = comparison | "(" , condition , ")" | link */
const term = (scanner: Scanner, depth: number): Term | undefined =>
  scanner.attempt(() => comparison(scanner)) ??
  scanner.attempt(() => parenthesis(scanner, depth)) ??
  scanner.attempt(() => link(scanner));

function parenthesis(scanner: Scanner, depth: number): Alternatives | undefined {
  const inside = scanner.symbol('(') ? condition(scanner, depth + 1) : undefined;
  return inside && scanner.symbol(')') ? inside : undefined;
}

/** searchable = field_name | metadata */
const searchable = (scanner: Scanner) => scanner.fieldName() ?? scanner.metadata();

/**
 * comparison = searchable , operator , value
 *            | searchable , "BETWEEN" , "(" , value , "," , value , ")"
 *            | searchable , ( "IN" | "NOT IN" ) , "(" , value , { "," , value } , [ "," ] , ")"
 */
function comparison(scanner: Scanner): NamedComparison | undefined {
  const name = searchable(scanner);
  if (name === undefined) return undefined;
  const made = (operator: Operator, values: readonly ComparedValue[] | undefined) =>
    values && ({ is: 'comparison', name, operator, values } as const);
  const plain = plainOperators.find((operator) => scanner.symbol(operator));
  if (plain !== undefined) return made(plain, one(value(scanner)));
  const listing = scanner.oneOf(['BETWEEN', 'IN', 'NOT IN']);
  if (listing === undefined) return undefined;
  const values = listing === 'BETWEEN' ? twoValues(scanner) : someValues(scanner);
  return made(`${listing}()`, values);
}

/** Of those that begin alike the longer one comes first. */
const plainOperators = ['=', '!=', '<=', '>=', '<', '>'] as const;

const one = <T>(item: T | undefined): T[] | undefined => (item === undefined ? undefined : [item]);

function twoValues(scanner: Scanner): ComparedValue[] | undefined {
  const from = scanner.symbol('(') ? value(scanner) : undefined;
  const to = from && scanner.symbol(',') ? value(scanner) : undefined;
  return from && to && scanner.symbol(')') ? [from, to] : undefined;
}

function someValues(scanner: Scanner): ComparedValue[] | undefined {
  if (!scanner.symbol('(')) return undefined;
  const values = listOf(
    scanner,
    () => scanner.symbol(','),
    () => value(scanner),
  );
  if (values === undefined) return undefined;
  scanner.symbol(',');
  return scanner.symbol(')') ? values : undefined;
}

/** value = string | float | integer | now | myself | open */
function value(scanner: Scanner): ComparedValue | undefined {
  const text = scanner.string();
  if (text !== undefined) return { is: 'text', text };
  const number = scanner.float() ?? scanner.integer();
  if (number !== undefined) return { is: 'number', text: number };
  return now(scanner) ?? called(scanner, 'MYSELF', 'myself') ?? called(scanner, 'OPEN', 'open');
}

const called = <const Name extends string>(scanner: Scanner, word: string, name: Name) =>
  scanner.attempt(() =>
    scanner.keyword(word) && scanner.symbol('(') && scanner.symbol(')') ? { is: name } : undefined,
  );

/** now = "NOW" , "(" , ")" , [ ( "+" | "-" ) , integer , ( "D" | "W" | "M" | "Y" ) ] */
function now(scanner: Scanner): ComparedValue | undefined {
  if (called(scanner, 'NOW', 'now') === undefined) return undefined;
  return { is: 'now', shift: scanner.attempt(() => period(scanner)) ?? { count: 0, unit: 'D' } };
}

function period(scanner: Scanner): Period | undefined {
  const sign = scanner.symbol('+') ? 1 : scanner.symbol('-') ? -1 : undefined;
  const count = sign && scanner.integer();
  const unit = count === undefined ? undefined : scanner.unit(['D', 'W', 'M', 'Y']);
  return sign && unit && { count: sign * Number(count), unit };
}

/**
 * link = "IS" , [ "NOT" ] , "COVERED" , "BY" , artifact_cond
 *      | "IS" , [ "NOT" ] , "COVERED"
 *      | "IS" , [ "NOT" ] , "COVERING" , [ artifact_cond ]
 *      | ( "WITH" | "WITHOUT" ) , "PARENT" , [ link_cond ]
 *      | ( "WITH" | "WITHOUT" ) , ( "CHILDREN" | "CHILD" ) , [ link_cond ]
 *      | "IS" , [ "NOT" ] , "LINKED" , ( "FROM" | "TO" ) , [ link_cond ] , [ "WITH" , "TYPE" , string ]
 */
function link(scanner: Scanner): LinkTerm | undefined {
  const family = scanner.oneOf(['WITHOUT', 'WITH']);
  if (family !== undefined) return familyLink(scanner, family === 'WITHOUT');
  if (!scanner.keyword('IS')) return undefined;
  const isNot = scanner.keyword('NOT');
  const kind = scanner.oneOf(['COVERED', 'COVERING', 'LINKED']);
  if (kind === undefined) return undefined;
  return kind === 'LINKED' ? plainLink(scanner, isNot) : coverage(scanner, isNot, kind);
}

function familyLink(scanner: Scanner, isNot: boolean): LinkTerm | undefined {
  const relative = scanner.oneOf(['PARENT', 'CHILDREN', 'CHILD']);
  if (relative === undefined) return undefined;
  const direction = relative === 'PARENT' ? 'reverse' : 'forward';
  return { is: 'link', isNot, direction, type: '_is_child', end: optionalEnd(scanner, linkEnd) };
}

function coverage(scanner: Scanner, isNot: boolean, kind: 'COVERED' | 'COVERING'): LinkTerm {
  const covered = () => (scanner.keyword('BY') ? artifactEnd(scanner) : undefined);
  const end = optionalEnd(scanner, kind === 'COVERED' ? covered : artifactEnd);
  const direction = kind === 'COVERED' ? 'forward' : 'reverse';
  return { is: 'link', isNot, direction, type: '_covered_by', end };
}

function plainLink(scanner: Scanner, isNot: boolean): LinkTerm | undefined {
  const way = scanner.oneOf(['FROM', 'TO']);
  if (way === undefined) return undefined;
  const end = optionalEnd(scanner, linkEnd);
  const type = scanner.attempt(() =>
    scanner.keyword('WITH') && scanner.keyword('TYPE') ? scanner.string() : undefined,
  );
  const direction = way === 'TO' ? 'forward' : 'reverse';
  return { is: 'link', isNot, direction, end, ...(type === undefined ? {} : { type }) };
}

const optionalEnd = (scanner: Scanner, read: (scanner: Scanner) => WantedEnd | undefined): WantedEnd =>
  scanner.attempt(() => read(scanner)) ?? { is: 'anything' };

/** link_cond = artifact_cond | "TRACKER" , ( "=" | "!=" ) , string */
const linkEnd = (scanner: Scanner): WantedEnd | undefined =>
  scanner.attempt(() => artifactEnd(scanner)) ?? scanner.attempt(() => trackerEnd(scanner));

/** artifact_cond = "ARTIFACT" , "=" , integer */
function artifactEnd(scanner: Scanner): WantedEnd | undefined {
  const id = scanner.keyword('ARTIFACT') && scanner.symbol('=') ? scanner.integer() : undefined;
  return id === undefined ? undefined : { is: 'artifact', id: Number(id) };
}

function trackerEnd(scanner: Scanner): WantedEnd | undefined {
  if (!scanner.keyword('TRACKER')) return undefined;
  const isNot = !scanner.symbol('=');
  const name = isNot && !scanner.symbol('!=') ? undefined : scanner.string();
  return name === undefined ? undefined : { is: 'tracker', name, isNot };
}

/**
 * cross_query = "SELECT" , selectable , { "," , selectable } ,
 *               "FROM" , from_cond , [ "AND" , from_cond ] ,
 *               "WHERE" , condition ,
 *               [ "ORDER" , "BY" , selectable , direction ]
 */
function crossQuery(scanner: Scanner): CrossQuery | undefined {
  if (!scanner.keyword('SELECT')) return undefined;
  const select = listOf(
    scanner,
    () => scanner.symbol(','),
    () => searchable(scanner),
  );
  const from = select && scanner.keyword('FROM') ? fromConditions(scanner) : undefined;
  const where = from && scanner.keyword('WHERE') ? condition(scanner) : undefined;
  const orderBy = where && scanner.attempt(() => order(scanner));
  return select && from && where && { select, from, where, ...(orderBy === undefined ? {} : { orderBy }) };
}

function fromConditions(scanner: Scanner): FromCondition[] | undefined {
  const first = fromCondition(scanner);
  if (first === undefined) return undefined;
  const second = scanner.attempt(() => (scanner.keyword('AND') ? fromCondition(scanner) : undefined));
  return second === undefined ? [first] : [first, second];
}

/** Of those that begin alike the longer one comes first. */
const fromTargets = ['@project.name', '@project.category', '@project', '@tracker.name'] as const;

/**
 * from_cond = project_cond | tracker_cond
 * project_cond = ( "@project.name" | "@project.category" | "@project" ) ,
 *                ( "=" , ( string | "MY_PROJECTS" , "(" , ")" ) | "IN" , "(" , string , { "," , string } , ")" )
 * tracker_cond = "@tracker.name" , ( "=" , string | "IN" , "(" , string , { "," , string } , ")" )
 */
function fromCondition(scanner: Scanner): FromCondition | undefined {
  const target = fromTargets.find((name) => scanner.symbol(name));
  if (target === undefined) return undefined;
  if (scanner.symbol('=')) {
    const name = one(scanner.string());
    const values = name ?? (target === '@tracker.name' ? undefined : ownProjects(scanner));
    return values && { target, operator: '=', values };
  }
  const values = scanner.keyword('IN') && scanner.symbol('(') ? strings(scanner) : undefined;
  return values && scanner.symbol(')') ? { target, operator: 'IN()', values } : undefined;
}

const ownProjects = (scanner: Scanner) => called(scanner, 'MY_PROJECTS', 'mine')?.is;

const strings = (scanner: Scanner) =>
  listOf(
    scanner,
    () => scanner.symbol(','),
    () => scanner.string(),
  );

/** direction = "ASCENDING" | "ASC" | "DESCENDING" | "DESC" */
function order(scanner: Scanner): CrossQuery['orderBy'] {
  const name = scanner.keyword('ORDER') && scanner.keyword('BY') ? searchable(scanner) : undefined;
  const direction =
    name === undefined ? undefined : scanner.oneOf(['ASCENDING', 'ASC', 'DESCENDING', 'DESC']);
  return name === undefined || direction === undefined
    ? undefined
    : { name, isDescending: direction.startsWith('DESC') };
}

/** What a rule reads when it reads the whole text. */
function whole<T>(text: string, rule: (scanner: Scanner) => T | undefined): T | SyntaxFault {
  const scanner = new Scanner(text);
  const result = rule(scanner);
  return result !== undefined && scanner.isAtEnd() ? result : scanner.fault();
}

/** Reads a query; throws a `SyntaxFault` about the form that the text is nearer to. */
export function parseQuery(text: string): Query {
  const bare = whole(text, condition);
  if (!(bare instanceof SyntaxFault)) return { form: 'condition', condition: bare };
  const cross = whole(text, crossQuery);
  if (!(cross instanceof SyntaxFault)) return { form: 'cross-tracker', query: cross };
  throw cross.at > bare.at ? cross : bare;
}
