// Runs a workflow of GitHub Actions on this machine: the `run:` blocks as they are, in bash, step by step, also those of
// action.yml; the few actions that a code host brings are done by the host of the test.
import { Evaluator, Lexer, Parser, data, type Expr } from '@actions/expressions';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Log } from 'sarif';
import { parse } from 'yaml';
import type { CodeHost, WorkflowRun } from './code-host.ts';

/** The repository of action.yml. */
const actionPath = resolve(import.meta.dirname, '../..');

/** What set a workflow off. */
export interface Trigger {
  readonly name: 'pull_request' | 'pull_request_target' | 'push' | 'schedule' | 'workflow_dispatch';
  /** The commit that is checked out. */
  readonly sha: string;
  /** The pull request's own commit, and what stands in its event. */
  readonly head?: string;
  readonly event?: object;
  /** What somebody who starts it by hand is asked for. */
  readonly inputs?: Values;
}

type Values = Readonly<Record<string, string>>;

/** How a run went. */
export interface RanWorkflow {
  readonly id: number;
  readonly isSuccess: boolean;
  /** Each step by its name, or by its action. */
  readonly steps: Readonly<Record<string, 'success' | 'failure' | 'skipped'>>;
  /** Everything that was printed. */
  readonly log: string;
  /** The lines of it that the host takes for its commands. */
  readonly commands: readonly string[];
  /** Those of action.yml, where a step used it. */
  readonly outputs: Values;
  readonly workspace: string;
}

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Values;
}

interface Workflow {
  readonly 'run-name'?: string;
  readonly jobs: Readonly<
    Record<string, { readonly if?: string; readonly steps: readonly Step[] }>
  >;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What expressions read everywhere. */
interface Contexts {
  readonly github: object;
  readonly secrets: Values;
  readonly vars: Values;
}

/** What expressions of a job or of an action read besides, which is its own. */
interface Scope {
  readonly inputs: Values;
  readonly steps: Record<string, { outputs: Values }>;
  /** Of the step that uses the action. */
  readonly env: Values;
}

/** Runs the one job of a workflow that the event is for, on a fresh machine: nothing is there but what it gets. */
export async function runWorkflow(
  host: CodeHost,
  workflow: string,
  trigger: Trigger,
  secrets: Readonly<Record<string, string>>,
): Promise<RanWorkflow> {
  const text = await readFile(join(host.desk, '.github/workflows', workflow), 'utf8');
  const { jobs, ...named } = parse(text) as Workflow;
  const head = trigger.head ?? trigger.sha;
  const event = trigger.name;
  const id = host.record({ workflow, event, head, title: '', isSuccess: false });
  const machine = new Machine(host, id, workflow, trigger, secrets);
  const scope: Scope = { inputs: trigger.inputs ?? {}, steps: {}, env: {} };
  machine.nameRun(named['run-name'] ?? '', scope);
  await machine.begin();
  const [job, ...others] = Object.values(jobs).filter((one) =>
    machine.holds(one.if ?? 'true', scope),
  );
  if (others.length > 0) throw new Error(`${workflow} has two jobs for ${event}`);
  for (const step of job?.steps ?? []) await machine.take(step, scope);
  return machine.end(job !== undefined);
}

class Machine {
  readonly #host: CodeHost;
  readonly #id: number;
  readonly #trigger: Trigger;
  readonly #contexts: Contexts;
  readonly #steps: Record<string, 'success' | 'failure' | 'skipped'> = {};
  readonly #home: string;
  #path: string;
  #log = '';
  readonly #commands: string[] = [];
  readonly #workflowRef: string;
  #outputs: Values = {};
  #hasFailed = false;

  constructor(host: CodeHost, id: number, workflow: string, trigger: Trigger, secrets: Values) {
    this.#host = host;
    this.#id = id;
    this.#workflowRef = `${host.repository}/.github/workflows/${workflow}@refs/heads/main`;
    this.#trigger = trigger;
    this.#path = `${host.tools}:${process.env.PATH ?? ''}`;
    this.#home = join(host.directory, `machine-${id}`);
    const { repository, token } = host;
    this.#contexts = {
      github: {
        ...{ event_name: trigger.name, event: trigger.event ?? {}, repository, token },
        ...{ server_url: 'https://github.example.com', run_id: id },
        ...{ action_repository: 'YOU/hostwright', action_ref: 'COMMIT' },
      },
      secrets,
      vars: host.variables,
    };
  }

