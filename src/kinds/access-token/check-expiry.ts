import { formatPlace } from '../../model/source.ts';
import type { FieldFault, WrittenFields } from '../traits.ts';
import { parseLifetime } from '../../model/text/lifetime.ts';

const code = 'invalid-expiry';

function readLifetimeMs(fields: WrittenFields, name: string): number | undefined {
  const text = fields.textOf(name);
  return text === undefined ? undefined : parseLifetime(text);
}

function checkEnds(fields: WrittenFields): FieldFault[] {
  if (!fields.has('expiresIn') || !fields.has('expiresAt')) return [];
  return [
    {
      field: 'expiresAt',
      code,
      summary: 'A token has either `expiresIn` or `expiresAt`',
      detail: `Its \`expiresIn\` is at ${formatPlace(fields.sourceOf('expiresIn'))}.`,
      hint: 'Remove one of the two.',
    },
  ];
}

function checkLifetime(fields: WrittenFields): FieldFault[] {
  if (readLifetimeMs(fields, 'expiresIn') !== 0) return [];
  return [
    {
      field: 'expiresIn',
      code,
      summary: 'The lifetime of a token cannot be zero',
      detail: 'Got nothing.',
      hint: 'Write for example 90d.',
    },
  ];
}

function checkRotation(fields: WrittenFields): FieldFault[] {
  const rotatesMs = readLifetimeMs(fields, 'rotateBefore');
  const livesMs = readLifetimeMs(fields, 'expiresIn');
  if (rotatesMs === undefined) return [];
  if (!fields.has('expiresIn')) {
    return [
      {
        field: 'rotateBefore',
        code,
        summary: '`rotateBefore` needs `expiresIn`',
        detail: 'A new token would end at the same time as the old one, or neither of them would.',
        hint: 'Use `expiresIn` to set the lifetime of each token.',
      },
    ];
  }
  if (livesMs === undefined || rotatesMs < livesMs) return [];
  return [
    {
      field: 'rotateBefore',
      code,
      summary: '`rotateBefore` is not shorter than `expiresIn`',
      detail: 'Every plan would replace the token.',
      hint: 'Shorten it, for example to a tenth of the lifetime.',
    },
  ];
}

/** Faults of the ends that the configuration gives tokens: ends that no token can have. */
export function checkExpiry(fields: WrittenFields): readonly FieldFault[] {
  return [...checkEnds(fields), ...checkLifetime(fields), ...checkRotation(fields)];
}
