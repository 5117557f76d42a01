const maxLength = 200;

/** Tells whether a name is valid for a git branch or tag: by the rules of check-ref-format, and without a leading hyphen. */
export function isGitRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > maxLength) return false;
  if (/[\p{Cc}\p{Cf} ~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/u.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}
