// docs/language.md, made from the JSON Schema of the configuration: each block with a sample, each key with its type.
import { stringify } from 'yaml';
import { anchorOf, closed, item, plain, sentence, wrap } from './markdown.ts';
import { describeType, type Schema } from './schema-words.ts';

/** The schema of a configuration, as it is published. */
export interface ConfigurationSchema extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

/** A section of the page: a definition of the schema, and where it stands in the YAML. */
export interface Block {
  readonly title: string;
  readonly definition: string;
  /** Where it is written; the last is a key of the user's, or `-` for an item of a list. */
  readonly path: readonly string[];
}

/** In the order of the page. A test holds that no definition with keys is left out. */
export const blocks: readonly Block[] = [
  { title: 'service', definition: 'service', path: ['service'] },
  { title: 'state', definition: 'state', path: ['state'] },
  { title: 'projects', definition: 'project', path: ['projects', 'shop'] },
  { title: 'sshKeys', definition: 'sshKey', path: ['projects', 'shop', 'sshKeys', 'alice'] },
  { title: 'networks', definition: 'network', path: ['projects', 'shop', 'networks', 'backend'] },
  { title: 'publicIps', definition: 'publicIp', path: ['projects', 'shop', 'publicIps', 'edge'] },
  {
    title: 'forwards',
    definition: 'portForward',
    path: ['projects', 'shop', 'publicIps', 'edge', 'forwards', 'https'],
  },
  { title: 'vms', definition: 'vm', path: ['projects', 'shop', 'vms', 'web'] },
  {
    title: 'lifecycle',
    definition: 'lifecycle',
    path: ['projects', 'shop', 'vms', 'web', 'lifecycle'],
  },
  {
    title: 'lifecycle of a VM',
    definition: 'vmLifecycle',
    path: ['projects', 'shop', 'vms', 'web', 'lifecycle'],
  },
  {
    title: 'timeouts',
    definition: 'timeouts',
    path: ['projects', 'shop', 'vms', 'web', 'timeouts'],
  },
  { title: 'tokens', definition: 'accessToken', path: ['tokens', 'ci'] },
  { title: 'account', definition: 'account', path: ['account'] },
  { title: 'variables', definition: 'variable', path: ['variables', 'env'] },
  { title: 'validation', definition: 'validation', path: ['variables', 'size', 'validation', '-'] },
  { title: 'defaults', definition: 'allDefaults', path: ['defaults'] },
  {
    title: 'defaults of a project',
    definition: 'projectDefaults',
    path: ['projects', 'shop', 'defaults'],
  },
  { title: 'data', definition: 'data', path: ['data', 'core'] },
  { title: 'modules', definition: 'module', path: ['modules', 'shops'] },
  { title: 'outputs', definition: 'output', path: ['outputs', 'webIp'] },
  { title: 'moved', definition: 'move', path: ['moved', '-'] },
  { title: 'imports', definition: 'import', path: ['imports', '-'] },
  { title: 'removed', definition: 'removal', path: ['removed', '-'] },
  { title: 'guards', definition: 'guards', path: ['guards'] },
  { title: 'budget', definition: 'budget', path: ['budget'] },
  { title: 'policies', definition: 'policy', path: ['policies', 'noBigVms'] },
  { title: 'exemptions', definition: 'exemption', path: ['exemptions', 'oldDatabase'] },
  { title: 'checks', definition: 'check', path: ['checks', 'edgeHasIp'] },
];

/** What is written where the example of the schema alone would say too little. */
const around: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  lifecycle: { image: 'ubuntu-24.04', configuration: 'c2-r4-d40', tariff: 'monthly' },
  vmLifecycle: { image: 'ubuntu-24.04', configuration: 'c2-r4-d40', tariff: 'monthly' },
  timeouts: { image: 'ubuntu-24.04', configuration: 'c2-r4-d40', tariff: 'monthly' },
  validation: { type: 'number', default: 40 },
};

const header = `# The configuration language

<!-- Made by \`npm run generate\` from schemas/config.schema.json. Do not edit. -->

A configuration is every \`*.yaml\` and \`*.yml\` file directly in one directory. Maps of several
files merge. This page lists every block and every key. Samples without \`version\` are parts of a
configuration: add them to yours.

- **The address** of a resource is its path in the YAML, such as \`projects.shop.vms.web[0]\`.
- **Expressions** are in \`\${…}\` and are written in CEL, with these [functions](functions.md).
  They read \`var\`, \`local\`, \`each\`, \`data\`, \`projects\`, \`modules\` and \`path.module\`.
  Without the \`\${…}\` it is text: \`validate\` warns where a text looks like one.
- **Where a resource of the project is named**, as in \`networks\`, write its key, such as \`web\` or
  \`web[0]\`, or an expression that is exactly its address: \`\${projects.shop.vms.web[0]}\`.
- **A key in bold with \`required\`** must be given. Every other key has a default.
- **Your editor** completes and checks all of it: begin a file with
  \`# yaml-language-server: $schema=PATH\`, with the path of \`schemas/config.schema.json\`.

`;

/** The page. */
export function renderLanguagePage(schema: ConfigurationSchema): string {
  const links = blocks.map(({ title }) => `[${title}](#${anchorOf(title)})`);
  const contents = wrap(`Blocks: [version](#version), ${links.join(', ')}, [locals](#locals).`);
  const sections = blocks.map((block) => describeBlock(schema, block));
  return [header + contents, describeVersion(schema), ...sections, describeLocals(schema)].join(
    '\n\n',
  );
}

