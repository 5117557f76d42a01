import { serverSchemaName } from '../database.ts';

/**
 * Claims of an OpenID provider beside the identity: the token that ends their session there, and their groups. A group is a
 * member with roles. What it may, whoever is in it may, for as long as a session can last.
 */
export const providerMigration = `
  ALTER TABLE ${serverSchemaName}.sessions ADD id_token uuid REFERENCES ${serverSchemaName}.blobs (id);
  CREATE INDEX sessions_id_token ON ${serverSchemaName}.sessions (id_token) WHERE id_token IS NOT NULL;
  CREATE TRIGGER sessions_forget_id_token AFTER DELETE ON ${serverSchemaName}.sessions
    FOR EACH ROW WHEN (OLD.id_token IS NOT NULL) EXECUTE FUNCTION ${serverSchemaName}.forget_text('id_token');

  ALTER TABLE ${serverSchemaName}.members
    ADD groups text[] NOT NULL DEFAULT '{}',
    ADD groups_at timestamptz,
    DROP CONSTRAINT members_kind_check,
    DROP CONSTRAINT members_check,
    ADD CONSTRAINT members_kind_check CHECK (kind IN ('person', 'token', 'group')),
    ADD CONSTRAINT members_check CHECK (CASE kind WHEN 'person' THEN issuer IS NOT NULL AND subject IS NOT NULL
      WHEN 'token' THEN token_hash IS NOT NULL AND expires_at IS NOT NULL
      ELSE subject IS NULL AND token_hash IS NULL END);
  CREATE UNIQUE INDEX members_group_name ON ${serverSchemaName}.members (name) WHERE kind = 'group';
  CREATE VIEW ${serverSchemaName}.group_members AS
    SELECT person.id AS member, g.id AS "group", g.name FROM ${serverSchemaName}.members person
      JOIN ${serverSchemaName}.members g ON g.kind = 'group' AND g.name = ANY (person.groups)
      WHERE person.groups_at > clock_timestamp() - interval '7 days';
  CREATE VIEW ${serverSchemaName}.rights AS
    SELECT member, role, workspace FROM ${serverSchemaName}.grants
    UNION ALL SELECT one.member, g.role, g.workspace FROM ${serverSchemaName}.group_members one
      JOIN ${serverSchemaName}.grants g ON g.member = one."group";
  `;
