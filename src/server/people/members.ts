// People and tokens of machines, with their roles. A person is an identity of a provider: issuer and subject. Of a token, the
// database has the hash alone.
import { randomUUID } from 'node:crypto';
import { InternalError } from '../../model/errors.ts';
import { hashSecret, makeSecret } from '../secrets/random-secret.ts';
import { formatPersonName } from './name-person.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import { isRoleGranted, roles, type RoleGrant, type Role } from './roles.ts';

/** The id and the name of whoever has the administrator token, or a link from the terminal. */
export const administratorMemberId = 'administrator';

/** A person or an API token that may use the server, or a group of the OpenID provider whose people share its roles. */
export interface ServerMember {
  readonly id: string;
  readonly kind: 'person' | 'token' | 'group';
  readonly name: string;
  /** Address of the OpenID provider of a person; undefined for a token. */
  readonly issuer: string | undefined;
  readonly subject: string | undefined;
  readonly email: string | undefined;
  /** Time when a token expires; undefined for a person. */
  readonly expiresAt: Date | undefined;
  readonly createdAt: Date;
  /** The member's own roles, without those of groups. */
  readonly grants: readonly RoleGrant[];
  /** Groups with roles that a person was in at the last sign-in; empty once that is too long ago. */
  readonly groups: readonly string[];
  /** Who a person is at the git hosts: the connection and the id there, as `github/583231`. */
  readonly hostIds: readonly string[];
}

/** The part of a member that every request needs. A group is never the sender of a request. */
export interface MemberSummary {
  readonly id: string;
  readonly kind: Exclude<ServerMember['kind'], 'group'>;
  readonly name: string;
  /** Roles that the member has in all workspaces. */
  readonly roles: readonly Role[];
}

/** Identity of a person at an OpenID provider. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email?: string;
}

/** Roles of a member in one workspace, or in the workspace of one run. */
export interface ScopedMemberRoles {
  /** Roles that the member has there. */
  readonly roles: readonly Role[];
  /** Operation of the run; empty for a workspace. */
  readonly operation: string;
}

const groupNames = `array(SELECT name FROM ${serverDatabaseSchemaName}.group_members WHERE member = m.id ORDER BY name) AS of_groups`;
const selectMembers = `SELECT m.*, coalesce((SELECT json_agg(json_build_object('role', g.role, 'workspace', w.name) ORDER BY w.name NULLS FIRST, g.role)
    FROM ${serverDatabaseSchemaName}.grants g LEFT JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = g.workspace WHERE g.member = m.id), '[]') AS grants
    , ${groupNames}
  FROM ${serverDatabaseSchemaName}.members m`;
const globalRoles = `array(SELECT role FROM ${serverDatabaseSchemaName}.rights WHERE member = m.id AND workspace IS NULL) AS roles`;
const rolesAt = (workspace: string) =>
  `array(SELECT role FROM ${serverDatabaseSchemaName}.rights WHERE member = $1 AND (workspace IS NULL OR workspace = ${workspace})) AS roles`;

