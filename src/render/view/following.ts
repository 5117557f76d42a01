import { formatValueAsJsonLine } from '../format/escape.ts';
import type { AttributeView } from './view.ts';

/** Fewer attributes that follow are shown as rows of their own. */
const least = 2;

/** Attributes that change only because another attribute forces a replacement, as one sentence in place of a row each. */
export interface ConsequentAttributes {
  /** Sentence, safe to print: `configuration forces replacement, so cpu (2 -> 4) and id (was "vm-1") change`. */
  readonly words: string;
  readonly attributes: ReadonlySet<AttributeView>;
}

/** Finds the attributes that change as a consequence of others; undefined where they are too few to fold. */
export function findConsequentAttributes(
  attributes: readonly AttributeView[],
): ConsequentAttributes | undefined {
  const following = attributes.filter(({ isFollowing }) => isFollowing);
  if (following.length < least) return undefined;
  const forcing = attributes.filter(({ forces }) => forces !== undefined);
  const names = listWords(following.map(wordOne));
  return {
    words:
      forcing.length === 0
        ? `the replacement changes ${names}`
        : `${listWords(forcing.map(({ name }) => name))} ${forcing.length === 1 ? 'forces' : 'force'} ${forcing[0]?.forces ?? ''}, so ${names} change`,
    attributes: new Set(following),
  };
}

/** `cpu (2 -> 4)`, `id (was "vm-1")`; the name alone for a value that is not a single one. */
function wordOne({ name, diff }: AttributeView): string {
  if (diff.kind === 'swap' && diff.after.kind === 'unknown' && diff.before.kind === 'scalar') {
    return `${name} (was ${formatValueAsJsonLine(diff.before.after)})`;
  }
  if (diff.kind !== 'scalar' || diff.mark !== 'update') return name;
  return `${name} (${formatValueAsJsonLine(diff.before)} -> ${formatValueAsJsonLine(diff.after)})`;
}

function listWords(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}
