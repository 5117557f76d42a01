import { expect, test } from 'vitest';
import { isWithheldByService } from '../../../../src/api/errors/classify-error.ts';
import { ServiceError } from '../../../../src/api/errors/errors.ts';

const request = { operation: 'listOperations', method: 'GET', url: 'https://service' } as const;

test.each<[number, string | null, boolean]>([
  [403, null, true],
  [404, null, true],
  [501, null, true],
  [403, 'The API quota of this hour is exceeded.', false],
  [409, 'The project is locked.', false],
  [423, 'The project is locked.', false],
  [429, null, false],
  [503, null, false],
])('a read that is refused with %i, %j, is withheld for good: %s', (status, detail, isWithheld) => {
  const problem = { title: null, detail, code: null, errors: {} };
  const error = new ServiceError(request, { status, problem, retryAfterMs: null, requestId: null });
  expect(isWithheldByService(error)).toBe(isWithheld);
});
