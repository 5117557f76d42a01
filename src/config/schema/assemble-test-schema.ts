// The schema of files with tests: a shape of its own, with what it takes of the configuration's.
import { assembleSchema } from './assemble-schema.ts';
import base from './test.json' with { type: 'json' };

type Piece = Readonly<Record<string, unknown>>;

/** Definitions of the JSON Schema that only test files use. */
export const testSchemaDefinitions = base.$defs as Readonly<Record<string, object>>;

/** The schema with the projects of an account as `projects` describes them. */
function withProjects(projects: Piece): Piece {
  const { testAccount, ...others } = base.$defs;
  const properties = {
    ...testAccount.properties,
    projects: { ...projects, ...testAccount.properties.projects },
  };
  return { ...base, $defs: { ...others, testAccount: { ...testAccount, properties } } };
}

/**
 * Builds the test schema for the validator, in which the schema of projects is a reference to the configuration's
 * schema (`file`).
 */
export function buildTestValidatorSchema(): Piece {
  return withProjects({ $ref: 'file#/properties/projects' });
}

/** Assembles the whole JSON Schema of test files, as it is published: in one file, so that an editor needs no other. */
export function assembleTestSchema(): Piece {
  const { properties, $defs } = assembleSchema();
  const { projects } = properties as Readonly<Record<string, Piece>>;
  const { $defs: own, ...schema } = withProjects(projects ?? {});
  return { ...schema, $defs: { ...(own as Piece), ...keepUsed(projects, $defs) } };
}

/** The definitions that a piece refers to, and those that these refer to, and so on. */
function keepUsed(piece: unknown, all: Readonly<Record<string, object>>): Piece {
  const used = new Set<string>();
  const visit = (one: unknown): void => {
    const text = JSON.stringify(one);
    for (const [, name = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit(piece);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}
