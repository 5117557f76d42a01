/** A JSON object of which nothing more is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether a value is a JSON object: no list, and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the text of a JSON object that somebody else may have written; undefined where the text is anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
