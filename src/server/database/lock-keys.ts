/**
 * The advisory locks of PostgreSQL that all processes of the server share. Any numbers will do: each its own, and the same in
 * every version.
 */
export const lockKeys = {
  /** One process makes tables at a time, whoever else begins meanwhile. */
  migrations: 7_263_015_402,
  /** Whoever adds an entry to the audit log waits for whoever adds one: the order is total. */
  audit: 7_263_015_403,
  /** One sweep at a time counts how much room there is. */
  drift: 7_263_015_404,
  /** One process deletes at a time. */
  retention: 7_263_015_405,
  /** Two edits of dependencies at once could close a cycle between them. */
  dependencies: 7_263_015_406,
  /** One process makes the tables of the engine at a time. */
  engine: 7_263_015_407,
} as const;
