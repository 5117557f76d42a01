// What can be counted of the program's structure: the architecture test holds it to its limits, `npm run counts` prints it.
import { dirname } from 'node:path';
import { commandNames } from '../../src/model/account/command.ts';
import { kindNames } from '../../src/model/kind-places.ts';
import { groupBy } from '../../src/model/group-by.ts';
import type { SourceModule } from './source-files.ts';

/** The most files that a folder may hold directly. */
export const mostFiles = 30;

/** The most lines that a function may have without a reason. */
export const mostLines = 50;

/** `public-ip` for `publicIpKind`: the folder of a kind. */
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

/** Exported names that stand in several files, with those. */
export const listNamesakes = (
  modules: readonly SourceModule[],
): readonly (readonly [string, readonly string[]])[] =>
  [
    ...groupBy(
      modules.flatMap(({ path, exports }) => [...new Set(exports)].map((name) => ({ path, name }))),
      ({ name }) => name,
    ),
  ]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => [name, files.map(({ path }) => path)] as const);

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

/** An arrow from one folder of a room to another: how many imports it stands for. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
}

/**
 * Arrows between the folders of each room that run back up: those that have to go so that the folders stand in one order, each
 * importing from those below it alone. By room, with how many arrows there are. Files beside the folders are left out: some of them
 * are a room's door, others what all of it shares.
 */
export function listArrowsUp(
  modules: readonly SourceModule[],
): ReadonlyMap<string, { readonly all: number; readonly up: readonly Arrow[] }> {
  const rooms = new Map<string, Map<string, Arrow>>();
  for (const { path, imports } of modules) {
    for (const { target } of imports) {
      const [room, from] = placeOf(path);
      const [otherRoom, to] = placeOf(target ?? '');
      if (room === undefined || room !== otherRoom) continue;
      if (from === undefined || to === undefined || from === to) continue;
      const arrows = rooms.get(room) ?? new Map<string, Arrow>();
      rooms.set(room, arrows);
      const known = arrows.get(`${from} ${to}`)?.imports ?? 0;
      arrows.set(`${from} ${to}`, { from, to, imports: known + 1 });
    }
  }
  const measured = [...rooms].map(([room, arrows]) => {
    const all = [...arrows.values()];
    return [room, { all: all.length, up: findArrowsUp(all) }] as const;
  });
  return new Map(measured);
}

function placeOf(path: string): readonly [room: string | undefined, folder: string | undefined] {
  const [room, folder, ...rest] = path.split('/');
  return [room, rest.length === 0 ? undefined : folder];
}

/** The folders, each before those that it imports: without any arrow back where none of them form a circle. */
function sortDownwards(arrows: readonly Arrow[]): readonly string[] {
  const sorted = new Set<string>();
  const visited = new Set<string>();
  const visit = (folder: string): void => {
    if (visited.has(folder)) return;
    visited.add(folder);
    for (const { from, to } of arrows) if (from === folder) visit(to);
    sorted.add(folder);
  };
  for (const { from } of arrows) visit(from);
  return [...sorted].reverse();
}

/**
 * Puts the folders in an order with few arrows back: where circles leave any, each folder is moved to where it has fewest until
 * nothing gets better. A room of twenty folders needs no more than that.
 */
function findArrowsUp(arrows: readonly Arrow[]): readonly Arrow[] {
  // Of as many arrows, those that stand for few imports.
  const weights = new Map(arrows.map(({ from, to, imports }) => [`${from} ${to}`, 1e4 + imports]));
  const weight = (from: string, to: string) => weights.get(`${from} ${to}`) ?? 0;
  let order: readonly string[] = sortDownwards(arrows);
  const countUp = (folders: readonly string[]) =>
    folders.reduce(
      (sum, from, at) => sum + folders.slice(0, at).reduce((up, to) => up + weight(from, to), 0),
      0,
    );
  for (let isBetter = true; isBetter;) {
    isBetter = false;
    for (const folder of order) {
      const rest = order.filter((one) => one !== folder);
      const best = rest
        .map((_, at) => rest.toSpliced(at, 0, folder))
        .concat([[...rest, folder]])
        .reduce((left, right) => (countUp(right) < countUp(left) ? right : left));
      if (countUp(best) >= countUp(order)) continue;
      order = best;
      isBetter = true;
    }
  }
  return arrows
    .filter(({ from, to }) => order.indexOf(to) < order.indexOf(from))
    .sort((left, right) => left.imports - right.imports);
}
