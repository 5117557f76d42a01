// Tools and pages for an agent, by the Model Context Protocol on standard input and output. It reads, and it proposes: an apply
// stays with people.
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import {
  findErrorDocsSection,
  readDocsPages,
  searchDocs,
  type DocsPage,
} from '../../commands/agents/docs-pages.ts';
import { proposeChange, type ChangeProposal } from '../../commands/agents/propose-change.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, TextSink } from '../../model/runtime.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { replaceLoneSurrogates } from '../../render/format/escape.ts';
import { renderDiagnosticsText } from '../../render/text/diagnostics-text.ts';
import { loadOptionalPackage } from '../../server/load-package.ts';
import { chooseTextLayout } from '../output/terminal.ts';
import {
  mcpCommandTools,
  formatDocsSection,
  proposalInputSchema,
  buildToolSchema,
  type McpToolInput,
} from './mcp-tools.ts';

/** Streams of the MCP protocol, and the program whose commands the tools run. */
export interface McpServerDependencies {
  readonly input: Readable;
  readonly output: Writable;
  readonly runCommandLine: (words: readonly string[], runtime: Runtime) => Promise<number>;
}

/** Answer of a tool: an error is one for the agent to read, and ends nothing. */
interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const mostSections = 8;

/**
 * Serves the MCP protocol until standard input ends. `runtime.cwd` is the directory of the configuration.
 * @throws DiagnosticError where the package of the protocol is not installed
 */
export async function serveMcp(runtime: Runtime, means: McpServerDependencies): Promise<void> {
  const name = '@modelcontextprotocol/server';
  const purpose = 'Agents speak to Hostwright by it.';
  const load = async () => ({
    ...(await import('@modelcontextprotocol/server')),
    ...(await import('@modelcontextprotocol/server/stdio')),
  });
  const sdk = await loadOptionalPackage(load, { name, version: '2', purpose });
  const pages = await readDocsPages();
  const queue = new WorkQueue();
  const tools = openTools(restrictRuntime(runtime), means, pages, queue);

  function openServer(): McpServer {
    const server = new sdk.McpServer(
      { name: 'hostwright', version: publishedHostwrightVersion },
      {
        instructions:
          'Plans of the infrastructure in this directory. Nothing here changes the account: propose a branch, and a person applies it.',
      },
    );
    for (const tool of tools) {
      server.registerTool(
        tool.name,
        {
          description: tool.description,
          inputSchema: sdk.fromJsonSchema<McpToolInput>(tool.schema),
          annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: false },
        },
        async (input: McpToolInput) => {
          const { text, isError } = await tool.answer(input);
          return { content: [{ type: 'text' as const, text }], isError };
        },
      );
    }
    for (const page of pages) {
      server.registerResource(
        page.name,
        `hostwright://docs/${page.name}`,
        { title: page.title, mimeType: 'text/markdown' },
        ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: page.text }] }),
      );
    }
    return server;
  }

  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) means.input.once(event, () => resolve());
    runtime.interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  const transport = new sdk.StdioServerTransport(means.input, means.output);
  const handle = sdk.serveStdio(openServer, { transport });
  await ended;
  // A call under way ends first, as it may have a proposal checked out; nobody waits for its answer any more.
  await queue.whenIdle();
  await handle.close();
}

/** An MCP tool in the form in which the protocol's library registers it. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: ReturnType<typeof buildToolSchema>;
  readonly isReadOnly: boolean;
  readonly answer: (input: McpToolInput) => Promise<ToolAnswer>;
}

/** Works one after the other, in their order: two plans at once would wait for the lock of one state. */
class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async whenIdle(): Promise<void> {
    await this.#last;
  }
}

