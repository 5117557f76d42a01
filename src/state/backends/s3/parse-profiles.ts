/** Settings of one profile of the AWS tools, by key. */
export type Profile = ReadonlyMap<string, string>;

/** The profiles in one of the AWS tools' files, `config` or `credentials`, by name. Other lines are ignored. */
export function parseProfiles(text: string): ReadonlyMap<string, Profile> {
  const profiles = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\s*\[([^\]]+)\]/.exec(line) ?? [];
    if (title !== undefined) {
      const name = title
        .trim()
        .replace(/^profile\s+/, '')
        .replaceAll(/^["']|["']$/g, '');
      current = profiles.get(name) ?? new Map<string, string>();
      profiles.set(name, current);
      continue;
    }
    // An indented line belongs to a block below a key.
    const [, key = '', value = ''] = /^([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== '' && value !== '') current?.set(key.toLowerCase(), value);
  }
  return profiles;
}