  get #workspace(): string {
    return join(this.#home, 'workspace');
  }

  async begin(): Promise<void> {
    await mkdir(this.#workspace, { recursive: true });
  }

  /** @param hasRun whether there was a job for the event: a run without one is no success */
  end(hasRun: boolean): RanWorkflow {
    const isSuccess = hasRun && !this.#hasFailed;
    this.#note({ isSuccess });
    return {
      ...{ id: this.#id, isSuccess, steps: this.#steps },
      ...{ log: this.#log, commands: this.#commands, outputs: this.#outputs },
      workspace: this.#workspace,
    };
  }

  nameRun(name: string, scope: Scope): void {
    this.#note({ title: this.#fill(name, scope) });
  }

  #note(news: Partial<WorkflowRun>): void {
    const { runs } = this.#host;
    const at = runs.findIndex(({ id }) => id === this.#id);
    const run = runs[at];
    if (run) runs[at] = { ...run, ...news };
  }

  /** Takes a step, unless its condition says otherwise; without one, it is skipped after a failure. */
  async take(step: Step, scope: Scope): Promise<void> {
    const name = step.name ?? step.uses ?? '';
    if (!this.holds(step.if ?? 'success()', scope)) {
      this.#steps[name] = 'skipped';
      return;
    }
    const isDone =
      step.run === undefined
        ? await this.#act(step, scope)
        : await this.#run(step.run, step, scope);
    this.#steps[name] = isDone ? 'success' : 'failure';
    this.#hasFailed ||= !isDone;
  }

  /** As the host reads a condition: one that does not ask how things went holds after successes alone. */
  holds(condition: string, scope: Scope): boolean {
    const bare = condition.trim().replace(/^\$\{\{(.*)\}\}$/s, '$1');
    const asks = /\b(?:always|success|failure|cancelled)\(/.test(bare);
    const whole = `${asks ? '' : 'success() && '}(${bare}) && true`;
    return this.#evaluate(whole, scope).coerceString() === 'true';
  }

  #evaluate(expression: string, scope: Scope): data.ExpressionData {
    const yes = (value: boolean) => new data.BooleanData(value);
    const define = (name: string, call: (...args: data.ExpressionData[]) => data.ExpressionData) =>
      ({ name, minArgs: 0, maxArgs: 9, call }) as const;
    const functions = [
      define('always', () => yes(true)),
      define('success', () => yes(!this.#hasFailed)),
      define('failure', () => yes(this.#hasFailed)),
      define('cancelled', () => yes(false)),
      define('hashFiles', (path) => {
        const isThere = existsSync(join(this.#workspace, path.coerceString()));
        return new data.StringData(isThere ? 'a1b2' : '');
      }),
    ];
    const { tokens } = new Lexer(expression).lex();
    const contexts = { ...this.#contexts, ...scope };
    const tree: Expr = new Parser(tokens, Object.keys(contexts), functions).parse();
    const context = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
    const known = new Map(functions.map((one) => [one.name.toLowerCase(), one]));
    return new Evaluator(tree, context, known).evaluate();
  }

  #fill(text: string, scope: Scope): string {
    return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
      this.#evaluate(expression, scope).coerceString(),
    );
  }

  #fillAll(texts: Readonly<Record<string, unknown>>, scope: Scope): Values {
    const entries = Object.entries(texts);
    return Object.fromEntries(
      entries.map(([name, text]) => [name, this.#fill(String(text), scope)]),
    );
  }

  async #run(script: string, { id, env, shell }: Step, scope: Scope): Promise<boolean> {
    // What is put into a script by the host could be anybody's text.
    if (script.includes('${{')) throw new Error(`an expression in a script: ${script}`);
    const file = (name: string) => join(this.#home, name);
    await Promise.all(['output', 'path', 'summary'].map((name) => writeFile(file(name), '')));
    await writeFile(file('step.sh'), script);
    const strict = shell === 'bash' ? ['-o', 'pipefail'] : [];
    const child = spawn('bash', ['--noprofile', '--norc', '-e', ...strict, file('step.sh')], {
      cwd: this.#workspace,
      env: {
        ...scope.env,
        ...this.#fillAll(env ?? {}, scope),
        PATH: this.#path,
        HOME: this.#home,
        GITHUB_ACTION_PATH: actionPath,
        GITHUB_WORKFLOW_REF: this.#workflowRef,
        GITHUB_OUTPUT: file('output'),
        GITHUB_PATH: file('path'),
        GITHUB_STEP_SUMMARY: file('summary'),
        GITHUB_REPOSITORY: this.#host.repository,
        GITHUB_API_URL: this.#host.apiUrl,
        GITHUB_SHA: this.#trigger.sha,
        GITHUB_ACTIONS: 'true',
        CI: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    }
    const code = await new Promise<number | null>((done) => child.once('close', done));
    this.#log += printed;
    this.#commands.push(...findCommands(printed));
    this.#log += await readFile(file('summary'), 'utf8');
    for (const added of (await readFile(file('path'), 'utf8')).split('\n').filter(Boolean)) {
      this.#path = `${added}:${this.#path}`;
    }
    if (id !== undefined) scope.steps[id] = { outputs: await readOutputs(file('output')) };
    return code === 0;
  }

  /** The action of this repository: its steps are taken as if they stood in the job, but for what their expressions read. */
  async #actByOwn(given: Values, env: Values): Promise<boolean> {
    const text = await readFile(join(actionPath, 'action.yml'), 'utf8');
    const { inputs, outputs, runs } = parse(text) as Action;
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputs, name));
    if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join()}`);
    const nothing: Scope = { inputs: {}, steps: {}, env };
    const defaults = Object.entries(inputs).map(([name, one]) => [name, one.default ?? '']);
    const filled = this.#fillAll(Object.fromEntries(defaults) as Values, nothing);
    const scope: Scope = { inputs: { ...filled, ...given }, steps: {}, env };
    for (const step of runs.steps) await this.take(step, scope);
    const values = Object.entries(outputs).map(([name, { value }]) => [name, value]);
    this.#outputs = this.#fillAll(Object.fromEntries(values) as Values, scope);
    return !this.#hasFailed;
  }

  /** The actions that are the host's, and this one. */
  async #act({ uses = '', with: given = {}, env = {} }: Step, scope: Scope): Promise<boolean> {
    const inputs = this.#fillAll(given, scope);
    if (uses === 'YOU/hostwright@COMMIT') {
      return this.#actByOwn(inputs, { ...scope.env, ...this.#fillAll(env, scope) });
    }
    const path = join(this.#workspace, inputs.path ?? '');
    switch (uses.replace(/@v\d+$/, '')) {
      case 'actions/setup-node':
        return true;
      case 'actions/checkout':
        await this.#host.git('clone', '--quiet', this.#host.origin, this.#workspace);
        await this.#host.git('-C', this.#workspace, 'checkout', '--quiet', this.#trigger.sha);
        return true;
      case 'actions/upload-artifact':
        await this.#host.keepArtifact(this.#id, inputs.name ?? '', path);
        return true;
      case 'actions/download-artifact': {
        const kept = this.#host.artifact(inputs['run-id'] ?? '', inputs.name ?? '');
        if (existsSync(kept)) await cp(kept, path, { recursive: true });
        return existsSync(kept);
      }
      case 'github/codeql-action/upload-sarif': {
        const file = join(this.#workspace, inputs.sarif_file ?? '');
        await this.#host.keepArtifact(this.#id, 'sarif', file);
        return hasPlaces(JSON.parse(await readFile(file, 'utf8')) as Log);
      }
      default:
        throw new Error(`nobody knows the action ${uses}`);
    }
  }
}

/** The lines that GitHub's runner takes for commands, up to `::stop-commands::MARK` and again from `::MARK::` on. */
export function findCommands(log: string): string[] {
  let mark: string | undefined;
  return log.split(/\r\n|[\r\n]/).filter((line) => {
    if (mark !== undefined) {
      if (line.trim() === `::${mark}::`) mark = undefined;
      return false;
    }
    [, mark] = /^\s*::stop-commands::(\S+)/.exec(line) ?? [];
    return mark === undefined && /^\s*::[\w-]+.*::|##\[[\w-]+/.test(line);
  });
}

/** GitHub refuses a file in which one result stands in no file. */
function hasPlaces({ runs }: Log): boolean {
  const results = runs.flatMap((run) => run.results ?? []);
  return results.every(
    ({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri !== undefined,
  );
}

async function readOutputs(path: string): Promise<Record<string, string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
