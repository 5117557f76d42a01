import { randomBytes } from 'node:crypto';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/**
 * Name of the setting with the server's public address. The process that serves the pages stores it there, for links that other
 * processes write.
 */
export const publicUrlSetting = 'public-url';

const roomSetting = 'room';
/** Size of a random value that shows whether the disk has room, in bytes: no compression fits it into an existing page. */
const roomBytes = 64 * 1024;

/** Single values of the whole server. */
export class ServerSettingStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Reads a setting; undefined where it was never set. */
  async read(name: string): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ value: string }>(
      `SELECT value FROM ${serverDatabaseSchemaName}.settings WHERE name = $1`,
      [name],
    );
    return row?.value;
  }

  /** Sets a setting, whether it was set before or not. */
  async write(name: string, value: string): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`,
      [name, value],
    );
  }

  /** Checks that the database has free disk space, by a write that needs new pages. Rejects where it has none. */
  async tryRoom(): Promise<void> {
    await this.write(roomSetting, randomBytes(roomBytes).toString('base64'));
    await this.remove(roomSetting);
  }

  /** Changes a setting that has another value. @returns whether this call changed it */
  async replace(name: string, value: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.settings SET value = $2 WHERE name = $1 AND value <> $2 RETURNING name`,
      [name, value],
    );
    return rows.length > 0;
  }

  /** Removes a setting. @returns whether it was set. */
  async remove(name: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.settings WHERE name = $1 RETURNING name`,
      [name],
    );
    return rows.length > 0;
  }

  /** Sets a setting that is not set. @returns whether this call set it */
  async begin(name: string, value: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name`,
      [name, value],
    );
    return rows.length > 0;
  }
}

/** Summary status, and the beginning of the others, unless `--status-name` gives another name. */
const defaultStatusName = 'hostwright';
/** Name of the setting that holds the name of the summary status. */
export const summaryStatusNameSetting = 'status-name';

/** Reads the name of the commit status that sums up a pull request's workspaces. */
export async function readSummaryStatusName(
  settings: Pick<ServerSettingStore, 'read'>,
): Promise<string> {
  return (await settings.read(summaryStatusNameSetting)) ?? defaultStatusName;
}
