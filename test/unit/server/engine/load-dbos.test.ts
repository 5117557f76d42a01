import { expect, it } from 'vitest';
import { loadDbos } from '../../../../src/server/engine/load-dbos.ts';

it('names the package to install where the engine is missing', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadDbos(() => Promise.reject(missing))).rejects.toMatchObject({
    diagnostics: [
      {
        code: 'package-missing',
        hint: 'Install it beside Hostwright, with --global if Hostwright has it: npm install @dbos-inc/dbos-sdk@5.3',
      },
    ],
  });
});

it('hides no other fault of the engine', async () => {
  const broken = new SyntaxError('broken');
  await expect(loadDbos(() => Promise.reject(broken))).rejects.toBe(broken);
});
