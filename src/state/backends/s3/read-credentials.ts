// Credentials and address of a bucket, from the environment and the files of the AWS tools: YAML never holds credentials.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readErrorCode } from '../../../model/errors.ts';
import type { Runtime } from '../../../model/runtime.ts';
import { createDiagnosticError } from '../../faults.ts';

/** Credentials with which S3 requests are signed. */
export interface S3Credentials {
  readonly accessKeyId: string;
  /** Secret key of the credentials, which no message may show. */
  readonly secretAccessKey: string;
  /** Session token of the credentials, which no message may show. */
  readonly sessionToken?: string;
}

/** Settings of a bucket in the environment; those of the configuration come first. */
export interface S3Environment {
  readonly credentials: S3Credentials;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
}

type Env = Runtime['env'];

/** Reads the environment, and the profile where the environment has no credentials. @throws DiagnosticError */
export async function readS3Environment(env: Env): Promise<S3Environment> {
  const name = valueOf(env, 'AWS_PROFILE');
  const profile = await readProfile(env, name ?? 'default');
  const region =
    valueOf(env, 'AWS_REGION') ?? valueOf(env, 'AWS_DEFAULT_REGION') ?? profile.get('region');
  const endpoint =
    valueOf(env, 'AWS_ENDPOINT_URL_S3') ??
    valueOf(env, 'AWS_ENDPOINT_URL') ??
    profile.get('endpoint_url');
  return { credentials: findCredentials(env, profile, name), region, endpoint };
}

function findCredentials(env: Env, profile: Profile, name: string | undefined): S3Credentials {
  const own = assemble(
    valueOf(env, 'AWS_ACCESS_KEY_ID'),
    valueOf(env, 'AWS_SECRET_ACCESS_KEY'),
    valueOf(env, 'AWS_SESSION_TOKEN'),
  );
  if (own) return own;
  const ofProfile = assemble(
    profile.get('aws_access_key_id'),
    profile.get('aws_secret_access_key'),
    profile.get('aws_session_token'),
  );
  if (ofProfile) return ofProfile;
  const other = ['sso_session', 'sso_start_url', 'role_arn', 'credential_process'].find((key) =>
    profile.has(key),
  );
  throw createDiagnosticError(
    'state-credentials-missing',
    'The credentials for the bucket are not set',
    {
      detail:
        other === undefined
          ? `The configuration keeps the state in S3. Neither the environment nor the profile ${name ?? 'default'} has an access key.`
          : `The profile ${name ?? 'default'} has ${other}, which Hostwright does not use.`,
      hint:
        other === undefined
          ? 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.'
          : 'Let the AWS tool turn it into variables: eval "$(aws configure export-credentials --format env)".',
    },
  );
}

function assemble(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): S3Credentials | undefined {
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

async function readProfile(env: Env, name: string): Promise<Profile> {
  const home = valueOf(env, 'HOME') ?? valueOf(env, 'USERPROFILE') ?? homedir();
  const files = [
    valueOf(env, 'AWS_CONFIG_FILE') ?? join(home, '.aws', 'config'),
    valueOf(env, 'AWS_SHARED_CREDENTIALS_FILE') ?? join(home, '.aws', 'credentials'),
  ];
  const texts = await Promise.all(files.map(readIfThere));
  // A value of the credentials file replaces one of the other file.
  return new Map(texts.flatMap((text) => [...(parseProfiles(text).get(name) ?? [])]));
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return '';
    throw createDiagnosticError(
      'state-credentials-unreadable',
      `The file cannot be read: ${path}`,
      {
        detail: `The system says ${code ?? 'no code'}. It may hold the credentials for the state.`,
        hint: 'Make it readable, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      },
    );
  }
}

function valueOf(env: Env, name: string): string | undefined {
  const text = env[name]?.trim() ?? '';
  return text === '' ? undefined : text;
}

/** Settings of one profile of the AWS tools, by key. */
type Profile = ReadonlyMap<string, string>;

/** The profiles in one of the AWS tools' files, `config` or `credentials`, by name. Other lines are ignored. */
function parseProfiles(text: string): ReadonlyMap<string, Profile> {
  const profiles = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\s*\[([^\]]+)\]/.exec(line) ?? [];
    if (title !== undefined) {
      const name = title
        .trim()
        .replace(/^profile\s+/, '')
        .replaceAll(/^["']|["']$/g, '');
      current = profiles.get(name) ?? new Map<string, string>();
      profiles.set(name, current);
      continue;
    }
    // An indented line belongs to a block below a key.
    const [, key = '', value = ''] = /^([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== '' && value !== '') current?.set(key.toLowerCase(), value);
  }
  return profiles;
}
