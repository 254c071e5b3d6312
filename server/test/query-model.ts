import fc from 'fast-check';

/*
 * A second opinion on what criteria and queries find: artifacts as plain data, and random questions that each know, by
 * the rules of the language alone, which of them they mean.
 */

export interface Modelled {
  readonly id: number;
  readonly number: number;
  readonly string: string;
  readonly text: string;
  readonly int: number | null;
  readonly float: number | null;
  /** `2024-01-10` */
  readonly date: string | null;
  /** `2024-01-10 10:05`, where the server is. */
  readonly datetime: string | null;
  readonly sb: readonly string[];
  readonly msb: readonly string[];
  readonly sb_users: readonly string[];
  readonly cb_users: readonly string[];
  readonly tbl: readonly string[];
  readonly files: readonly string[];
  /** What it links to, by type. */
  readonly links: readonly { readonly to: number; readonly type: string }[];
  readonly submitter: string;
  readonly editor: string;
  readonly comment: string;
}

/** All artifacts, and who asks. */
export interface World {
  readonly artifacts: readonly Modelled[];
  readonly caller: string;
  sees(id: number): boolean;
  /** The ids by which criteria name labels, people and fields. */
  readonly ids: Readonly<Record<string, number | string>>;
}

type Holds = (artifact: Modelled, world: World) => boolean;

/** A part of a query, or all of it. */
export interface Asked {
  readonly text: string;
  readonly holds: Holds;
}

/** A member of the criteria. */
export interface Wished {
  readonly field: string;
  readonly value: (world: World) => unknown;
  readonly holds: Holds;
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
const contains = (text: string, part: string) => plain(text).includes(plain(part));

export const words = ['Crash', 'save', 'été', 'STRASSE', 'one', 'two', '50%', "o'k", 'a_b', '"x"', 'C:\\'];
const parts = fc.constantFrom(
  ...['cra', 'SAVE', 'ETE', 'é', 'straße', 'ss', '%', '_', 'one two', "o'k", '"', '\\', 'zzz', ' ', 'a'],
);

const quoted = (text: string, quote: string) =>
  `${quote}${text.replaceAll(/[\\"']/g, (character) => (character === quote || character === '\\' ? `\\${character}` : character))}${quote}`;
const literal = (text: string) => fc.constantFrom('"', "'").map((quote) => quoted(text, quote));

const oneOf = <T>(items: readonly T[]) => fc.constantFrom(...items);

/** How two things in order are compared. */
const comparisons = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '=': (order: number) => order === 0,
};
const signs = oneOf(Object.keys(comparisons) as (keyof typeof comparisons)[]);

const negatable = (name: string, given: string, isMet: Holds): fc.Arbitrary<Asked> =>
  fc.boolean().map((isNot) => ({
    text: `${name} ${isNot ? '!=' : '='} ${given}`,
    holds: (artifact, world) => isMet(artifact, world) !== isNot,
  }));

const textQuery = oneOf(['string', 'text'] as const).chain((name) =>
  fc.oneof(
    negatable(name, '""', (artifact) => artifact[name] === ''),
    parts.chain((part) =>
      literal(part).chain((given) => negatable(name, given, (artifact) => contains(artifact[name], part))),
    ),
    negatable(name, '50', (artifact) => contains(artifact[name], '50')),
  ),
);

const commentQuery = fc.oneof(
  negatable('@comments', "''", ({ comment }) => comment === ''),
  parts.chain((part) =>
    literal(part).chain((given) => negatable('@comments', given, ({ comment }) => contains(comment, part))),
  ),
);

const fileQuery = fc.oneof(
  negatable('file', '""', ({ files }) => files.length === 0),
  oneOf(['notes', 'TXT', 'plan', 'words', '.']).chain((part) =>
    negatable('file', `"${part}"`, ({ files }) =>
      files.some((name) => contains(name, part) || contains('Words', part)),
    ),
  ),
);

const numbers = oneOf([
  ['3', 3],
  ['"-2"', -2],
  ['0', 0],
  ["' 1.5'", 1.5],
  ['8.0', 8],
  ['"1e1"', 10],
] as const);