function openTools(
  runtime: Runtime,
  { runCommandLine }: Pick<McpServerDependencies, 'runCommandLine'>,
  pages: readonly DocsPage[],
  queue: WorkQueue,
): readonly Tool[] {
  const run = async (words: readonly string[], cwd = runtime.cwd): Promise<ToolAnswer> => {
    const { code, text } = await runCaptured(words, { ...runtime, cwd }, runCommandLine);
    return { text, isError: code !== 0 };
  };
  const explained = async (work: () => Promise<ToolAnswer>): Promise<ToolAnswer> => {
    try {
      return await queue.run(work);
    } catch (error) {
      return { text: explainTool(error, runtime), isError: true };
    }
  };
  return [
    ...mcpCommandTools.map(({ words, input, required, ...tool }) => ({
      ...tool,
      schema: buildToolSchema(input, required),
      isReadOnly: true,
      answer: (given: McpToolInput) => explained(() => run(words(given))),
    })),
    {
      name: 'errors',
      description: 'What a code such as name-taken means, and how to fix it.',
      schema: buildToolSchema({ code: { type: 'string', maxLength: 100 } }, ['code']),
      isReadOnly: true,
      answer: ({ code }) => {
        const section = findErrorDocsSection(pages, String(code));
        const text = section ? formatDocsSection(section) : 'There is no such code.';
        return Promise.resolve({ text, isError: !section });
      },
    },
    {
      name: 'docs',
      description: 'Sections of the documentation that have all of these words.',
      schema: buildToolSchema({ query: { type: 'string', maxLength: 200 } }, ['query']),
      isReadOnly: true,
      answer: ({ query }) => {
        const sections = searchDocs(pages, String(query), mostSections);
        const text = sections.map(formatDocsSection).join('\n\n---\n\n');
        return Promise.resolve({
          text: text === '' ? 'No section has them all.' : text,
          isError: false,
        });
      },
    },
    {
      name: 'propose',
      description:
        'Write a change of the configuration to a branch of the local repository, and plan it. Pushes nothing and applies nothing: a person does.',
      schema: buildToolSchema(proposalInputSchema, Object.keys(proposalInputSchema)),
      isReadOnly: false,
      answer: (input) =>
        explained(async () => {
          // The tool's schema has accepted the input, which its TypeScript type cannot express.
          const proposal = input as unknown as ChangeProposal;
          const made = await proposeChange({ ...runtime, directory: runtime.cwd }, proposal);
          try {
            const { text, isError } = await run(['plan', '--format', 'markdown'], made.directory);
            return { text: `Branch ${made.branch}, commit ${made.commit}.\n\n${text}`, isError };
          } finally {
            await made.close();
          }
        }),
    },
  ];
}

/** The message of a failed tool, in the words of the command line. */
function explainTool(error: unknown, { stdout, env }: Pick<Runtime, 'stdout' | 'env'>): string {
  if (error instanceof DiagnosticError)
    return renderDiagnosticsText(
      error.diagnostics,
      chooseTextLayout({ ...stdout, isTTY: false }, env, true),
    );
  return error instanceof Error ? error.message : 'unknown';
}

/** Output of a command line, and its exit code. */
interface CapturedRun {
  readonly code: number;
  /** Standard output, and behind it standard error. */
  readonly text: string;
}

/** Most characters of standard output and of standard error in an answer, 200,000 with what says that it was cut. */
const longestTexts = { stdout: 180_000, stderr: 19_000 };

/** Permission that a person gives for their own runs, and that an agent who may edit the YAML must not have. */
const withheld = ['COMMANDS', 'ENV', 'OUTSIDE_FILES', 'PLAIN_STATE', 'PROBES'].map(
  (name) => `HOSTWRIGHT_ALLOW_${name}`,
);

/** A runtime in which nobody can be asked, and nothing that a configuration names is read or run beyond its directory. */
function restrictRuntime(runtime: Runtime): Runtime {
  const env = Object.fromEntries(
    Object.entries(runtime.env).filter(([name]) => !withheld.includes(name)),
  );
  return {
    ...runtime,
    env,
    distrustsLoopback: true,
    isAttended: false,
    askPermission: undefined,
    ask: () => Promise.resolve(undefined),
    // Standard input carries the protocol.
    readInput: () => Promise.resolve(''),
    openLines: () =>
      Promise.resolve({
        isTerminal: false,
        next: () => Promise.resolve({ kind: 'end' } as const),
        close: () => undefined,
      }),
  };
}

/** A sink that keeps what is written, up to a limit. */
function openCapture(limit: number): TextSink & { read(): string } {
  let kept = '';
  let dropped = 0;
  return {
    write: (text) => {
      const room = Math.max(0, limit - kept.length);
      kept += text.slice(0, room);
      dropped += Math.max(0, text.length - room);
    },
    ready: () => Promise.resolve(true),
    isTTY: false,
    columns: undefined,
    rows: undefined,
    read: () =>
      dropped === 0
        ? kept
        : `${replaceLoneSurrogates(kept)}\n\n(Cut here: ${dropped} characters more. Ask for less, by targets or by another format.)`,
  };
}

/** Runs a command line, and keeps what it writes. */
async function runCaptured(
  words: readonly string[],
  runtime: Runtime,
  runCommandLine: (words: readonly string[], runtime: Runtime) => Promise<number>,
): Promise<CapturedRun> {
  const [stdout, stderr] = [openCapture(longestTexts.stdout), openCapture(longestTexts.stderr)];
  const code = await runCommandLine(words, { ...runtime, stdout, stderr });
  const text = [stdout, stderr].map((sink) => sink.read().trim()).filter((part) => part !== '');
  return { code, text: text.join('\n\n') };
}
