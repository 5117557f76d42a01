// Runs a job of GitLab CI on this machine: its script as it is, in bash. The file may include the component of this
// repository, whose inputs are checked and put in as the host does.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { CodeHost } from './code-host.ts';

/** The component of this repository. */
const componentPath = resolve(import.meta.dirname, '../../templates/hostwright.yml');

type Values = Readonly<Record<string, string>>;

/** A rule of a job: the first that holds decides. */
interface Rule {
  readonly if: string;
  readonly when?: string;
}

/** A job as the file has it. */
export interface GitlabJob {
  readonly extends?: string;
  readonly stage?: string;
  readonly variables?: Values;
  readonly rules?: readonly Rule[];
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly needs?: readonly string[];
  readonly resource_group?: string;
  readonly artifacts?: { readonly paths: readonly string[]; readonly reports?: object };
}

/** How a component describes an input. */
interface InputSpec {
  readonly type: string;
  readonly description: string;
  readonly default?: unknown;
  readonly regex?: string;
}

interface Header {
  readonly spec: { readonly inputs: Readonly<Record<string, InputSpec>> };
}

/** What of a file is no job. */
interface GitlabSettings {
  readonly include: readonly [{ readonly component: string; readonly inputs: object }];
  readonly workflow: object;
}

/** How a job went. */
export interface RanJob {
  readonly code: number | null;
  readonly log: string;
  readonly workspace: string;
}

/** The jobs of the component with these inputs. @throws Error for inputs that the host refuses */
export async function readGitlabJobs(given: object) {
  const [header, body] = parseAllDocuments(await readFile(componentPath, 'utf8'));
  const { spec } = header?.toJS() as Header;
  const inputs = fillInputs(spec.inputs, given);
  const jobs = interpolate(body?.toJS(), inputs) as Readonly<Record<string, GitlabJob>>;
  const find = (name: string): GitlabJob => {
    const { extends: base, ...own } = jobs[name] ?? { script: [] };
    return base === undefined ? own : { ...find(base), ...own };
  };
  /** The jobs that a pipeline with these variables has, with when they run. */
  const select = (variables: Values) =>
    Object.fromEntries(
      Object.entries(jobs)
        .filter(([name]) => !name.startsWith('.'))
        .map(
          ([name, { rules = [] }]) =>
            [name, rules.find((rule) => holds(rule.if, variables))] as const,
        )
        .filter(([, rule]) => rule !== undefined && rule.when !== 'never')
        .map(([name, rule]) => [name, rule?.when ?? 'on_success']),
    );
  return { spec: spec.inputs, find, select };
}

function fillInputs(specs: Readonly<Record<string, InputSpec>>, given: object) {
  const values = new Map(Object.entries(given));
  const filled = Object.entries(specs).map(([name, { type, regex, ...spec }]) => {
    const value: unknown = values.get(name) ?? spec.default;
    const isFit =
      typeof value === type && (regex === undefined || new RegExp(regex).test(String(value)));
    if (!isFit) throw new Error(`the input ${name} cannot be ${String(value)}`);
    values.delete(name);
    return [name, String(value)];
  });
  if (values.size > 0) throw new Error(`there is no input ${[...values.keys()].join()}`);
  return Object.fromEntries(filled) as Values;
}

/** Inputs are put into keys and values once the YAML has been read. */
function interpolate(node: unknown, inputs: Values): unknown {
  if (typeof node === 'string') {
    return node.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => inputs[name] ?? '');
  }
  if (Array.isArray(node)) return node.map((one) => interpolate(one, inputs));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      interpolate(key, inputs),
      interpolate(value, inputs),
    ]),
  );
}

/** A condition of `==` and `!=` between variables and texts, all of which have to hold. */
function holds(condition: string, variables: Values): boolean {
  const read = (word = '') => (word.startsWith('$') ? variables[word.slice(1)] : word.slice(1, -1));
  return condition.split(' && ').every((part) => {
    const [left, operator, right] = part.split(' ');
    return (read(left) === read(right)) === (operator === '==');
  });
}

/** Runs a job of a pipeline for a commit, with the artifacts of the jobs that it needs. */
export async function runGitlabJob(
  host: CodeHost,
  pipeline: number,
  sha: string,
  name: string,
  secrets: Values,
): Promise<RanJob> {
  const text = await readFile(join(host.desk, '.gitlab-ci.yml'), 'utf8');
  const { include } = parse(text) as GitlabSettings;
  const { find } = await readGitlabJobs(include[0].inputs);
  const job = find(name);
  const workspace = join(host.directory, `job-${pipeline}-${name}`);
  await host.git('clone', '--quiet', host.origin, workspace);
  await host.git('-C', workspace, 'checkout', '--quiet', sha);
  for (const needed of job.needs ?? []) {
    for (const path of find(needed).artifacts?.paths ?? []) {
      await cp(join(host.artifact(pipeline, needed), path), join(workspace, path), {
        recursive: true,
      });
    }
  }
  const given = { ...secrets, ...host.variables };
  const env = {
    ...expand(job.variables ?? {}, given),
    ...given,
    PATH: `${host.tools}:${process.env.PATH ?? ''}`,
    HOME: `${workspace}-home`,
  };
  const lines = [...(job.before_script ?? []), ...job.script];
  const { code, log } = await runLines(lines, workspace, env);
  for (const path of job.artifacts?.paths ?? []) {
    const kept = join(host.artifact(pipeline, name), path);
    await mkdir(kept, { recursive: true });
    await cp(join(workspace, path), kept, { recursive: true });
  }
  return { code, log, workspace };
}

/** A variable may mention others, as `$NAME`. */
function expand(
  variables: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(variables).map(([name, value]) => [
    name,
    value.replaceAll(/\$(\w+)/g, (_, mentioned: string) => known[mentioned] ?? ''),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

async function runLines(
  lines: readonly string[],
  workspace: string,
  env: Readonly<Record<string, string>>,
): Promise<Omit<RanJob, 'workspace'>> {
  const file = `${workspace}.sh`;
  await writeFile(file, `set -eo pipefail\n${lines.join('\n')}\n`);
  const child = spawn('bash', [file], { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, log };
}
