// Tools of an agent: each is one of our own command lines that read, with values of the agent in the places of values alone.
// No tool applies, unlocks, deletes, or shows a sensitive output.
import type { DocsSection } from '../../commands/agents/docs-pages.ts';

/** JSON Schemas of the inputs of an MCP tool, by name. */
type InputSchema = Readonly<Record<string, object>>;

/** Input of a call of an MCP tool, after the tool's schema has accepted it. */
export type McpToolInput = Readonly<Record<string, unknown>>;

/** An MCP tool that runs a command line of Hostwright. */
export interface McpCommandTool {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema;
  readonly required?: readonly string[];
  /** Builds the command line of a call: the words behind `hostwright`. */
  readonly words: (input: McpToolInput) => readonly string[];
}

const text = (description: string) => ({ type: 'string', maxLength: 1_000, description });
const texts = (description: string) => ({
  type: 'array',
  maxItems: 100,
  description,
  items: { type: 'string', maxLength: 1_000 },
});
const flag = (description: string) => ({ type: 'boolean', description });
const address = 'an address such as projects.shop.vms.web[0]';

/** A flag with its value in one word, so that no value is taken for a flag. */
const list = (name: string, values: unknown): readonly string[] =>
  ((values as readonly string[] | undefined) ?? []).map((value) => `--${name}=${value}`);

const variablesInput = texts('values of variables, each as NAME=VALUE');

const planInput: InputSchema = {
  format: {
    enum: ['markdown', 'json', 'oneline'],
    description: 'markdown unless given; json is the plan in the form that policy tools read',
  },
  targets: texts(`only these, and what they need: ${address}`),
  excludes: texts(`all but these, and what needs them: ${address}`),
  variables: variablesInput,
  destroy: flag('plan to destroy everything'),
  refreshOnly: flag('only what was changed outside of the configuration'),
};

const planWords = (input: McpToolInput): readonly string[] => [
  'plan',
  ...(input.format === 'oneline'
    ? ['--oneline']
    : ['--format', input.format === 'json' ? 'json' : 'markdown']),
  ...list('target', input.targets),
  ...list('exclude', input.excludes),
  ...list('var', input.variables),
  ...(input.destroy === true ? ['--destroy'] : []),
  ...(input.refreshOnly === true ? ['--refresh-only'] : []),
];

/** Tools that run a command, in the order in which they are listed. */
export const mcpCommandTools: readonly McpCommandTool[] = [
  {
    name: 'validate',
    description: 'Check the configuration offline. Gives every fault with its file, line and hint.',
    input: {},
    words: () => ['validate', '--json'],
  },
  {
    name: 'plan',
    description:
      'Show what an apply would change in the account, what it would lose, cost and take out of service, and whether it can. Changes nothing.',
    input: planInput,
    words: planWords,
  },
  {
    name: 'explain',
    description:
      'Say why a resource changes, and why in this place: which fields, where their values come from, what it waits for.',
    input: { address: text(address), variables: variablesInput },
    required: ['address'],
    words: ({ address: named, variables }) => [
      'plan',
      ...list('explain', [named]),
      ...list('var', variables),
    ],
  },
  {
    name: 'rehearse',
    description:
      'Apply the plan to a copy of the account in memory: how long it takes, what would fail where, and whether a second plan is empty. Sends nothing.',
    input: planInput,
    words: (input) => [...planWords(input), '--rehearse'],
  },
  {
    name: 'limits',
    description: 'The quotas of the account: what is used, what is left.',
    input: {},
    words: () => ['limits', '--json'],
  },
  {
    name: 'catalog',
    description: 'Images, configurations (sizes) and tariffs that can be ordered, with prices.',
    input: {
      part: { enum: ['images', 'configurations', 'tariffs'], description: 'all unless given' },
    },
    words: ({ part }) => ['catalog', ...(typeof part === 'string' ? [part] : []), '--json'],
  },
];

/** Formats a section of the documentation for an agent, with the name of its page. */
export const formatDocsSection = ({ page, text: body }: DocsSection): string =>
  `${body}\n\n(docs/${page}.md)`;

/** JSON Schema of an MCP tool's input; it refuses members that it does not list. */
export const buildToolSchema = (properties: InputSchema, required: readonly string[] = []) => ({
  type: 'object' as const,
  additionalProperties: false,
  properties: { ...properties },
  required: [...required],
});

export const proposalInputSchema = {
  branch: text('name of the branch behind "hostwright/": a to z, digits and "-"'),
  message: { type: 'string', maxLength: 10_000, description: 'the commit message: what, and why' },
  files: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    description: 'the files that change, each with its whole content',
    items: buildToolSchema(
      {
        path: text('a YAML file, relative to the directory of the configuration'),
        content: {
          type: ['string', 'null'],
          maxLength: 1_000_000,
          description: 'the whole content; null removes the file',
        },
      },
      ['path', 'content'],
    ),
  },
};
