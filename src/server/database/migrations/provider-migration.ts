import { serverDatabaseSchemaName } from '../database.ts';

/**
 * Migration for claims of an OpenID provider: the token that ends a session at the provider, and the groups of a person. A group
 * is a member with roles, which each person in it has, for as long as a session can last.
 */
export const oidcProviderMigration = `
  ALTER TABLE ${serverDatabaseSchemaName}.sessions ADD id_token uuid REFERENCES ${serverDatabaseSchemaName}.blobs (id);
  CREATE INDEX sessions_id_token ON ${serverDatabaseSchemaName}.sessions (id_token) WHERE id_token IS NOT NULL;
  CREATE TRIGGER sessions_forget_id_token AFTER DELETE ON ${serverDatabaseSchemaName}.sessions
    FOR EACH ROW WHEN (OLD.id_token IS NOT NULL) EXECUTE FUNCTION ${serverDatabaseSchemaName}.forget_text('id_token');

  ALTER TABLE ${serverDatabaseSchemaName}.members
    ADD groups text[] NOT NULL DEFAULT '{}',
    ADD groups_at timestamptz,
    DROP CONSTRAINT members_kind_check,
    DROP CONSTRAINT members_check,
    ADD CONSTRAINT members_kind_check CHECK (kind IN ('person', 'token', 'group')),
    ADD CONSTRAINT members_check CHECK (CASE kind WHEN 'person' THEN issuer IS NOT NULL AND subject IS NOT NULL
      WHEN 'token' THEN token_hash IS NOT NULL AND expires_at IS NOT NULL
      ELSE subject IS NULL AND token_hash IS NULL END);
  CREATE UNIQUE INDEX members_group_name ON ${serverDatabaseSchemaName}.members (name) WHERE kind = 'group';
  CREATE VIEW ${serverDatabaseSchemaName}.group_members AS
    SELECT person.id AS member, g.id AS "group", g.name FROM ${serverDatabaseSchemaName}.members person
      JOIN ${serverDatabaseSchemaName}.members g ON g.kind = 'group' AND g.name = ANY (person.groups)
      WHERE person.groups_at > clock_timestamp() - interval '7 days';
  CREATE VIEW ${serverDatabaseSchemaName}.rights AS
    SELECT member, role, workspace FROM ${serverDatabaseSchemaName}.grants
    UNION ALL SELECT one.member, g.role, g.workspace FROM ${serverDatabaseSchemaName}.group_members one
      JOIN ${serverDatabaseSchemaName}.grants g ON g.member = one."group";
  `;
