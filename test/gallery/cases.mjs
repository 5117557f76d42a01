// The plans that the gallery shows: what stands in the account, what is configured then, and what is asked for.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Writes the shop into a directory, edited; without its service, which is the sandbox of the case. */
async function writeShop(root, directory, edits = []) {
  await cp(join(root, 'examples/shop'), directory, {
    recursive: true,
    filter: (path) => !['.hostwright', 'service.yaml', 'README.md'].includes(basename(path)),
  });
  for (const [file, from, to] of edits) {
    const path = join(directory, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)} any more`);
    await writeFile(path, text.replace(from, to));
  }
}

/** 2,000 VMs in 20 projects. */
async function writeFarm(directory) {
  await mkdir(directory, { recursive: true });
  const vms = [
    '{ count: 80, image: debian-12, configuration: c2-r4-d40, tariff: monthly, networks: [back] }',
    '{ count: 20, image: ubuntu-24.04, configuration: c4-r8-d80, tariff: yearly, networks: [back] }',
  ];
  const projects = Array.from({ length: 20 }, (_, index) => [
    `  team${index}:`,
    '    networks: { back: {} }',
    '    vms:',
    ...['web', 'worker'].map((name, at) => `      ${name}: ${vms[at]}`),
  ]);
  const text = ['version: 1', 'projects:', ...projects.flat(), ''].join('\n');
  await writeFile(join(directory, 'main.yaml'), text);
}

const production = 'production.yaml';
const edits = [
  [production, 'count: 10', 'count: 12'],
  [production, 'count: 8', 'count: 7'],
  [production, 'count: 3\n        image: debian-12', 'count: 3\n        image: ubuntu-24.04'],
  [
    production,
    'count: 2\n        image: debian-12\n        configuration: c2-r4-d40',
    'count: 2\n        image: debian-12\n        configuration: c4-r8-d80',
  ],
  [production, 'publicPort: 80,', 'publicPort: 8080,'],
];

/**
 * `before` writes what is applied first, `write` what is planned then; `flags` are those of the plan. Directories have the
 * names of the cases: the pictures show them.
 */
export const cases = [
  { name: 'empty', before: writeShop, write: writeShop },
  {
    name: 'small',
    async write(root, directory) {
      await cp(join(root, 'examples/quickstart/keys'), join(directory, 'keys'), {
        recursive: true,
      });
      const text = await readFile(join(root, 'examples/quickstart/main.yaml'), 'utf8');
      const alone = text.replace(/^service:\n.*\n/m, '');
      await writeFile(join(directory, 'main.yaml'), alone);
    },
  },
  {
    name: 'edited',
    before: writeShop,
    write: (root, directory) => writeShop(root, directory, edits),
  },
  { name: 'destructive', before: writeShop, write: writeShop, flags: ['--destroy'] },
  {
    name: 'refused',
    write: (root, directory) =>
      writeShop(root, directory, [[production, 'count: 10', 'count: 300']]),
  },
  {
    name: 'huge',
    write: (_, directory) => writeFarm(directory),
    quotas: 'projects=100,vmCpu=90000,vmRam=90000,vmDisk=900000',
  },
];
