// Runs a job of GitLab CI on this machine: the lines of its scripts as they are, in one shell, in a fresh clone.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CodeHost } from './code-host.ts';

/** A job as the file has it. */
export interface GitlabJob {
  readonly extends?: string;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly needs?: readonly string[];
  readonly resource_group?: string;
  readonly artifacts?: { readonly paths: readonly string[]; readonly reports?: object };
}

/** What of a file is no job. */
interface GitlabSettings {
  readonly stages: readonly string[];
  readonly workflow: object;
  readonly variables: Readonly<Record<string, string>>;
}

/** How a job went. */
export interface RanJob {
  readonly code: number | null;
  readonly log: string;
  readonly workspace: string;
}

/** The jobs of a file, and the variables of all. */
export async function readGitlabJobs(path: string) {
  const { stages, workflow, variables, ...rest } = parse(
    await readFile(path, 'utf8'),
  ) as GitlabSettings;
  const jobs: Readonly<Record<string, GitlabJob>> = rest;
  const find = (name: string): GitlabJob => {
    const { extends: base, ...own } = jobs[name] ?? { script: [] };
    return base === undefined ? own : { ...find(base), ...own };
  };
  return { stages, workflow, variables, find };
}

/** Runs a job of a pipeline for a commit, with the artifacts of the jobs that it needs. */
export async function runGitlabJob(
  host: CodeHost,
  pipeline: number,
  sha: string,
  name: string,
  secrets: Readonly<Record<string, string>>,
): Promise<RanJob> {
  const { find, variables } = await readGitlabJobs(join(host.desk, '.gitlab-ci.yml'));
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
    ...expand(variables, given),
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
