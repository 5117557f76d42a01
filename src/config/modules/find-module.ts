import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ConfigurationFiles, FileReadRefusal } from '../source/configuration-files.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import { findYamlMapChild, type YamlEntry } from '../source/located-node.ts';
import { readNodeText } from '../source/read-fields.ts';
import { describeYamlPath } from '../source/subject.ts';
import type { GitModuleFinder } from './git-modules.ts';
import { isRemoteModuleSource, parseGitSource } from './git-source.ts';

/** A use of a module: its block under `modules`, and the directory of the file with that block. */
export interface ModuleUseSite {
  readonly key: string;
  readonly entry: YamlEntry;
  /** Absolute path of the directory whose files use the module. */
  readonly directory: string;
  /** The repository that these files come from, which a relative `source` must not leave. Undefined for the user's own files. */
  readonly repository: string | undefined;
}

/** The directory of a module: as written, and through all links. */
export interface FoundModule {
  readonly path: string;
  readonly real: string;
  /** The repository that the module comes from; undefined for the user's own directories. */
  readonly repository: string | undefined;
}

/** Context for finding modules: the files, the finder of modules from git, and the list of faults. */
export interface ModuleSearch {
  readonly files: ConfigurationFiles;
  readonly gitModules: GitModuleFinder;
  readonly faults: ConfigurationFaultList;
  readonly workingDirectory: string;
}

type SourceFault = { readonly detail: string } & Partial<
  Pick<ConfigurationFault, 'code' | 'summary' | 'hint'>
>;

const example = 'Write for example `./modules/shop`.';

/** Reports a `source` that leads to no module. */
export function reportBadModuleSource(
  { key, entry }: Pick<ModuleUseSite, 'key' | 'entry'>,
  { code, summary, detail, hint = example }: SourceFault,
  faults: ConfigurationFaultList,
): void {
  faults.add({
    code: code ?? 'invalid-module-source',
    summary:
      summary ?? `${describeYamlPath(['modules', key, 'source'])} is not the directory of a module`,
    detail,
    hint,
    place: findYamlMapChild(entry.value, 'source') ?? entry.key,
  });
}

/** Finds the directory that a module's `source` names; undefined when a fault was reported. */
export async function findModule(
  site: ModuleUseSite,
  search: ModuleSearch,
): Promise<FoundModule | undefined> {
  const written = readNodeText(findYamlMapChild(site.entry.value, 'source'))?.trim();
  // A missing `source`, or one that is no text, was already reported.
  if (written === undefined || written === '') return undefined;
  if (written.includes('${') || isAbsolute(written) || /^~|^[a-z]:[\\/]/i.test(written)) {
    const detail = `It is ${plainPath}, or begins with \`git::\`, and has no expressions.`;
    reportBadModuleSource(site, { detail }, search.faults);
    return undefined;
  }
  if (isRemoteModuleSource(written)) return findRemote(written, site, search);
  return findBeside(resolve(site.directory, written), site, search);
}

const plainPath = 'a path relative to the directory of the files that use the module';

function findBeside(
  path: string,
  site: ModuleUseSite,
  { files, faults, workingDirectory }: ModuleSearch,
): FoundModule | undefined {
  const { repository } = site;
  const shown = relative(workingDirectory, path) || '.';
  const found = files.findDirectory(path);
  if (!('path' in found)) {
    reportBadModuleSource(site, explainRefusal(shown, found.refusal), faults);
    return undefined;
  }
  if (repository !== undefined && !isWithin(found.path, repository)) {
    const detail = `${shown}: it is outside of the repository of the module that names it.`;
    const hint = 'Name a directory of that repository, or a module from git.';
    reportBadModuleSource(site, { code: 'file-outside', detail, hint }, faults);
    return undefined;
  }
  return { path, real: found.path, repository };
}

async function findRemote(
  written: string,
  site: ModuleUseSite,
  { files, faults, gitModules }: ModuleSearch,
): Promise<FoundModule | undefined> {
  const parsed = parseGitSource(written);
  if ('refusal' in parsed) {
    const { secrets = [], detail, hint } = parsed.refusal;
    for (const secret of secrets) faults.secrets.add(secret);
    const summary = `${describeYamlPath(['modules', site.key, 'source'])} is not the source of a module`;
    reportBadModuleSource(site, { summary, detail, hint }, faults);
    return undefined;
  }
  const { source } = parsed;
  const repository = await gitModules.find(source);
  if (!repository) return undefined;
  if ('fault' in repository) {
    reportBadModuleSource(site, repository.fault, faults);
    return undefined;
  }
  const path = join(repository.directory, source.path);
  const found = files.findDirectory(path);
  if ('path' in found && isWithin(found.path, repository.directory)) {
    return { path, real: found.path, repository: repository.directory };
  }
  const detail = `${source.pin} has no directory \`${source.path}\`.`;
  reportBadModuleSource(site, { detail, hint: 'Correct the path behind `//`.' }, faults);
  return undefined;
}

function explainRefusal(shown: string, { code, why, hint, system }: FileReadRefusal): SourceFault {
  if (code === 'file-outside') return { code, detail: `${shown}: ${why}.`, hint };
  return { detail: system === 'ENOENT' ? `There is no directory ${shown}.` : `${shown}: ${why}.` };
}

/** Tells whether a real path is a directory or lies below it. */
function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}
