// Which workspace has which live project of an account. A project is known by its name, which is unique in its account.
import type { OtherWorkspaceProject } from '../../model/account/owned-project.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';

/** Most projects in a list of owned ones: so many fit a variable of the environment, however long their names are. */
const mostListed = 500;

/** Keeps in the database which workspace owns which project of an account. */
export class ProjectOwnerStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /**
   * Makes a workspace the owner of exactly these projects of its account, so that no other workspace changes them: all of them,
   * or none where another workspace owns one.
   * @returns the projects that others own
   */
  async claim(
    workspaceId: string,
    projects: readonly string[],
  ): Promise<readonly OtherWorkspaceProject[]> {
    return this.#database.transact(async () => {
      // Claims of one account are made one after the other, so that no project gets two owners.
      await this.#database.ask(
        `SELECT 1 FROM ${serverDatabaseSchemaName}.accounts account JOIN ${serverDatabaseSchemaName}.workspaces w ON w.account = account.id
         WHERE w.id = $1 FOR NO KEY UPDATE OF account`,
        [workspaceId],
      );
      const taken = await this.findTaken(workspaceId, projects);
      if (taken.length > 0) return taken;
      await this.#database.ask(
        `INSERT INTO ${serverDatabaseSchemaName}.account_projects (account, project, workspace)
         SELECT w.account, project, w.id FROM ${serverDatabaseSchemaName}.workspaces w, unnest($2::text[]) AS project
         WHERE w.id = $1 AND w.account IS NOT NULL ON CONFLICT DO NOTHING`,
        [workspaceId, projects],
      );
      await this.keepOnly(workspaceId, projects);
      return [];
    });
  }

  /** Ends a workspace's ownership of all projects but these, which are the ones that its state still has. */
  async keepOnly(workspaceId: string, projects: readonly string[]): Promise<void> {
    await this.#database.ask(
      `DELETE FROM ${serverDatabaseSchemaName}.account_projects owned USING ${serverDatabaseSchemaName}.workspaces w
       WHERE owned.workspace = $1 AND w.id = $1
         AND (owned.account IS DISTINCT FROM w.account OR owned.project <> ALL ($2::text[]))`,
      [workspaceId, projects],
    );
  }

  /** Lists the projects that other workspaces own, in the account that a workspace used before or uses now. */
  async listOthers(
    workspaceId: string,
    { service, mark }: { readonly service: string; readonly mark: string },
  ): Promise<readonly OtherWorkspaceProject[]> {
    return this.#database.ask<{ project: string; workspace: string }>(
      `SELECT owned.project, other.name AS workspace FROM ${serverDatabaseSchemaName}.account_projects owned
       JOIN ${serverDatabaseSchemaName}.workspaces other ON other.id = owned.workspace
       WHERE owned.workspace <> $1 AND owned.account IN (
         SELECT own.account FROM ${serverDatabaseSchemaName}.workspaces own WHERE own.id = $1
         UNION SELECT id FROM ${serverDatabaseSchemaName}.accounts WHERE service = $2 AND mark = $3)
       ORDER BY owned.project LIMIT ${mostListed}`,
      [workspaceId, service, mark],
    );
  }

  /** Finds which of these projects other workspaces of the account have. */
  async findTaken(
    workspaceId: string,
    projects: readonly string[],
  ): Promise<readonly OtherWorkspaceProject[]> {
    return this.#database.ask<{ project: string; workspace: string }>(
      `SELECT owned.project, other.name AS workspace FROM ${serverDatabaseSchemaName}.account_projects owned
       JOIN ${serverDatabaseSchemaName}.workspaces w ON w.account = owned.account AND w.id = $1
       JOIN ${serverDatabaseSchemaName}.workspaces other ON other.id = owned.workspace
       WHERE owned.workspace <> $1 AND owned.project = ANY ($2::text[]) ORDER BY owned.project`,
      [workspaceId, projects],
    );
  }
}
