import { expect, test } from 'vitest';
import { classifyRefusal, isCertainlyRefused } from '../../../../src/api/errors/classify-error.ts';
import { refusal } from '../fake-service.ts';

const fieldErrors = { errors: { name: ['exceeds the maximum limit of 64'] } };

type Meaning = [string, ReturnType<typeof refusal>, string];

test.each<Meaning>([
  ['401', refusal(401), 'unauthorized'],
  ['403', refusal(403, { detail: 'This token has no scope for that.' }), 'forbidden'],
  ['403 about a quota', refusal(403, { detail: 'Quota exceeded for networks.' }), 'quota'],
  ['404', refusal(404), 'notFound'],
  ['410', refusal(410), 'notFound'],
  ['409', refusal(409, { detail: 'Another operation is in progress.' }), 'conflict'],
  ['423', refusal(423), 'conflict'],
  ...[
    'There already is a network named "lan" here.',
    'A VM with this name already exists.',
    'The name web.eu is taken',
    'Name must be unique within the project.',
    'name already in use',
    'Duplicate name.',
  ].map((detail) => [detail, refusal(409, { detail }), 'nameTaken'] as Meaning),
  ['409 on the name', refusal(409, { errors: { name: ['no'] } }), 'nameTaken'],
  ['409 with a code for names', refusal(409, { code: 'nameAlreadyExists' }), 'nameTaken'],
  ['409 on a port', refusal(409, { detail: 'The port 443/tcp is taken by f-1.' }), 'portTaken'],
  ...[
    'Another operation is in progress on the VM named web.',
    'The VM "name-taken" is locked.',
    'The project is not empty: it holds networks. Its name stays reserved.',
    'The address 10.0.0.5 is taken by the VM v-1.',
    'The network named lan is in use.',
  ].map((detail) => [detail, refusal(409, { detail }), 'conflict'] as Meaning),
  ['409 about a quota', refusal(409, { title: 'Quota exceeded' }), 'quota'],
  ['409 about a limit', refusal(409, { detail: 'The limit of 5 networks is reached.' }), 'quota'],
  ['409 for capacity', refusal(409, { code: 'insufficientCapacity' }), 'insufficientCapacity'],
  ['422 for capacity', refusal(422, { code: 'InsufficientCapacity' }), 'insufficientCapacity'],
  ['409 with a quota code', refusal(409, { code: 'projectQuotaExceeded' }), 'quota'],
  ['409 with another code', refusal(409, { code: 'locked' }), 'conflict'],
  ['400', refusal(400), 'validation'],
  ['422', refusal(422, fieldErrors), 'validation'],
  ['422 about a quota', refusal(422, { detail: 'This exceeds the limit of cores.' }), 'quota'],
  ['429', refusal(429), 'rateLimited'],
  ['408', refusal(408), 'unavailable'],
  ['425', refusal(425), 'unavailable'],
  ['500', refusal(500), 'unavailable'],
  ['503', refusal(503), 'unavailable'],
  ['501', refusal(501), 'permanent'],
  ['505', refusal(505), 'permanent'],
  ['405', refusal(405), 'permanent'],
  [
    'the 503 of resize',
    refusal(503, { request: { operation: 'resizeVm', method: 'POST', url: 'x' } }),
    'permanent',
  ],
])('a refusal means: %s', (_, error, meaning) => expect(classifyRefusal(error)).toBe(meaning));

test.each([
  [400, true],
  [404, true],
  [408, false],
  [409, true],
  [429, true],
  [500, false],
  [501, false],
  [502, false],
  [503, false],
  [504, false],
  [505, false],
])('%d has certainly changed nothing: %s', (status, expected) => {
  expect(isCertainlyRefused({ status, operation: 'createVm' })).toBe(expected);
});

test('the 503 of a resize has certainly changed nothing, another failure of one may have', () => {
  expect(isCertainlyRefused({ status: 503, operation: 'resizeVm' })).toBe(true);
  expect(isCertainlyRefused({ status: 500, operation: 'resizeVm' })).toBe(false);
});