const numberQuery = oneOf(['int', 'float'] as const).chain((name) =>
  fc.oneof(
    negatable(name, '""', (artifact) => artifact[name] === null),
    numbers.chain(([given, number]) => negatable(name, given, (artifact) => artifact[name] === number)),
    fc.tuple(signs, numbers).map(([sign, [given, number]]) => ({
      text: `${name}${sign}${given}`,
      holds: (artifact: Modelled) => {
        const value = artifact[name];
        return value !== null && comparisons[sign](value - number);
      },
    })),
    fc.tuple(numbers, numbers).map(([[from, low], [to, high]]) => ({
      text: `${name} between(${from}, ${to})`,
      holds: (artifact: Modelled) => {
        const value = artifact[name];
        return value !== null && low <= value && value <= high;
      },
    })),
  ),
);

const days = oneOf(['2024-01-09', '2024-01-10', '2024-01-11', '2024-01-31']);
const minutes = oneOf(['2024-01-10 10:05', '2024-01-10 10:06', '2024-01-11 00:00', '2024-01-10 23:59']);
const order = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** A stored date is compared with a day or a minute by as many characters as that has. */
const dateOrder = (value: string, given: string) => order(value.slice(0, given.length), given);

const dateQuery = fc
  .oneof(
    fc.tuple(fc.constant('date' as const), days, days),
    fc.tuple(fc.constant('datetime' as const), fc.oneof(days, minutes), fc.oneof(days, minutes)),
  )
  .chain(([name, first, last]) =>
    fc.oneof(
      negatable(name, '""', (artifact) => artifact[name] === null),
      negatable(name, `"${first}"`, (artifact) => artifact[name]?.slice(0, first.length) === first),
      signs.map((sign) => ({
        text: `${name} ${sign} "${first}"`,
        holds: (artifact: Modelled) => {
          const value = artifact[name];
          return value !== null && comparisons[sign](dateOrder(value, first));
        },
      })),
      fc.constant({
        text: `${name} BETWEEN ("${first}","${last}")`,
        holds: (artifact: Modelled) => {
          const value = artifact[name];
          return value !== null && dateOrder(value, first) >= 0 && dateOrder(value, last) <= 0;
        },
      }),
    ),
  );

const momentQuery = oneOf(['subon', 'lud']).chain((name) =>
  oneOf([
    [`${name} > NOW() - 1d`, true],
    [`${name} < now() -1w`, false],
    [`${name} <= NOW()`, true],
    [`${name} between(NOW() - 1M, NOW() + 1y)`, true],
    [`${name} = ""`, false],
  ] as const).map(([text, isMet]) => ({ text, holds: () => isMet })),
);

/** Labels of lists, and MYSELF() for whoever asks. */
const labelled = (name: 'sb' | 'msb' | 'sb_users' | 'cb_users', labels: readonly string[], self: boolean) => {
  const known = self ? [...labels, 'MYSELF()'] : labels;
  const written = (label: string) => (label === 'MYSELF()' ? label : `"${label}"`);
  const isChosen =
    (label: string): Holds =>
    (artifact, { caller }) =>
      artifact[name].includes(label === 'MYSELF()' ? caller : label.toLowerCase());
  return fc.oneof(
    negatable(name, "''", (artifact) => artifact[name].length === 0),
    oneOf(known).chain((label) => negatable(name, written(label), isChosen(label))),
    fc.tuple(fc.subarray([...known], { minLength: 1 }), fc.boolean()).map(([some, isNot]) => ({
      text: `${name} ${isNot ? 'NOT ' : ''}IN(${[...some.map(written), '"nobody at all"'].join(', ')})`,
      holds: (artifact: Modelled, world: World) =>
        some.some((label) => isChosen(label)(artifact, world)) !== isNot,
    })),
  );
};
const listQuery = fc.oneof(
  labelled('sb', ['red', 'GREEN', 'blue'], false),
  labelled('msb', ['Red', 'green', 'blue'], false),
  labelled('sb_users', ['alice', 'BOB'], true),
  labelled('cb_users', ['Alice', 'bob'], true),
);

const personQuery = fc
  .tuple(
    oneOf([['subby', 'submitter'] as const, ['luby', 'editor'] as const]),
    oneOf(['"Alice"', "'bob'", 'MYSELF()']),
  )
  .chain(([[name, member], given]) =>
    negatable(name, given, (artifact, { caller }) => {
      const login = given === 'MYSELF()' ? caller : given.slice(1, -1).toLowerCase();
      return artifact[member] === login;
    }),
  );

const linkForms = oneOf([
  ['IS LINKED TO', 'IS NOT LINKED TO', 'forward', undefined],
  ['is linked from', 'is not linked from', 'reverse', undefined],
  ['WITH CHILDREN', 'WITHOUT CHILD', 'forward', '_is_child'],
  ['with parent', 'without parent', 'reverse', '_is_child'],
  ['IS COVERED', 'IS NOT COVERED', 'forward', '_covered_by'],
  ['IS COVERING', 'IS NOT COVERING', 'reverse', '_covered_by'],
] as const);

