// Names that no path of a configuration's files may contain: directories of git, of Hostwright, and of SSH logins.

/** Invisible characters, which some file systems leave out of a name. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** The directory of a fetched module, which is read; nothing beside it is. */
const fetched = /^\.hostwright\/modules\/[0-9a-f]{16}(?=\/|$)/;

/**
 * Finds in a path the name of a file or directory that a configuration must neither read nor write, such as `.git` or `.ssh`, in
 * any case of its letters; undefined where there is none. `way` leads from the directory of the configuration, with slashes;
 * outside of it, a public key is no secret.
 */
export function findReservedPathName(way: string): string | undefined {
  const names = way.replace(fetched, '').replace(ignorable, '').toLowerCase().split('/');
  const reserved = names.find((name) => name === '.git' || name === '.hostwright');
  if (reserved !== undefined) return reserved;
  const isPublicOutside = names[0] === '..' && way.endsWith('.pub');
  return isPublicOutside ? undefined : names.find((name) => name === '.ssh');
}
