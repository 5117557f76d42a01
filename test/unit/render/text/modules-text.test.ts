import { expect, test } from 'vitest';
import { renderFileDiff } from '../../../../src/render/format/file-diff.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import {
  renderModuleFetchLine,
  renderFetchedModules,
  type FetchedModuleView,
  type FetchedModulesView,
} from '../../../../src/render/text/modules-text.ts';

const [old, now] = ['a'.repeat(40), 'b'.repeat(40)];
const style = createAnsiStyle(false);
const module: FetchedModuleView = { name: 'git/x v1', commit: now, before: now, isFetched: false };
const render = (shown: Partial<FetchedModulesView>) =>
  renderFetchedModules(
    { modules: [], lock: 'unchanged', place: '', ...shown },
    { style, columns: 100, room: 100 },
  );

test('init says what became of each module from git, of the lock file, and what is next', () => {
  const modules = [
    module,
    { ...module, isFetched: true },
    { ...module, before: old },
    { ...module, before: undefined },
  ];
  expect(render({ modules, lock: 'written', place: ' shop' }).split('\n')).toEqual([
    ...['- git/x v1', '  is at bbbbbbbbbbbb', '- git/x v1', '  fetched bbbbbbbbbbbb again'],
    ...['- git/x v1', '  moved from aaaaaaaaaaaa to bbbbbbbbbbbb'],
    ...['- git/x v1', '  pinned to bbbbbbbbbbbb', '', '4 modules from git are in place.'],
    'hostwright.lock.yaml says what they are pinned to: commit it with the configuration.',
    ...['', 'Next:', '', '  hostwright plan shop', ''],
  ]);
  expect(render({ modules: [module] })).toContain(
    '1 module from git is in place.\nhostwright.lock.yaml stays as it is.\n',
  );
  expect(render({})).toMatch(/^No module comes from git: there is nothing to fetch\.\n\nNext:/);
  expect(render({ lock: 'removed' })).toContain('hostwright.lock.yaml is removed');
  expect(renderModuleFetchLine('git/\u001b[2J')).not.toContain('\u001b');
});

test('what changes of a file is told by its lines, in colours where there are any', () => {
  const file = { shown: 'a.yaml', before: 'same\nold\n', after: 'same\nnew\u001b[2J\n' };
  expect(renderFileDiff(file, style)).toMatch(
    /^--- old\/a\.yaml\n\+\+\+ new\/a\.yaml\n@@ -1,2 \+1,2 @@\n same\n-old\n\+new\S+\n$/,
  );
  const colours = createAnsiStyle(true);
  expect(renderFileDiff(file, colours).split('\n').slice(0, 5)).toEqual([
    ...[colours.bold('--- old/a.yaml'), colours.bold('+++ new/a.yaml')],
    ...[colours.cyan('@@ -1,2 +1,2 @@'), ' same', colours.red('-old')],
  ]);
});
