// What can be counted of the program's structure: the architecture test holds it to its limits, `npm run counts` prints it.
import { dirname } from 'node:path';
import { commandNames } from '../../src/model/account/command.ts';
import { kindNames } from '../../src/model/kind-places.ts';
import type { SourceModule } from './source-files.ts';

/** The most files that a folder may hold directly. */
export const mostFiles = 30;

/** The most lines that a function may have without a reason. */
export const mostLines = 50;

/** `public-ip` for `publicIp`: the folder of a kind. */
const folderOf = (kind: string): string => kind.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
/** Folders whose files may spell the names of kinds and commands: the kinds' own, the service's double, the contract, and what derives its spelling. */
const kindRooms = new RegExp(
  `^(?:kinds/(?:${kindNames.map(folderOf).join('|')})/|sandbox/|api/contract/|binding/)`,
);
/** Files elsewhere that may: what they spell is no kind, or they are where one is entered. At most `mostExceptions`. */
export const spellingExceptions: Readonly<Record<string, string>> = {
  'cli/command-families.ts': 'names of commands of the program: hostwright vm, hostwright account',
  'cli/help/examples.ts': 'the same commands, in examples',
  'commands/contract/probe-contract.ts': 'looks for each list of the contract, by its operation',
  'config/contract/check-route.ts': 'says what each operation of the contract loses',
  'commands/journey/journey-steps.ts': 'tries each command once, by its name',
  'kinds/kind.ts': 'names the field `project` that a resource has',
  'kinds/registry.ts': 'the line of each kind',
  'model/account/live.ts': 'the id that stands for the account where the service gives none',
  'model/kind-table.ts': 'the one table of kinds and their commands',
};
export const mostExceptions = 12;

/** An object with so many kinds among its keys is a table of kinds. */
const tableSize = 3;
const spelled: ReadonlySet<string> = new Set([...kindNames, ...commandNames]);

/** Files outside the kinds' rooms that spell a kind's or a command's name, or have a table of them; with the names. */
export const listSpellers = (
  modules: readonly SourceModule[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    modules
      .filter(({ path }) => !kindRooms.test(path))
      .map((one) => [one.path, listSpelled(one)] as const)
      .filter(([, names]) => names.length > 0),
  );

function listSpelled({ texts, tables }: SourceModule): readonly string[] {
  // One such key alone may be any word: `project` is one of a command's.
  const keys = tables.map((table) => table.filter((key) => spelled.has(key)));
  const inTables = keys.filter(({ length }) => length >= tableSize).flat();
  return [...new Set([...[...texts].filter((text) => spelled.has(text)), ...inTables])];
}

/** How many files each folder holds directly, the fullest first. */
export function countFiles(
  modules: readonly SourceModule[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { path } of modules) {
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

/** Functions with more lines than they should have, as `path:line name (lines)`, the longest first. */
export const listLongFunctions = (modules: readonly SourceModule[]): readonly string[] =>
  modules
    .flatMap(({ path, functions }) => functions.map((one) => ({ path, ...one })))
    .filter(({ lines }) => lines > mostLines)
    .sort((left, right) => right.lines - left.lines)
    .map(({ path, line, name, lines }) => `${path}:${line} ${name} (${lines} lines)`);

/** Files that import one another in a circle, types included: each group that hangs together, by path. */
export function listCircles(modules: readonly SourceModule[]): readonly (readonly string[])[] {
  const targets = new Map(
    modules.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  );
  const circles: string[][] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    lowest.set(path, index.size - 1);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) {
        lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(target) ?? 0));
      }
    }
    if (lowest.get(path) !== index.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    const isOwnImport = targets.get(path)?.includes(path) === true;
    if (group.length > 1 || isOwnImport) circles.push(group.sort());
  };
  for (const path of targets.keys()) if (!index.has(path)) visit(path);
  return circles;
}
