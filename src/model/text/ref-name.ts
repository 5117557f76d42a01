const maxLength = 200;

/** True for a valid name of a git branch or tag: the rules of check-ref-format, and no leading hyphen. */
export function isGitRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > maxLength) return false;
  if (/[\p{Cc}\p{Cf} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/u.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}
