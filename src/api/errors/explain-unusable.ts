import type { Unusable } from './errors.ts';

interface Words {
  readonly summary: string;
  readonly hint: string;
}

const words: Readonly<Record<Unusable, Words>> = {
  'answer-too-large': {
    summary: 'The service answers more than fits into memory',
    hint: 'An answer may have 64 MB, unpacked, and 5,000,000 values.',
  },
  'answer-unreadable': {
    summary: 'The answer of the service cannot be read',
    hint: 'Something between here and the service may change its answers. Answers are JSON in UTF-8, plain or packed with gzip, deflate or br; their headers have 16 KB at the most.',
  },
  'list-too-long': {
    summary: 'The service gives a list that does not end',
    hint: 'A list may have 1,000,000 items.',
  },
};

/** The summary and hint for a response that cannot be used. `baseAddressHint`: where the service's address is set. */
export function explainUnusable(code: Unusable, baseAddressHint: string): Words {
  const { summary, hint } = words[code];
  return { summary, hint: `${hint} ${baseAddressHint}` };
}
