/**
 * Keys of the PostgreSQL advisory locks that all processes of the server share. The numbers are arbitrary, but must be distinct
 * and never change from version to version.
 */
export const advisoryLockKeys = {
  /** Lock under which one process at a time makes tables. */
  migrations: 7_263_015_402,
  /** Lock under which entries are added to the audit log one after the other: their order is total. */
  audit: 7_263_015_403,
  /** Lock under which one process at a time looks for drift, so that the free capacity is counted once. */
  drift: 7_263_015_404,
  /** Lock under which one process at a time deletes old data. */
  retention: 7_263_015_405,
  /** Lock under which dependencies between workspaces are edited, as two edits at once could close a cycle. */
  dependencies: 7_263_015_406,
  /** Lock under which one process at a time creates the tables of the run engine. */
  engine: 7_263_015_407,
} as const;
