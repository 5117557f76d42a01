// Worlds and what becomes of them, as a person writes them: in lines of text instead of nested brackets.
import { parse } from 'yaml';
import type { Config, ProjectConfig } from './desired.ts';
import {
  afterApply,
  destroyAll,
  forget,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from './world.ts';

/** A story: its title, its world, and the lines that are expected of it. */
export type Story = [title: string, world: string, lines: string[]];

/**
 * Stories: a title, and below it, further in, first the world and then a line for each thing that is expected.
 * @throws Error for a story without a world
 */
export function readStories(text: string): Story[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const depthOf = (line: string) => line.search(/\S/);
  const outermost = Math.min(...lines.map(depthOf));
  const stories: string[][] = [];
  for (const line of lines) {
    if (depthOf(line) === outermost) stories.push([line.trim()]);
    else stories.at(-1)?.push(line.trim());
  }
  return stories.map(([title = '', world, ...expected]) => {
    if (world === undefined) throw new Error(`A story without a world: ${title}`);
    return [title, world, expected];
  });
}

/** `networks: {lan}, vms: {web: {networks: [lan]}}`; what is said of nothing has the values of a test that says nothing. */
export function readProject(text: string): ProjectConfig {
  const project = parse(`{ ${text} }`) as Record<string, Record<string, unknown>>;
  for (const entries of Object.values(project))
    if (typeof entries === 'object')
      for (const [key, value] of Object.entries(entries)) entries[key] = value ?? {};
  return project;
}

/**
 * A world around a project `p`: `networks: {lan} => networks: {wan}` is what was applied and what is wanted in its
 * place. `empty => networks: {lan}`: nothing was applied. Without an arrow nothing else is wanted. Behind that, parted
 * by ` & `, what has happened since: `vms.web is {status: failed}`, `vms.web lost`, `vms.web forgotten`, `destroy`.
 */
export function readWorld(text: string, account: Parameters<typeof afterApply>[1] = {}): World {
  const [configs = '', ...events] = text.split(' & ');
  const [before = '', after] = configs.split(/ ?=> ?/);
  const wanted: Config | undefined = after === undefined ? undefined : { p: readProject(after) };
  const start =
    before === 'empty'
      ? makeWorld({ config: wanted ?? {}, account })
      : afterApply({ p: readProject(before) }, account);
  return events.reduce(happen, wanted && before !== 'empty' ? reconfigure(start, wanted) : start);
}

function happen(world: World, event: string): World {
  if (event === 'destroy') return destroyAll(world);
  const [, local = '', what, patch = ''] =
    /^(\S+) (is|lost|forgotten)(?: (.*))?$/.exec(event) ?? [];
  const address = local === 'p' ? 'projects.p' : `projects.p.${local}`;
  if (what === 'is') return touch(world, address, parse(patch) as object);
  if (what === 'lost') return lose(world, address);
  if (what === 'forgotten') return forget(world, address);
  throw new Error(`Not a thing that happens: ${event}`);
}
