import { Option } from 'commander';
import type { CreatedToken } from '../../model/account/account.ts';
import {
  renderCreatedAccessTokenJson,
  renderAccessTokenJson,
  renderAccessTokensJson,
  renderAccessTokensText,
  renderAccessTokenText,
} from '../../render/account/tokens-text.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import { autoApproveOption, jsonOption } from '../flags/options.ts';
import { collectListFlag, parseTokenExpiry, type TokenExpiry } from './day-two-options.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';

const load = () => import('../../commands/account/tokens.ts');

interface CreateFlags {
  readonly scopes: readonly string[];
  readonly expires?: TokenExpiry;
  readonly out?: string;
  readonly force?: boolean;
}

const create = defineCommand({
  summary: 'create an access token',
  description:
    'Creates an access token. Its value is shown once: on standard output, alone on a line, or in a file that only ' +
    'you can read.',
  operands: [['<name>', 'its name']],
  options: [
    new Option(
      '--scopes <scopes>',
      'what it may do, e.g. compute,network: full, read, compute, network, account, tokens',
    )
      .argParser(collectListFlag)
      .makeOptionMandatory(),
    new Option(
      '--expires <when>',
      'a duration (90d, 12h, 2w) or a day (2027-01-31); never when absent',
    ).argParser(parseTokenExpiry),
    new Option('--out <file>', 'write the value to a new file of mode 0600, and nowhere else'),
    new Option('--force', 'let --out replace an existing file'),
    jsonOption(),
  ],
  run: async ({
    runtime,
    reporter,
    operands: [name],
    flags,
  }: CommandLineCall<[string], CreateFlags>) => {
    const { createAndSaveToken } = await import('../../commands/account/create-token.ts');
    const { scopes, expires, out, force: overwrites = false } = flags;
    const expiresAt = resolveExpiry(expires, runtime.clock.now());
    return createAndSaveToken(runtime, { name, scopes, expiresAt, out, overwrites }, reporter);
  },
  text: (created, _layout, { runtime, flags }) =>
    showCreated(created, flags.out, (note) => runtime.stderr.write(note)),
  json: (created, { flags }) => renderCreatedAccessTokenJson(created, flags.out),
});

/** `tokens list|create|rename|revoke`. */
export const addTokenCommands = defineCommandGroup(
  {
    summary: 'manage the access tokens of the account',
    description: 'Manages the access tokens of the account.',
  },
  {
    list: defineCommand({
      summary: 'list the access tokens',
      description: 'Lists the access tokens of the account, without their values.',
      options: [jsonOption()],
      run: async ({ runtime, reporter }) => (await load()).readTokens(runtime, reporter),
      text: (read, layout, { runtime }) =>
        renderAccessTokensText(read, runtime.clock.now(), layout),
      json: renderAccessTokensJson,
    }),
    create,
    rename: defineCommand({
      summary: 'rename an access token',
      description: 'Renames an access token.',
      operands: [
        ['<token>', 'its id, or its name'],
        ['<name>', 'the new name'],
      ],
      options: [jsonOption()],
      run: async ({
        runtime,
        reporter,
        operands: [word, name],
      }: CommandLineCall<[string, string]>) =>
        (await load()).renameNamedToken(runtime, word, name, reporter),
      text: (token) => renderAccessTokenText('Renamed', token),
      json: (token) => renderAccessTokenJson(token, 'done'),
    }),
    revoke: defineCommand({
      summary: 'revoke an access token',
      description: 'Revokes an access token: whoever uses it is refused from then on. Asks first.',
      operands: [['<token>', 'its id, or its name']],
      options: [autoApproveOption(), jsonOption()],
      run: async ({
        runtime,
        reporter,
        operands: [word],
        flags: { autoApprove = false },
      }: CommandLineCall<[string], { readonly autoApprove?: boolean }>) =>
        (await load()).revokeNamedToken(runtime, word, autoApprove, reporter),
      text: ({ token, isRevoked }) => (isRevoked ? renderAccessTokenText('Revoked', token) : ''),
      json: ({ token, isRevoked }) => renderAccessTokenJson(token, isRevoked ? 'done' : 'declined'),
      isGood: ({ isRevoked }) => isRevoked,
    }),
  },
);

/** Shows a new token. Without a file, its value is alone on standard output, ready for `TOKEN=$(…)`; the rest goes to standard error. */
function showCreated(
  { token, value }: CreatedToken,
  out: string | undefined,
  note: (text: string) => void,
): string {
  const made = renderAccessTokenText('Made', token);
  if (out !== undefined)
    return `${made}  Its value is in ${escapeUntrustedText(out)}, for you alone to read.\n`;
  note(`${made}  Its value is shown this once:\n`);
  return `${value}\n`;
}

function resolveExpiry(expiry: TokenExpiry | undefined, now: number): number | null {
  if (expiry === undefined) return null;
  return expiry.kind === 'at' ? expiry.at : now + expiry.ms;
}
