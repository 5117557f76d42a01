import { quoteValue } from '../format/escape.ts';
import type { AttributeView } from './view.ts';

/** A remark on the value of an attribute, already escaped for a terminal. */
export interface AttributeNote {
  /** `stand-in`: the service does not tell the value; `outside`: somebody changed it; `waiting`: another one comes later. */
  readonly kind: 'stand-in' | 'forces' | 'outside' | 'waiting';
  readonly words: string;
}

/** The remarks on an attribute, in the order in which they are read. Of a change, only the old value stands in. */
export function listAttributeNotes(attribute: AttributeView): readonly AttributeNote[] {
  const { diff, forces, outside, waiting, toldBy } = attribute;
  const standIn = toldBy === 'state' ? 'as recorded' : 'not told';
  return [
    ...note('stand-in', toldBy && (diff.mark === 'none' ? standIn : `old value ${standIn}`)),
    ...note('forces', forces && `forces ${forces}`),
    ...note('outside', outside !== undefined && `changed outside: was ${quoteValue(outside)}`),
    ...note(
      'waiting',
      waiting !== undefined && `applies at the next rebuild: ${quoteValue(waiting)}`,
    ),
  ];
}

function note(kind: AttributeNote['kind'], words: string | false | undefined): AttributeNote[] {
  return typeof words === 'string' ? [{ kind, words }] : [];
}
