import type { DeferredType } from '../../kinds/kind.ts';
import { findPublicKeyFault } from '../../kinds/ssh-key/public-key.ts';
import { trimName } from '../../model/text/fold-name.ts';
import type { Value } from '../../model/value.ts';

/** A fault of a value; the words quote nothing of it. */
export interface DeferredFault {
  readonly code: string;
  readonly summary: string;
  readonly hint: string;
}

function isText(value: Value): value is string {
  return typeof value === 'string' && /\S/.test(value);
}

function isPort(value: Value): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535;
}

function isTexts(value: Value): boolean {
  if (!Array.isArray(value)) return false;
  const items = value;
  return items.every(isText) && new Set(items).size === items.length;
}

const wanted = {
  text: { test: isText, words: 'a text that is not empty' },
  name: { test: isText, words: 'a text that is not empty' },
  publicKey: { test: isText, words: 'a public key' },
  port: { test: isPort, words: 'a whole number from 1 to 65535' },
  texts: { test: isTexts, words: 'a list of texts, each once' },
};

function describe(value: Value): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** The value in the form that is sent: a public key trimmed, a name in normal form C. */
export function normalizeDeferred(type: DeferredType | undefined, value: Value): Value {
  if (typeof value !== 'string') return value;
  switch (type) {
    case 'publicKey':
      return value.trim();
    case 'name':
      return value.normalize('NFC');
    default:
      return value;
  }
}

/** Fault of a value that an expression gave for a field on apply; undefined when there is none. */
export function findDeferredFault(
  type: DeferredType,
  name: string,
  value: Value,
): DeferredFault | undefined {
  const isChoice = typeof type !== 'string';
  const { test, words } = isChoice
    ? {
        test: (one: Value) => typeof one === 'string' && type.includes(one),
        words: type.join(' or '),
      }
    : wanted[type];
  if (!test(value)) {
    return {
      code: 'invalid-late-value',
      summary: `\`${name}\` must be ${words}; its expression gives ${describe(value)}`,
      hint: 'Correct the expression.',
    };
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'name' && trimName(value) !== value) {
    return {
      code: 'name-outer-blanks',
      summary: `\`${name}\` begins or ends with white space`,
      hint: 'Correct the expression.',
    };
  }
  return type === 'publicKey' ? findPublicKeyFault(value) : undefined;
}
