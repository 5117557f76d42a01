import type { UnusableAnswerReason } from './errors.ts';

interface Words {
  readonly summary: string;
  readonly hint: string;
}

const words: Readonly<Record<UnusableAnswerReason, Words>> = {
  'answer-too-large': {
    summary: 'The response of the service is too large',
    hint: 'Ask the service for smaller responses: at most 64 MB, unpacked, and 5,000,000 values.',
  },
  'answer-unreadable': {
    summary: 'The response of the service cannot be read',
    hint: 'Check proxies between Hostwright and the service. A response is JSON in UTF-8, plain or packed with gzip, deflate or br; its headers have at most 16 KB.',
  },
  'list-too-long': {
    summary: 'The service returns a list that does not end',
    hint: 'Ask the service for a list of at most 1,000,000 items.',
  },
};

/** The summary and hint for a response that cannot be used. `baseAddressHint`: where the service's address is set. */
export function explainUnusable(code: UnusableAnswerReason, baseAddressHint: string): Words {
  const { summary, hint } = words[code];
  return { summary, hint: `${hint} ${baseAddressHint}` };
}