const linkQuery = fc
  .tuple(linkForms, fc.boolean(), fc.nat({ max: 30 }), oneOf(['', 'artifact', 'tracker', 'elsewhere']))
  .map(([[positive, negative, direction, type], isNot, position, end]) => {
    const isCoverage = type === '_covered_by';
    const wanted = isCoverage && end !== 'artifact' ? '' : end;
    const by = positive === 'IS COVERED' ? ' BY' : '';
    const suffix = (world: World) => {
      if (wanted === 'artifact')
        return `${by} ARTIFACT = ${world.artifacts[position % world.artifacts.length]?.id}`;
      if (wanted === 'tracker') return ` tracker = "${world.ids['tracker']}"`;
      return wanted === 'elsewhere' ? ' TRACKER = "elsewhere"' : '';
    };
    const isMet: Holds = (artifact, world) => {
      const { artifacts } = world;
      const ends =
        direction === 'forward'
          ? artifact.links.map(({ to, type: own }) => ({ id: to, own }))
          : artifacts.flatMap(({ id, links }) =>
              links.filter(({ to }) => to === artifact.id).map(({ type: own }) => ({ id, own })),
            );
      const target = artifacts[position % artifacts.length]?.id ?? 0;
      return ends.some(({ id, own }) => {
        if ((type !== undefined && own !== type) || !world.sees(id)) return false;
        if (wanted === 'artifact') return id === target;
        return wanted !== 'elsewhere';
      });
    };
    return {
      write: (world: World) => (isNot ? negative : positive) + suffix(world),
      holds: ((artifact, world) => isMet(artifact, world) !== isNot) satisfies Holds,
    };
  });

/** A query that may need to know the world to be written. */
interface Question {
  write(world: World): string;
  readonly holds: Holds;
}

const written = (arbitrary: fc.Arbitrary<Asked>): fc.Arbitrary<Question> =>
  arbitrary.map(({ text, holds }) => ({ write: () => text, holds }));

const leaf: fc.Arbitrary<Question> = fc.oneof(
  ...[textQuery, commentQuery, fileQuery, numberQuery, dateQuery, momentQuery, listQuery, personQuery].map(
    written,
  ),
  linkQuery,
);

const both = (isAnd: boolean, some: readonly Question[], isWrapped: boolean): Question => {
  const write = (world: World) => some.map((one) => one.write(world)).join(isAnd ? ' And ' : ' OR ');
  return {
    write: (world) => (isWrapped ? `( ${write(world)})` : write(world)),
    holds: (artifact, world) =>
      isAnd
        ? some.every(({ holds }) => holds(artifact, world))
        : some.some(({ holds }) => holds(artifact, world)),
  };
};

const several = (one: fc.Arbitrary<Question>) => fc.array(one, { minLength: 1, maxLength: 2 });
const conjunction = several(leaf).map((some) => both(true, some, false));
const alternatives = several(conjunction).map((some) => both(false, some, true));

/** Random queries of up to sixteen comparisons. */
export const queries: fc.Arbitrary<Question> = several(
  several(fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: alternatives })).map((some) =>
    both(true, some, false),
  ),
).map((some) => both(false, some, false));

const wish = (field: string, value: unknown, holds: Holds): Wished => ({ field, value: () => value, holds });
const always: Holds = () => true;

const textWish = fc
  .tuple(oneOf(['string', 'text'] as const), fc.array(parts, { maxLength: 3 }))
  .map(([name, some]) =>
    wish(name, some.join(' '), (artifact) =>
      some
        .join(' ')
        .split(/\s+/)
        .every((word) => contains(artifact[name], word)),
    ),
  );

const patterns = oneOf([
  ['/^cra/', /^cra/],
  ['/ÉT[ÀÈÉ]/', /et[ae]/],
  ['/o.*e$/', /o.*e$/],
  ['/s{2}|%$/', /ss|%$/],
] as const);
const patternWish = fc
  .tuple(oneOf(['string', 'text'] as const), patterns, fc.boolean())
  .map(([name, [pattern, regular], isNot]) =>
    wish(name, isNot ? `!${pattern}` : pattern, (artifact) => {
      const value = artifact[name];
      return value !== '' && regular.test(plain(value)) !== isNot;
    }),
  );