/** People and API tokens in the server's database. */
export class MemberStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Lists all members, sorted by name. */
  async list(): Promise<readonly ServerMember[]> {
    return (
      await this.#database.ask<MemberRow>(`${selectMembers} ORDER BY kind, lower(name), id`)
    ).map(readMember);
  }

  /** Finds a member by id; undefined where there is none. */
  async find(id: string): Promise<ServerMember | undefined> {
    return (await this.#database.ask<MemberRow>(`${selectMembers} WHERE m.id = $1`, [id])).map(
      readMember,
    )[0];
  }

  /** Adds a person without roles. Undefined where the identity is known already. */
  async addPerson({
    issuer,
    subject,
    name,
    email,
  }: ProviderIdentity): Promise<ServerMember | undefined> {
    const [row] = await this.#database.ask<{ id: string }>(
      `INSERT INTO ${serverDatabaseSchemaName}.members (id, kind, name, issuer, subject, email) VALUES ($1, 'person', $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING id`,
      [randomUUID(), name, issuer, subject, email ?? null],
    );
    return row && this.find(row.id);
  }

  /**
   * Finds or adds the person who has signed in at the provider, and updates the name, the e-mail and the groups. A new person has
   * only the roles of the groups.
   */
  async meet(
    { issuer, subject, name, email }: ProviderIdentity,
    groups: readonly string[],
  ): Promise<MemberSummary & Pick<ServerMember, 'groups'>> {
    const [row] = await this.#database.ask<{ id: string }>(
      `INSERT INTO ${serverDatabaseSchemaName}.members (id, kind, name, issuer, subject, email, groups, groups_at)
       VALUES ($1, 'person', $2, $3, $4, $5, $6, clock_timestamp()) ON CONFLICT (issuer, subject)
       DO UPDATE SET name = $2, email = $5, groups = $6, groups_at = clock_timestamp() RETURNING id`,
      [randomUUID(), name, issuer, subject, email ?? null, groups],
    );
    if (!row) throw new InternalError('A person was neither added nor found.');
    // Asked for afterwards: the statement itself sees the groups of before.
    const [met] = await this.#database.ask<MarkRow & Pick<MemberRow, 'of_groups'>>(
      `SELECT m.id, m.kind, m.name, ${globalRoles}, ${groupNames} FROM ${serverDatabaseSchemaName}.members m WHERE m.id = $1`,
      [row.id],
    );
    if (!met) throw new InternalError('A person was neither added nor found.');
    return { ...readMark(met), groups: met.of_groups };
  }

  /** Adds a group of the provider, without roles. Undefined where its name is known already. */
  async addGroup(name: string): Promise<ServerMember | undefined> {
    const [row] = await this.#database.ask<{ id: string }>(
      `INSERT INTO ${serverDatabaseSchemaName}.members (id, kind, name) VALUES ($1, 'group', $2) ON CONFLICT DO NOTHING RETURNING id`,
      [randomUUID(), name],
    );
    return row && this.find(row.id);
  }

  /** Creates an API token. @returns the token, which cannot be read again; undefined where the name is taken */
  async addToken(
    name: string,
    expiresInDays: number,
  ): Promise<{ readonly member: ServerMember; readonly token: string } | undefined> {
    const token = makeSecret('hwt_');
    const [row] = await this.#database.ask<{ id: string }>(
      `INSERT INTO ${serverDatabaseSchemaName}.members (id, kind, name, token_hash, expires_at)
       VALUES ($1, 'token', $2, $3, clock_timestamp() + $4 * interval '1 day') ON CONFLICT DO NOTHING RETURNING id`,
      [randomUUID(), name, hashSecret(token), expiresInDays],
    );
    const member = row && (await this.find(row.id));
    return member && { member, token };
  }

  /** Finds the member that a token belongs to; undefined for a token that is unknown, revoked or expired. */
  async findByToken(token: string): Promise<MemberSummary | undefined> {
    // Found by the hash of what was sent: how long that takes says nothing of the tokens that are known.
    const rows = await this.#database.ask<MarkRow>(
      `SELECT m.id, m.kind, m.name, ${globalRoles} FROM ${serverDatabaseSchemaName}.members m
       WHERE token_hash = $1 AND expires_at > clock_timestamp()`,
      [hashSecret(token)],
    );
    return rows.map(readMark)[0];
  }

  /** Gives a person these identities at git hosts and no others. @returns one that somebody else has; then nothing is changed */
  async setHostIds(id: string, hostIds: readonly string[]): Promise<string | undefined> {
    const [taken] = await this.#database.ask<{ host_id: string }>(
      `SELECT unnest(host_ids) AS host_id FROM ${serverDatabaseSchemaName}.members WHERE id <> $1 AND host_ids && $2
       INTERSECT SELECT unnest($2::text[])`,
      [id, hostIds],
    );
    if (taken) return taken.host_id;
    await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.members SET host_ids = $2 WHERE id = $1`,
      [id, hostIds],
    );
    return undefined;
  }

  /** Finds the person with an identity at a git host, as `github/583231`. */
  async findByHostId(hostId: string): Promise<MemberSummary | undefined> {
    const rows = await this.#database.ask<MarkRow>(
      `SELECT m.id, m.kind, m.name, ${globalRoles} FROM ${serverDatabaseSchemaName}.members m WHERE host_ids @> ARRAY[$1::text]`,
      [hostId],
    );
    return rows.map(readMark)[0];
  }

  /** Removes a person, whose sessions end, or revokes a token. */
  async remove(id: string): Promise<void> {
    await this.#database.ask(`DELETE FROM ${serverDatabaseSchemaName}.members WHERE id = $1`, [id]);
  }

  /** Gives a member these roles and no others. @returns the names that no workspace has; then nothing is changed */
  async grant(id: string, grants: readonly RoleGrant[]): Promise<readonly string[]> {
    return this.#database.transact(async (client) => {
      const names = [...new Set(grants.flatMap(({ workspace }) => workspace ?? []))];
      const { rows } = await client.query<{ id: string; name: string }>(
        `SELECT id, name FROM ${serverDatabaseSchemaName}.workspaces WHERE name = ANY($1)`,
        [names],
      );
      const ids = new Map(rows.map((row) => [row.name, row.id]));
      const unknown = names.filter((name) => !ids.has(name));
      if (unknown.length > 0) return unknown;
      await client.query(`DELETE FROM ${serverDatabaseSchemaName}.grants WHERE member = $1`, [id]);
      await client.query(
        `INSERT INTO ${serverDatabaseSchemaName}.grants (member, role, workspace)
         SELECT DISTINCT $1::uuid, role, workspace FROM unnest($2::text[], $3::uuid[]) AS given (role, workspace)`,
        [
          id,
          grants.map(({ role }) => role),
          grants.map(({ workspace }) => (workspace === undefined ? null : ids.get(workspace))),
        ],
      );
      return [];
    });
  }

  /** Roles of a member in a workspace; undefined where there is no such workspace. */
  async findWorkspace(memberId: string, name: string): Promise<ScopedMemberRoles | undefined> {
    const rows = await this.#database.ask<PlaceRow>(
      `SELECT '' AS operation, ${rolesAt('w.id')} FROM ${serverDatabaseSchemaName}.workspaces w WHERE w.name = $2`,
      [memberId, name],
    );
    return rows.map(readPlace)[0];
  }

  /** Roles of a member for a run; undefined where there is no such run. */
  async findRun(memberId: string, runId: string): Promise<ScopedMemberRoles | undefined> {
    const rows = await this.#database.ask<PlaceRow>(
      `SELECT operation, ${rolesAt('run.workspace')} FROM ${serverDatabaseSchemaName}.runs run WHERE run.id = $2`,
      [memberId, runId],
    );
    return rows.map(readPlace)[0];
  }
}

/**
 * SQL condition that a member may view a workspace; `parameter` is the member's id, null for whoever may view all. Lists are
 * filtered by it in the database, as there may be many workspaces.
 */
export function buildViewableCondition(parameter: string, workspace: string): string {
  return `(${parameter}::uuid IS NULL OR ${workspace} IN (SELECT workspace FROM ${serverDatabaseSchemaName}.rights WHERE member = ${parameter}::uuid))`;
}

const approving = roles
  .filter((role) => isRoleGranted([role], 'approve'))
  .map((role) => `'${role}'`)
  .join(', ');

/** SQL condition that a member has the role to approve plans of a workspace now. Both arguments are SQL expressions. */
export function buildApproverCondition(member: string, workspace: string): string {
  return `(${member} = '${administratorMemberId}' OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.rights g WHERE g.member = nullif(${member}, '${administratorMemberId}')::uuid
    AND (g.workspace IS NULL OR g.workspace = ${workspace}) AND g.role IN (${approving})))`;
}

/** Reads the roles in a database row that this version knows: a newer version may have stored others. */
export function readKnownRoles(value: unknown): readonly Role[] {
  const given = Array.isArray(value) ? value : [];
  return roles.filter((role) => given.includes(role));
}

/** Row with the roles of a member in a workspace or run. */
interface PlaceRow extends DatabaseRow {
  readonly roles: unknown;
  readonly operation: string;
}

/** Row with the part of a member that each request reads. */
interface MarkRow extends DatabaseRow {
  readonly id: string;
  readonly kind: MemberSummary['kind'];
  readonly name: string;
  readonly roles: unknown;
}

interface MemberRow extends DatabaseRow {
  readonly id: string;
  readonly kind: ServerMember['kind'];
  readonly name: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly email: string | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
  readonly grants: readonly { role: Role; workspace: string | null }[];
  readonly host_ids: readonly string[];
  readonly of_groups: readonly string[];
}

function readPlace(row: PlaceRow): ScopedMemberRoles {
  return { roles: readKnownRoles(row.roles), operation: row.operation };
}

function readName({ kind, name }: Pick<ServerMember, 'kind' | 'name'>): string {
  return kind === 'person' ? formatPersonName(name) : name;
}

function readMark(row: MarkRow): MemberSummary {
  return {
    id: row.id,
    kind: row.kind,
    name: readName(row),
    roles: readKnownRoles(row.roles),
  };
}

function readMember(row: MemberRow): ServerMember {
  return {
    id: row.id,
    kind: row.kind,
    name: readName(row),
    issuer: row.issuer ?? undefined,
    subject: row.subject ?? undefined,
    email: row.email ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    createdAt: row.created_at,
    hostIds: row.host_ids,
    groups: row.of_groups,
    grants: row.grants.map(({ role, workspace }) => ({
      role,
      ...(workspace !== null && { workspace }),
    })),
  };
}