function describeVersion({ properties = {} }: Schema): string {
  const text = sentence(properties.version?.description ?? '');
  return `## version\n\n${wrap(text)}\n\n\`\`\`yaml\nversion: 1\nservice: { sandbox: true }\n\`\`\``;
}

function describeLocals({ properties = {} }: Schema): string {
  const { description = '', examples = [] } = properties.locals ?? {};
  return `## locals\n\n${wrap(sentence(description))}\n\n${writeSample({ definition: 'locals', path: ['locals'] }, examples[0])}\n`;
}

function describeBlock(schema: ConfigurationSchema, block: Block): string {
  const { title, definition, path } = block;
  const own = schema.$defs[definition] ?? {};
  const outer = schema.properties?.[path[0] ?? '']?.description;
  const isFirst = path.length === 2 && outer !== undefined && outer !== own.description;
  const words = [...(isFirst ? [outer] : []), own.description ?? ''].map((text) =>
    wrap(sentence(plain(text))),
  );
  return [
    `## ${title}`,
    `Written as ${showPath(path)}.`,
    ...words,
    writeSample(block, sampleOf(own)),
    listKeys(schema, own, ''),
  ].join('\n\n');
}

/** The first of the examples, with what its members show where it says little. */
export function sampleOf({ examples = [], properties = {}, required = [] }: Schema): unknown {
  const [first = {}] = examples;
  if (typeof first !== 'object' || first === null || Object.keys(first).length > 0) return first;
  const given = Object.entries(properties).flatMap(([name, { examples: own = [] }]) =>
    own.length > 0 && (required.includes(name) || name === 'name') ? [[name, own[0]]] : [],
  );
  return Object.fromEntries(given) as unknown;
}

/** `projects.KEY.vms.KEY`: what users choose is in capitals. */
function showPath(path: readonly string[]): string {
  const collections = new Set(['projects', 'sshKeys', 'networks', 'publicIps', 'forwards', 'vms']);
  const named = [
    'tokens',
    'variables',
    'data',
    'modules',
    'outputs',
    'policies',
    'exemptions',
    'checks',
  ];
  for (const one of named) collections.add(one);
  const words = path.map((word, index) => {
    if (word === '-') return 'a list';
    return index > 0 && collections.has(path[index - 1] ?? '') ? 'KEY' : word;
  });
  const isList = words.at(-1) === 'a list';
  const shown = (isList ? words.slice(0, -1) : words).join('.');
  return `\`${shown}\`${isList ? ', a list' : ''}`;
}

/** A value at its place, as a block of YAML. */
function writeSample(block: Pick<Block, 'definition' | 'path'>, value: unknown): string {
  return `\`\`\`yaml\n${stringify(placeSample(block, value), { lineWidth: 90 })}\`\`\``;
}

/** A value at the place of a block, with what the block needs beside it. */
export function placeSample(
  { definition, path }: Pick<Block, 'definition' | 'path'>,
  value: unknown,
): unknown {
  const beside = around[definition] ?? {};
  let nested: unknown = value;
  for (const [index, word] of [...path].reverse().entries()) {
    const own = index === lastOwn(path) ? beside : {};
    nested = word === '-' ? [nested] : { ...own, [word]: nested };
  }
  return nested;
}

/** Counted from the end, the first word that is a key. */
function lastOwn(path: readonly string[]): number {
  return path.at(-1) === '-' ? 1 : 0;
}

/** A line for each key, those within a key behind it. */
function listKeys(schema: ConfigurationSchema, block: Schema, prefix: string): string {
  const { properties = {}, required = [] } = block;
  return Object.entries(properties)
    .flatMap(([name, given]) => {
      const shape = { ...resolve(schema, given), ...given };
      const own = describeKey(`${prefix}${name}`, shape, required.includes(name));
      const inner = given.$ref === undefined && shape.properties;
      return inner ? [own, listKeys(schema, shape, `${prefix}${name}.`)] : [own];
    })
    .join('\n');
}

function resolve({ $defs }: ConfigurationSchema, { $ref = '' }: Schema): Schema {
  return $defs[$ref.replace('#/$defs/', '')] ?? {};
}

function describeKey(name: string, shape: Schema, isRequired: boolean): string {
  const { description = '', examples = [] } = shape;
  const facts = [describeType(shape), ...(isRequired ? ['required'] : [])].join(', ');
  const byDefault = showDefault(shape.default);
  const example =
    examples[0] === undefined ? '' : ` Example: \`${showInline(name, examples[0])}\`.`;
  return item(`**\`${name}\`** (${facts}). ${closed(plain(description))}${byDefault}${example}`);
}

/** Empty where the default says nothing: an empty map is the same as none. */
function showDefault(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && JSON.stringify(value) === '{}'))
    return '';
  if (Array.isArray(value) && value.length === 0) return '';
  return ` Default: \`${inline(value)}\`.`;
}

function showInline(name: string, value: unknown): string {
  return `${name.split('.').at(-1) ?? name}: ${inline(value)}`;
}

/** In one line that can be pasted anywhere: what would mean something in braces is quoted. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    return stringify([value], { lineWidth: 0, collectionStyle: 'flow' }).trim().slice(2, -2);
  }
  const members = Object.entries(value).map(([name, one]) => `${name}: ${inline(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
