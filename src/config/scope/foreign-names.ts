// Names that people write from habit, as Terraform and other tools have them, and what takes their place.
import { formatReference, type Reference, type Step } from '../../expressions/parse/references.ts';
import { kindNames, kindPlaces } from '../../model/kind-places.ts';

const variable = 'Declare a variable, and write `var.NAME`';
const address = 'Write the path in the YAML, such as `projects.shop.vms.web.id`';

/** By the first name of a reference. */
const roots: Readonly<Record<string, string | ((rest: readonly Step[]) => string)>> = {
  count: 'Write `each.index` in place of `count.index`.',
  terraform: `${variable}: there are no workspaces.`,
  workspace: `${variable}: there are no workspaces.`,
  self: `${address}. In policies, \`before\` and \`after\` are the resource.`,
  this: `${address}. In policies, \`before\` and \`after\` are the resource.`,
  resource: `${address}, without \`resource\`.`,
  env: `${variable}: the environment variable HOSTWRIGHT_VAR_NAME sets it.`,
  environment: `${variable}: the environment variable HOSTWRIGHT_VAR_NAME sets it.`,
  process: `${variable}: the environment variable HOSTWRIGHT_VAR_NAME sets it.`,
  output: 'Repeat the expression, or put it into `locals`: no expression reads an output.',
  outputs: 'Repeat the expression, or put it into `locals`: no expression reads an output.',
  locals: (rest) => `Write \`${formatReference({ root: 'local', steps: rest })}\`.`,
  vars: writeVariable,
  variable: writeVariable,
  variables: writeVariable,
  module: ([key, ...rest]) => {
    const output: Step = { key: 'outputs', start: 0, end: 0 };
    const all = rest[0]?.key === 'outputs' ? rest : [output, ...rest];
    const steps = key ? [key, ...all] : [{ ...output, key: 'KEY' }, output];
    return `Write \`${formatReference({ root: 'modules', steps })}\`.`;
  },
};

function writeVariable(rest: readonly Step[]): string {
  return `Write \`${formatReference({ root: 'var', steps: rest })}\`.`;
}

const paths: Readonly<Record<string, string>> = {
  root: 'Leave it out: functions read paths relative to the directory of the configuration.',
  cwd: 'Leave it out: functions read paths relative to the directory of the configuration.',
};

/** What to write in place of a name at the root of an expression; undefined where nothing is known of it. */
export function hintAtForeignName({ root, steps }: Reference): string | undefined {
  const hint = Object.hasOwn(roots, root) ? roots[root] : undefined;
  if (hint !== undefined) return typeof hint === 'string' ? hint : hint(steps);
  if (kindNames.some((kind) => kindPlaces[kind].collection === root)) {
    return `Write \`${formatReference({ root: `projects.KEY.${root}`, steps })}\`, with the key of the project.`;
  }
  // A type of a provider with a label below it: `host_vm.web.id`.
  return root.includes('_') && steps.length > 0
    ? `${address}: resources have no type labels.`
    : undefined;
}

/** What to write in place of a name below `path`. */
export function hintAtForeignPath(name: string): string | undefined {
  return Object.hasOwn(paths, name) ? paths[name] : undefined;
}

/** What to write in place of `data.TYPE.NAME`; undefined where the first name is not a type. */
export function hintAtDataType(
  [type, name, ...rest]: readonly Step[],
  entries: readonly string[],
): string | undefined {
  const isType = String(type?.key).includes('_') || entries.includes(String(name?.key));
  if (!name || !isType) return undefined;
  return `Write \`${formatReference({ root: 'data', steps: [name, ...rest] })}\`: the name follows \`data\`.`;
}
