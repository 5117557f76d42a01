/**
 * Tells whether an id can be a part of the path of a request. Empty, `.` and `..` would turn the deletion of a VM into that of
 * its project, since nothing escapes them; half a character cannot be encoded.
 */
export function isUsablePathId(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && !/\p{Cs}/u.test(id);
}