const numberWish = fc
  .tuple(oneOf(['int', 'float'] as const), signs, oneOf([-2, 0, 3, 8]))
  .chain(([name, sign, number]) =>
    oneOf<Wished>([
      wish(name, number, (artifact) => artifact[name] === number),
      wish(name, `${sign === '=' ? '' : sign} ${number}`, (artifact) => {
        const value = artifact[name];
        return value !== null && comparisons[sign](value - number);
      }),
      wish(name, `${number} - 8`, (artifact) => {
        const value = artifact[name];
        return value !== null && value >= number && value <= 8;
      }),
      wish(name, `about ${number}`, always),
      wish(name, '/^-/', (artifact) => (artifact[name] ?? 0) < 0),
    ]),
  );

const dateWish = fc.tuple(oneOf(['date', 'datetime'] as const), days, days).chain(([name, first, last]) => {
  const compared =
    (isMet: (value: string) => boolean): Holds =>
    (artifact) => {
      const value = artifact[name];
      return value !== null && isMet(value);
    };
  return oneOf<Wished>([
    wish(
      name,
      first,
      compared((value) => dateOrder(value, first) === 0),
    ),
    wish(
      name,
      { operator: '=', value: [first] },
      compared((value) => dateOrder(value, first) === 0),
    ),
    wish(
      name,
      { operator: '<', value: first },
      compared((value) => dateOrder(value, first) < 0),
    ),
    wish(
      name,
      { operator: '>', value: first },
      compared((value) => dateOrder(value, first) > 0),
    ),
    wish(
      name,
      { operator: 'between', value: [first, last] },
      compared((value) => dateOrder(value, first) >= 0 && dateOrder(value, last) <= 0),
    ),
    wish(name, { operator: 'between', value: first }, always),
    wish(name, 'one day', always),
  ]);
});

const listWish = oneOf([
  ['sb', ['red', 'green', 'blue']],
  ['msb', ['red', 'green', 'blue']],
  ['sb_users', ['alice', 'bob']],
  ['cb_users', ['alice', 'bob']],
  ['tbl', ['red', 'green', 'typed']],
] as const).chain(([name, labels]) =>
  fc.subarray<string>([...labels]).map(
    (some): Wished => ({
      field: name,
      value: ({ ids }) => [100, ...some.map((label) => ids[`${name} ${label}`] ?? ids[label])],
      holds: (artifact) => some.length === 0 || some.some((label) => artifact[name].includes(label)),
    }),
  ),
);

const personWish = fc
  .tuple(oneOf([['subby', 'submitter'] as const, ['luby', 'editor'] as const]), oneOf(['alice', 'bob']))
  .map(
    ([[field, member], login]): Wished => ({
      field,
      value: ({ ids }) => ids[login],
      holds: (artifact) => artifact[member] === login,
    }),
  );

const idWish = fc
  .tuple(fc.nat({ max: 30 }), oneOf(['aid', 'atid', 'art_link', 'cross'] as const))
  .map(([position, field]): Wished => {
    const target = ({ artifacts }: World) => artifacts[position % artifacts.length]?.id ?? 0;
    return {
      field,
      value: (world) =>
        field === 'atid' ? `<=${(position % world.artifacts.length) + 1}` : String(target(world)),
      holds(artifact, world) {
        const id = target(world);
        const isLinked = artifact.links.some(({ to }) => to === id);
        if (field === 'aid') return artifact.id === id;
        if (field === 'atid') return artifact.number <= (position % world.artifacts.length) + 1;
        if (field === 'art_link') return world.sees(id) && isLinked;
        const other = world.artifacts.find((candidate) => candidate.id === id);
        return world.sees(id) && (isLinked || other?.links.some(({ to }) => to === artifact.id) === true);
      },
    };
  });

const fileWish = oneOf(['NOTES', 'plan.', 'words', 'zzz', '']).map((part) =>
  wish(
    'file',
    part,
    ({ files }) => part === '' || files.some((name) => contains(name, part) || contains('Words', part)),
  ),
);

const ignored = oneOf(['computed', 'perm', 'fieldset']).map((field) => wish(field, 'whatever', always));

/** Random criteria on one to three fields. */
export const criteria: fc.Arbitrary<readonly Wished[]> = fc.uniqueArray(
  fc.oneof(textWish, patternWish, numberWish, dateWish, listWish, personWish, idWish, fileWish, ignored),
  { minLength: 1, maxLength: 3, selector: ({ field }) => field },
);
