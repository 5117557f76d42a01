import { DiagnosticError, toError } from '../../model/errors.ts';
import type { NameLengthCaps, SandboxQuotas } from '../store/world.ts';

/** The words for each setting: as the flag spells it, and as the service does. */
const quotaWords: Readonly<Record<string, keyof SandboxQuotas>> = {
  projects: 'projects',
  accessTokens: 'accessTokens',
  networks: 'networks',
  publicIps: 'publicIps',
  vmCpu: 'cpu',
  vmRam: 'ram',
  vmDisk: 'disk',
  sshKeysPerProject: 'maxSshKeysPerProject',
};

const nameLengthWords: Readonly<Record<string, keyof NameLengthCaps>> = {
  project: 'project',
  network: 'network',
  vm: 'vm',
  sshKey: 'sshKey',
  sshPublicKey: 'sshPublicKey',
  accessToken: 'accessToken',
};

/**
 * Reads quotas from `networks=2,vmRam=64`, or from the JSON text of a file: `{"networks": 2}`.
 * @throws DiagnosticError with everything that is wrong
 */
export const readQuotaSettings = (text: string): Partial<SandboxQuotas> =>
  readSettings(text, '--quotas', quotaWords, 0);

/** The maximum lengths of names, in the same two forms. Throws `DiagnosticError`. */
export const readNameLengthSettings = (text: string): Partial<NameLengthCaps> =>
  readSettings(text, '--name-lengths', nameLengthWords, 1);

function readSettings<Name extends string>(
  text: string,
  flag: string,
  words: Readonly<Record<string, Name>>,
  least: number,
): Partial<Record<Name, number>> {
  const problems: string[] = [];
  const settings: Partial<Record<Name, number>> = {};
  for (const [word, value] of readPairs(text, flag)) {
    const name = Object.hasOwn(words, word) ? words[word] : undefined;
    if (name === undefined) {
      problems.push(`${flag} does not know ${word}; it knows ${Object.keys(words).join(', ')}`);
    } else if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
      problems.push(`${flag} needs a whole number of ${least} or more for ${word}`);
    } else settings[name] = value;
  }
  if (problems.length > 0) refuse(problems);
  return settings;
}

function readPairs(text: string, flag: string): readonly (readonly [string, unknown])[] {
  if (!text.trimStart().startsWith('{')) {
    return text.split(',').map((pair) => {
      const [word = '', value = ''] = pair.split('=').map((part) => part.trim());
      return [word, /^\d+$/.test(value) ? Number(value) : value];
    });
  }
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    return refuse([`${flag} names a file that is not JSON: ${toError(error).message}`]);
  }
}

function refuse(problems: readonly string[]): never {
  throw new DiagnosticError(
    problems.map((summary) => ({ severity: 'error', code: 'invalid-setting', summary })),
  );
}
