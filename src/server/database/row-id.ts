const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a text that can be the id of a row: PostgreSQL refuses to compare any other with one. */
export function isRowId(text: string): boolean {
  return uuid.test(text);
}
