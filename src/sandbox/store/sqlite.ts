// SQLite: Node's own where that has all that is used here, else the package with the same interface (Node.js 20).

import { createRequire } from 'node:module';
import type { DatabaseSyncInstance, DatabaseSync } from '@photostructure/sqlite';

import { DiagnosticError } from '../../model/errors.ts';

/** Constructor of databases: that of `node:sqlite`, or the package's. */
type Sqlite = typeof DatabaseSync;

const packaged = '@photostructure/sqlite';

let loaded: Sqlite | undefined;

/**
 * Opens a SQLite database: a file, or `:memory:`. @throws DiagnosticError where this machine has no SQLite, and
 * SQLite's own errors
 */
export function openDatabase(file: string): DatabaseSyncInstance {
  loaded ??= loadSqlite();
  return new loaded(file);
}

/**
 * Loads the SQLite of this Node.js, or otherwise that of a package.
 * @param own that of Node.js, if it has one
 * @param load loads a package by its name
 * @throws DiagnosticError where there is neither
 */
export function loadSqlite(
  own: () => Sqlite | undefined = loadOwn,
  load: (name: string) => unknown = createRequire(import.meta.url),
): Sqlite {
  const found = own();
  if (found && saysTransactions(found)) return found;
  try {
    return (load(packaged) as { DatabaseSync: Sqlite }).DatabaseSync;
  } catch (cause) {
    const detail = `Node.js ${process.versions.node} has no SQLite of its own: ${String(cause)}`;
    const hint = `Install it beside Hostwright, with --global if Hostwright has it: npm install ${packaged}@1 (or use Node.js 22.16 or later)`;
    const summary = `The package ${packaged} is not installed`;
    const code = 'package-missing';
    throw new DiagnosticError([{ severity: 'error', code, summary, detail, hint }], { cause });
  }
}

/** False for the first versions of `node:sqlite`. Some have the property on each database alone. */
function saysTransactions(sqlite: Sqlite): boolean {
  const database = new sqlite(':memory:');
  const says = 'isTransaction' in database;
  database.close();
  return says;
}

/** `node:sqlite`, without its warning that it is experimental: that is for programmers. */
function loadOwn(): Sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return (process.getBuiltinModule('node:sqlite') as { DatabaseSync: Sqlite } | undefined)
      ?.DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}
