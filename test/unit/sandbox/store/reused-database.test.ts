import { expect, test } from 'vitest';
import { sandboxTables } from '../../../../src/sandbox/store/rows.ts';
import { SandboxStore } from '../../../../src/sandbox/store/store.ts';

const project = (name: string) => ({ id: name, name, createdAt: 0 });

function fill(store: SandboxStore): void {
  for (const name of ['a', 'b']) store.insert(sandboxTables.projects, project(name));
  store.insert(sandboxTables.networks, {
    ...{ id: 'lan', projectId: 'a', name: 'lan', status: 'active', cidr: '10.0.0.0/28' },
    createdAt: 0,
  });
  store.delete(sandboxTables.projects, { id: 'b' });
  store.keepSetting('seed', '7');
  store.next('vm');
}

test('a database in memory is as new when the next sandbox has it', () => {
  const first = new SandboxStore(':memory:');
  fill(first);
  first.close();
  const next = new SandboxStore(':memory:');
  try {
    const left = Object.values(sandboxTables).filter((table) => next.count(table, '') > 0);
    expect(left.map(({ name }) => name)).toEqual([]);
    next.insert(sandboxTables.projects, project('c'));
    expect(next.select(sandboxTables.projects, '')).toMatchObject([{ seq: 1, id: 'c' }]);
    expect(next.tally('account', 'projects')).toBe(1);
    expect(next.next('vm')).toBe(1);
  } finally {
    next.close();
  }
});

test('two that are open at once have nothing of each other, and a closed one has nothing at all', () => {
  const [one, other] = [new SandboxStore(':memory:'), new SandboxStore(':memory:')];
  fill(one);
  expect(other.select(sandboxTables.projects, '')).toEqual([]);
  one.close();
  one.close();
  const next = new SandboxStore(':memory:');
  expect(() => one.select(sandboxTables.projects, '')).toThrow('closed');
  expect(next.select(sandboxTables.projects, '')).toEqual([]);
  for (const store of [other, next]) store.close();
});
