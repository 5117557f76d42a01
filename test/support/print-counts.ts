// Prints what can be counted of the program's structure: `npm run counts`.
import {
  countFiles,
  listArrowsUp,
  listCircles,
  listLongFunctions,
  listNamesakes,
  listSpellers,
  mostFiles,
  mostLines,
} from './measure-house.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import { kindNames } from '../../src/model/kind-places.ts';
import { readModules, type SourceModule } from './source-files.ts';

const generated = /^api\/contract\/(?:schema|routes)\.ts$/;
const modules = readModules('src').filter(({ path }) => !generated.test(path));
const spellers = [...listSpellers(modules)];
const crowded = countFiles(modules).filter(([, count]) => count > mostFiles);
const circles = listCircles(modules);
const long = listLongFunctions(modules);
const sum = (count: (one: SourceModule) => number) =>
  modules.reduce((all, one) => all + count(one), 0);
const lines = sum((one) => one.lines);

const print = (title: string, rows: readonly string[]) => {
  process.stdout.write(`${title}\n${rows.map((row) => `  ${row}\n`).join('')}`);
};
const sizes = modules.map((one) => one.lines).sort((a, b) => a - b);
const median = sizes[Math.floor(sizes.length / 2)];
print(
  `${lines} lines in ${modules.length} files of src, without what is generated; half of them have at most ${median}`,
  [],
);
const namesakes = listNamesakes(modules);
print(
  `${namesakes.length} exported names stand in several files`,
  namesakes.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
);
print(
  `${sum(({ vagueComments }) => vagueComments)} comments begin with What, How, Where, Whether, True: or False:`,
  [],
);
print(`${sum(({ literalSpreads }) => literalSpreads)} literal spreads`, []);
print(
  `${spellers.length} files outside the kinds' folders spell a kind or a command`,
  spellers.map(([path, names]) => `${path}: ${names.join(', ')}`),
);
print(
  `${crowded.length} folders hold more than ${mostFiles} files`,
  crowded.map(([folder, count]) => `${folder}: ${count}`),
);
print(
  `${circles.length} circles of imports`,
  circles.map((paths) => paths.join(', ')),
);
print(`${long.length} functions have more than ${mostLines} lines`, long);
const arrows = [...listArrowsUp(modules)].filter(([, { up }]) => up.length > 0);
print(
  `${arrows.reduce((sum, [, { up }]) => sum + up.length, 0)} arrows between the folders of a room run back up`,
  arrows.flatMap(([room, { all, up }]) => [
    `${room}: ${up.length} of ${all}`,
    ...up.map(({ from, to, imports }) => `  ${from} to ${to} (${imports})`),
  ]),
);
print(`${sum(({ casts }) => casts)} casts`, []);
const membersOf = (file: string, name: string) =>
  modules.find(({ path }) => path === file)?.interfaces.get(name) ?? [];
const core = membersOf('kinds/kind.ts', 'ResourceKind');
print(`${core.length} members of every kind`, [core.join(', ')]);
const traits = membersOf('kinds/traits.ts', 'KindTraits').map((name) => name.replace('?', ''));
const holdersOf = (trait: string) => kindNames.filter((kind) => trait in kindRegistry[kind].traits);
print(
  `${traits.length} traits of some kinds`,
  traits.map((trait) => `${trait}: ${holdersOf(trait).join(', ')}`),
);
