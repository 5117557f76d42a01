import { quoteValue } from '../format/escape.ts';
import type { AttributeView } from './view.ts';

/** Fewer rows are read as they are. */
const least = 2;

/** What changes because something else does, in one sentence in place of a row each. */
export interface Following {
  /** `configuration forces replacement, so cpu (2 -> 4) and id (was "vm-1") change`; safe to print. */
  readonly words: string;
  readonly attributes: ReadonlySet<AttributeView>;
}

/** What follows from what is changed of a resource; undefined where that is nothing to speak of. */
export function findFollowing(attributes: readonly AttributeView[]): Following | undefined {
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

/** `cpu (2 -> 4)`, `id (was "vm-1")`; the name alone of what is reported in more than one word. */
function wordOne({ name, diff }: AttributeView): string {
  if (diff.kind === 'swap' && diff.after.kind === 'unknown' && diff.before.kind === 'scalar') {
    return `${name} (was ${quoteValue(diff.before.after)})`;
  }
  if (diff.kind !== 'scalar' || diff.mark !== 'update') return name;
  return `${name} (${quoteValue(diff.before)} -> ${quoteValue(diff.after)})`;
}

function listWords(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}
