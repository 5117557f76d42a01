import { mapEntriesOf, type LocatedNode } from '../source/located-node.ts';
import type { SourcePlace } from '../source/source-file.ts';

/** Fields of a declaration that can hold no secret. */
const harmless: ReadonlySet<string> = new Set([
  ...['type', 'description', 'sensitive', 'nullable', 'validation'],
]);

/**
 * Shows the declarations of variables in frames. `dbPassword: { type: string, sensitive: true }` resembles a secret and is
 * none; defaults, allowed values and unknown fields stay masked.
 */
export function revealDeclarations(variables: LocatedNode | undefined): void {
  for (const { key: name, value: body } of mapEntriesOf(variables).values()) {
    name.file.reveal(name);
    if (body.kind !== 'map') continue;
    revealMarks(body, name.end, body.start);
    let at = body.start;
    for (const [field, { key, value }] of body.entries) {
      revealMarks(body, at, key.start);
      // The value of an alias stands elsewhere.
      const isHere = value.file === key.file && value.start >= key.end;
      const end = isHere && harmless.has(field) ? value.end : isHere ? value.start : key.end;
      key.file.reveal({ start: key.start, end });
      at = isHere ? value.end : end;
    }
    revealMarks(body, at, body.end);
  }
}

/** Shows the text between two entries, if it is punctuation of YAML alone. */
function revealMarks({ file }: SourcePlace, start: number, end: number): void {
  if (/^[\s{},:]*$/.test(file.text.slice(start, end))) file.reveal({ start, end });
}
