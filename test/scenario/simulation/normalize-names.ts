/** What a service does to the names that it is given. */
export type NameStyle = 'as-given' | 'trimmed' | 'lower-case' | 'nfc' | 'nfd';

export const nameStyles = ['as-given', 'trimmed', 'lower-case', 'nfc', 'nfd'] as const;

/** The body of a request with its name as such a service keeps it. */
export function normalizeNames(body: string, style: NameStyle): string {
  if (style === 'as-given' || !body.includes('"name"')) return body;
  const fields = JSON.parse(body) as { name?: unknown };
  if (typeof fields.name !== 'string') return body;
  return JSON.stringify({ ...fields, name: normalizeName(fields.name, style) });
}

/** A name as such a service keeps it. */
function normalizeName(name: string, style: NameStyle): string {
  switch (style) {
    case 'as-given':
      return name;
    case 'trimmed':
      return name.trim();
    case 'lower-case':
      return name.toLowerCase();
    case 'nfc':
      return name.normalize('NFC');
    case 'nfd':
      return name.normalize('NFD');
  }
}
