import { formatValueAsJsonLine } from '../format/escape.ts';
import type { AttributeView } from './view.ts';

/** A remark on the value of an attribute, already escaped for a terminal. */
export interface AttributeNote {
  /**
   * Sort of the remark. `stand-in`: the service does not report the value; `forces`: the attribute forces a replacement
   * or a rebuild; `outside`: somebody changed the value outside of Hostwright; `waiting`: another value takes effect
   * with the next rebuild.
   */
  readonly kind: 'stand-in' | 'forces' | 'outside' | 'waiting';
  readonly words: string;
}

/** Lists the remarks on an attribute in their reading order. In a change, only the old value can be a stand-in. */
export function listAttributeNotes(attribute: AttributeView): readonly AttributeNote[] {
  const { diff, forces, outside, waiting, toldBy } = attribute;
  const standIn = toldBy === 'state' ? 'as recorded' : 'not told';
  return [
    ...note('stand-in', toldBy && (diff.mark === 'none' ? standIn : `old value ${standIn}`)),
    ...note('forces', forces && `forces ${forces}`),
    ...note(
      'outside',
      outside !== undefined && `changed outside: was ${formatValueAsJsonLine(outside)}`,
    ),
    ...note(
      'waiting',
      waiting !== undefined && `applies at the next rebuild: ${formatValueAsJsonLine(waiting)}`,
    ),
  ];
}

function note(kind: AttributeNote['kind'], words: string | false | undefined): AttributeNote[] {
  return typeof words === 'string' ? [{ kind, words }] : [];
}
