import type { Dice } from '../scenario/simulation/dice.ts';
import { plantedToken } from './planted.ts';

const weird: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1e308, 1e21, 1.5, -0, 2 ** 53, 99999999999],
  ...['', ' ', '..', '.', '/', '../../projects', '__proto__', 'constructor', 'x'.repeat(20_000)],
  ...[
    '\ud800',
    'a\udc00b',
    '\u0000',
    '\u001b[2J\u001b[31m',
    '\u009b31m',
    '\u202eabc',
    '\u200b',
    '\u00ad',
  ],
  ...[
    '##[error]x',
    '::error ::x',
    '<script>',
    '`|*_',
    '${x}',
    'a: b\n- c',
    '2026-13-45T99:99:99Z',
    'é\u0301',
  ],
  ...[
    'unknown',
    'active',
    'failed',
    'running',
    'deleting',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    { id: null },
    { items: null },
    [{ id: 'x' }],
    { id: '..' },
    { id: 'x', name: 5 },
  ],
  ...[plantedToken, `Bearer ${plantedToken}`, Buffer.from(plantedToken).toString('base64')],
];
const keys = [
  'id',
  'name',
  'status',
  'items',
  'totalCount',
  'page',
  '__proto__',
  'constructor',
  'errors',
  'detail',
];

/** A JSON value with some things in it changed. */
function mutateJson(value: unknown, dice: Dice, depth = 0): unknown {
  if (dice.chance(depth === 0 ? 0.05 : 0.04)) return dice.pick(weird);
  if (Array.isArray(value)) {
    const items = value.map((one) => mutateJson(one, dice, depth + 1));
    if (dice.chance(0.1))
      items.push(dice.pick(items.length > 0 && dice.chance(0.5) ? items : weird));
    return dice.chance(0.1) ? items.slice(0, dice.below(items.length + 1)) : items;
  }
  if (typeof value !== 'object' || value === null)
    return dice.chance(0.05) ? dice.pick(weird) : value;
  const made = Object.create(null);
  for (const [key, one] of Object.entries(value)) {
    if (!dice.chance(0.03)) made[key] = mutateJson(one, dice, depth + 1);
  }
  if (dice.chance(0.05)) made[dice.pick(keys)] = dice.pick(weird);
  return made;
}

function mutateBytes(text: string, dice: Dice): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  switch (dice.below(6)) {
    case 0:
      return bytes.slice(0, dice.below(bytes.length + 1));
    case 1:
      return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
    case 2:
      return Uint8Array.from({ length: dice.below(200) }, () => dice.below(256));
    case 3:
      return new TextEncoder().encode(
        dice.pick([
          '',
          ' ',
          'null',
          '[]',
          '{}',
          '""',
          '0',
          '<html><body>Sign in',
          '['.repeat(5000),
        ]),
      );
    case 4:
      return Buffer.concat([bytes, bytes]);
    default:
      for (let count = 1 + dice.below(5); count > 0 && bytes.length > 0; count -= 1) {
        bytes[dice.below(bytes.length)] = dice.below(256);
      }
      return bytes;
  }
}

const headers: readonly (readonly [string, string])[] = [
  ...([
    ['content-type', 'text/html'],
    ['content-type', 'application/json; charset=utf-16'],
    ['content-type', ''],
  ] as const),
  ...([
    ['retry-after', '1e9'],
    ['retry-after', '-1'],
    ['retry-after', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ] as const),
  ...([
    ['retry-after', '0'],
    ['retry-after', '99999999'],
    ['date', 'never'],
    ['date', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ] as const),
  ...([
    ['date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['location', 'https://evil.example/'],
    ['location', '//'],
  ] as const),
  ...([
    ['x-request-id', plantedToken],
    ['content-length', '99999999999'],
    ['x-request-id', '\u009b31m'],
  ] as const),
];
const statuses = [
  200, 201, 202, 204, 206, 300, 301, 303, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410,
  412, 413,
];
const others = [418, 422, 423, 425, 429, 431, 451, 500, 501, 502, 503, 504, 505, 511, 520, 599];
const codes = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPROTO',
  'CERT_HAS_EXPIRED',
  'UND_ERR_SOCKET',
  'HPE_INVALID_CONSTANT',
];

/** A body that breaks off in the middle, or never goes on. */
function breakOff(text: string, dice: Dice): ReadableStream {
  const half = new TextEncoder().encode(text.slice(0, dice.below(text.length + 1)));
  const isSilent = dice.chance(0.3);
  return new ReadableStream({
    start(controller) {
      if (half.length > 0) controller.enqueue(half);
      if (!isSilent)
        controller.error(
          new TypeError('terminated', {
            cause: Object.assign(new Error('x'), { code: dice.pick([...codes, 'Z_DATA_ERROR']) }),
          }),
        );
    },
  });
}

/** Another answer in its place. @throws what `fetch` throws where no answer comes */
export async function mutateAnswer(answer: Response, dice: Dice): Promise<Response> {
  if (dice.chance(0.06)) {
    const cause = Object.assign(new Error('it broke'), { code: dice.pick(codes) });
    throw new TypeError(`fetch failed ${dice.chance(0.2) ? plantedToken : ''}`, { cause });
  }
  const text = await answer.text();
  const given = new Headers(answer.headers);
  if (dice.chance(0.2)) {
    const [name, value] = dice.pick(headers);
    try {
      given.set(name, value);
    } catch {
      given.delete(name); // a value that headers cannot have
    }
  }
  const status = dice.chance(0.2) ? dice.pick(dice.chance(0.5) ? statuses : others) : answer.status;
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers: given });
  if (dice.chance(0.06)) return new Response(breakOff(text, dice), { status, headers: given });
  if (dice.chance(0.15))
    return new Response(new Uint8Array(mutateBytes(text, dice)), { status, headers: given });
  return new Response(JSON.stringify(mutateJson(parse(text), dice)), { status, headers: given });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
