import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import { loadSqlite, openDatabase } from '../../../../src/sandbox/store/sqlite.ts';

/** As in the first versions of `node:sqlite`, without `isTransaction`. */
const early = class {
  close = () => undefined;
} as unknown as typeof DatabaseSync;
const nothing = (): unknown => {
  throw new Error('Cannot find module');
};

test.each([
  ['Node has it', () => DatabaseSync, nothing, DatabaseSync],
  ['Node has it without transactions', () => early, () => ({ DatabaseSync }), DatabaseSync],
  [
    'Node has none',
    () => undefined,
    (name: string) => ({ DatabaseSync: name }),
    '@photostructure/sqlite',
  ],
])('%s', (_, own, load, found) => {
  expect(loadSqlite(own, load)).toBe(found);
});

test('a machine with neither is told what to install', () => {
  const failing = () => loadSqlite(() => undefined, nothing);
  expect(failing).toThrow(DiagnosticError);
  expect(failing).toThrow('The package @photostructure/sqlite is not installed');
});

test('it opens, and no warning of Node comes of it', () => {
  const warned: unknown[] = [];
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (...said: unknown[]) => void warned.push(said);
  try {
    loadSqlite();
    const database = openDatabase(':memory:');
    expect([database.isOpen, database.isTransaction, warned]).toEqual([true, false, []]);
    database.close();
  } finally {
    process.emitWarning = emitWarning;
  }
});

test('no statement numbers its parameters: node:sqlite of Node.js 22.16 binds none of these by position', () => {
  const root = resolve(import.meta.dirname, '../../../../src/sandbox');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith('.ts'));
  expect(sources).toContain('rules/attachments.ts');
  const numbered = sources.flatMap((name) => {
    const statements = readFileSync(join(root, name), 'utf8').matchAll(/^.*\?\d.*$/gm);
    return [...statements].map(([line]) => `${name}: ${line}`);
  });
  expect(numbered).toEqual([]);
});
