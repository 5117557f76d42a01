import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** A module from git, after `init` has looked for it. */
export interface FetchedModuleView {
  /** Repository and ref of the module, as the lock file names them. */
  readonly name: string;
  readonly commit: string;
  /** The commit that the module was pinned to before; undefined when it had no pin. */
  readonly before: string | undefined;
  readonly isFetched: boolean;
}

/** Result of `init` for modules from git. */
export interface FetchedModulesView {
  readonly modules: readonly FetchedModuleView[];
  readonly lock: 'written' | 'removed' | 'unchanged';
  /** Argument behind `hostwright plan` in the hint: a space and the directory, or nothing. */
  readonly place: string;
}

const lockFile = 'hostwright.lock.yaml';
const shortCommit = (commit: string) => commit.slice(0, 12);

function describe({ before, commit, isFetched }: FetchedModuleView): string {
  const now = shortCommit(commit);
  if (before === undefined) return `pinned to ${now}`;
  if (before !== commit) return `moved from ${shortCommit(before)} to ${now}`;
  return isFetched ? `fetched ${now} again` : `is at ${now}`;
}

/** Writes the line above the fetch of a repository. */
export function renderModuleFetchLine(name: string): string {
  return `Fetching ${escapeUntrustedText(name)}...\n`;
}

/** Renders the modules that `init` has fetched, with the next step. */
export function renderFetchedModules(
  { modules, lock, place }: FetchedModulesView,
  { style, columns }: TextLayout,
): string {
  const lines = modules.flatMap((one) => [
    ...wrapText(`- ${escapeUntrustedText(one.name)}`, columns),
    `  ${describe(one)}`,
  ]);
  const changes = {
    written: `${lockFile} says what they are pinned to: commit it with the configuration.`,
    removed: `${lockFile} is removed: no module comes from git any more.`,
    unchanged: `${lockFile} stays as it is.`,
  };
  const isEmpty = modules.length === 0;
  const head = isEmpty
    ? 'No module comes from git: there is nothing to fetch.'
    : `${formatCountWithNoun('module', modules.length)} from git ${modules.length === 1 ? 'is' : 'are'} in place.`;
  return [
    ...lines,
    ...(isEmpty ? [] : ['']),
    style.green(head),
    ...(isEmpty && lock === 'unchanged' ? [] : wrapText(changes[lock], columns)),
    '',
    'Next:',
    '',
    `  hostwright plan${place}`,
    '',
  ].join('\n');
}
