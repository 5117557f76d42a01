import { expect, test } from 'vitest';
import { redactTokenInData, redactTokenInText } from '../../../../src/model/text/redact.ts';
import { escape, tokenOf } from '../../api/transport/numbered-tokens.ts';

test('a token is taken out however many there were since', () => {
  for (const at of [...Array(40).keys(), 0]) {
    const token = tokenOf(at);
    expect(redactTokenInData(`it is ${token}`, token)).toBe('it is [token]');
    expect(redactTokenInText(`at ?key=${escape(token).join('')}`, token)).toBe('at ?key=[token]');
  }
});
