// YAML as many people would write it: any indentation, any quotes, brackets or not, comments wherever one may stand.
import fc from 'fast-check';

const words = fc.constantFrom(
  ...['a', 'web-0', 'x y', 'true', '1', '1.50', 'yes', 'null', '~', '', ' ', 'a: b', 'a #b', '#c'],
  ...[
    '[x]',
    '{y',
    '- z',
    '*s',
    '&t',
    '!u',
    '%v',
    '@w',
    '`x',
    "it's",
    'say "hi"',
    'a\\b',
    'é',
    '日本',
  ],
  ...[
    '${var.a}',
    'web-${each.index}',
    "${file('x')}",
    '${a ? b : c}',
    '2026-01-01',
    '0o17',
    '1:30',
  ],
);
const keys = fc.constantFrom(
  'name',
  'image',
  'count',
  'vms',
  'projects',
  'version',
  'on',
  'k 1',
  'x',
);
const comment = fc.constantFrom('# one', '#two', '# it is: "quoted"', '# - a', '#');

interface Style {
  readonly step: number;
  readonly dashes: number;
}

type Lines = readonly string[];

const scalar = fc
  .tuple(words, fc.constantFrom('single', 'double', 'plain'))
  .map(([text, style]) => {
    const isSafe = /^[A-Za-z0-9$][\w.$-]*$/.test(text);
    if (style === 'plain' && isSafe) return text;
    return style === 'single' ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
  });

const pad = (line: string, width: number) => (line === '' ? '' : ' '.repeat(width) + line);

/** Comments and empty lines between two values; each line goes to where the next value is. */
const gap = fc.array(
  fc.oneof({ weight: 2, arbitrary: comment }, { weight: 1, arbitrary: fc.constant('') }),
  { maxLength: 2 },
);
const tail = fc.option(comment, { nil: undefined, freq: 3 });
const withTail = (line: string, one: string | undefined) =>
  one === undefined ? line : `${line}  ${one}`;

const flow = fc.letrec<{ node: string; map: string; list: string }>((tie) => ({
  node: fc.oneof({ maxDepth: 2 }, scalar, tie('map'), tie('list')),
  map: fc
    .uniqueArray(fc.tuple(keys, tie('node')), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(' ,')}}`),
  list: fc.array(tie('node'), { maxLength: 3 }).map((items) => `[ ${items.join(', ')}]`),
}));

/** Brackets over several lines, with a comment behind each item. */
const broken = fc
  .array(fc.tuple(scalar, tail), { minLength: 1, maxLength: 3 })
  .map((items): Lines => ['[', ...items.map(([item, one]) => withTail(`  ${item},`, one)), ']']);

const text = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>+', '|2'),
    fc.array(fc.constantFrom('line', '# no comment', '', '  more'), { minLength: 1, maxLength: 3 }),
  )
  .map(([header, lines]): Lines => {
    const own = header === '|2' ? lines : ['first', ...lines];
    return [header, ...own.map((line) => (line === '' ? '' : `  ${line}`))];
  });

/** A value as lines: the first stands behind a key, unless it is a collection on lines of its own. */
interface Node {
  readonly isBelow: boolean;
  readonly lines: Lines;
}

const nodeOf = ({ step, dashes }: Style) =>
  fc.letrec<{ node: Node; map: Lines; list: Lines }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc
        .tuple(scalar, tail)
        .map(([one, end]): Node => ({ isBelow: false, lines: [withTail(one, end)] })),
      fc
        .tuple(flow.node, tail)
        .map(([one, end]): Node => ({ isBelow: false, lines: [withTail(one, end)] })),
      broken.map((lines): Node => ({ isBelow: false, lines })),
      text.map((lines): Node => ({ isBelow: false, lines })),
      tie('map').map((lines): Node => ({ isBelow: true, lines })),
      tie('list').map((lines): Node => ({ isBelow: true, lines })),
    ),
    map: fc
      .uniqueArray(fc.tuple(keys, tie('node'), gap, tail), {
        minLength: 1,
        maxLength: 4,
        selector: ([key]) => key,
      })
      .map((entries): Lines =>
        entries.flatMap(([key, { isBelow, lines }, before, head]) => {
          const written = key === 'on' ? `"${key}"` : key;
          const [first = '', ...others] = lines;
          return isBelow
            ? [...before, withTail(`${written}:`, head), ...lines.map((line) => pad(line, step))]
            : [...before, `${written}: ${first}`, ...others.map((line) => pad(line, step))];
        }),
      ),
    list: fc.array(fc.tuple(tie('node'), gap), { minLength: 1, maxLength: 3 }).map((items): Lines =>
      items.flatMap(([{ lines }, before]) => {
        const width = dashes + 1;
        // What begins with a comment cannot begin on the line of the dash in any other way.
        const [first = '', ...others] = lines;
        return [
          ...before,
          `-${' '.repeat(dashes)}${first}`,
          ...others.map((line) => pad(line, width)),
        ];
      }),
    ),
  }));

/** The text of a file, with what follows its last value. */
export const arbitraryYaml: fc.Arbitrary<string> = fc
  .record({ step: fc.integer({ min: 2, max: 5 }), dashes: fc.integer({ min: 1, max: 3 }) })
  .chain((style) => fc.tuple(nodeOf(style).map, gap, fc.constantFrom('\n', '\r\n'), fc.boolean()))
  .map(
    ([lines, end, newline, hasEnd]) => [...lines, ...end].join(newline) + (hasEnd ? newline : ''),
  );
