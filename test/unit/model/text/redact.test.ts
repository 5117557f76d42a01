import { expect, test } from 'vitest';
import { redactData, redactText } from '../../../../src/model/text/redact.ts';
import { escape, tokenOf } from '../../api/transport/numbered-tokens.ts';

test('a token is taken out however many there were since', () => {
  for (const at of [...Array(40).keys(), 0]) {
    const token = tokenOf(at);
    expect(redactData(`it is ${token}`, token)).toBe('it is [token]');
    expect(redactText(`at ?key=${escape(token).join('')}`, token)).toBe('at ?key=[token]');
  }
});
