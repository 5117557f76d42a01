/** What is said of one resource, and how the same is said of several. */
const plurals: readonly (readonly [one: RegExp, many: string])[] = [
  [/\bon its disk \((\d+) GB\)/, 'on their disks ($1 GB each)'],
  [/^Its backups are deleted/, 'Their backups are deleted'],
  [/^Its 1 backup is deleted/, 'Their backups (1 each) are deleted'],
  [/^Its (\d+) backups are deleted/, 'Their backups ($1 each) are deleted'],
  [/ with it\.$/, ' with them.'],
  [/\bindex (\[.*\]) is out of range\b/, 'indexes $1 are out of range'],
  [/\bkey (\[.*\]) is not in\b/, 'keys $1 are not in'],
  [/\bits creation failed\b/, 'their creation failed'],
  [/\bit is already being deleted\b/, 'they are already being deleted'],
];

/** A loss or a reason of one instance, in words for all instances that share it. */
export function sayOfMany(text: string): string {
  return plurals.reduce((said, [one, many]) => said.replace(one, many), text);
}
