/**
 * Writes an example of the schema as YAML on one line: `{ create: 20m }`, `[a, b]`; a text that is the whole value
 * needs no quotes.
 */
export function writeFlowYaml(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(writeInner).join(', ')}]`;
  const entries = Object.entries(value).map(([key, one]) => `${key}: ${writeInner(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Writes a value within brackets, where texts with some characters need quotes. */
function writeInner(value: unknown): string {
  return typeof value === 'string' && /[,:#"'[\]]/.test(value)
    ? JSON.stringify(value)
    : writeFlowYaml(value);
}
