import { Option, type Command } from 'commander';
import type { CreatedToken } from '../../model/account/account.ts';
import {
  renderCreatedTokenJson,
  renderTokenJson,
  renderTokensJson,
  renderTokensText,
  renderTokenText,
} from '../../render/account/tokens-text.ts';
import { escapeText } from '../../render/format/escape.ts';
import type { CommandContext } from '../command-context.ts';
import { collectWords, parseExpiry, type Expiry } from './day-two-options.ts';
import { runDayTwo } from './day-two-output.ts';
import { autoApproveOption, jsonOption } from '../flags/options.ts';

interface CreateFlags {
  readonly scopes: readonly string[];
  readonly expires?: Expiry;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface TokenFlags {
  readonly autoApprove?: boolean;
  readonly json?: boolean;
}

/** `tokens list|create|rename|revoke`. */
export function addTokenCommands(program: Command, context: CommandContext): void {
  const tokens = program
    .command('tokens')
    .summary('manage the access tokens of the account')
    .description('Manages the access tokens of the account.');

  addList(tokens, context);
  addCreate(tokens, context);
  addRename(tokens, context);
  addRevoke(tokens, context);
}

function addList(tokens: Command, context: CommandContext): void {
  const { runtime } = context;
  tokens
    .command('list')
    .summary('list the access tokens')
    .description('Lists the access tokens of the account, without their values.')
    .addOption(jsonOption())
    .action(({ json }: TokenFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readTokens } = await import('../../commands/account/tokens.ts');
        const read = await readTokens(runtime, reporter);
        return {
          text: (layout) => renderTokensText(read, runtime.clock.now(), layout),
          json: () => renderTokensJson(read),
        };
      }),
    );
}

function addRename(tokens: Command, context: CommandContext): void {
  const { runtime } = context;
  tokens
    .command('rename')
    .summary('give an access token another name')
    .description('Gives an access token another name.')
    .argument('<token>', 'its id, or its name')
    .argument('<name>', 'the new name')
    .addOption(jsonOption())
    .action((word: string, name: string, { json }: TokenFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { rename } = await import('../../commands/account/tokens.ts');
        const token = await rename(runtime, word, name, reporter);
        return {
          text: () => renderTokenText('Renamed', token),
          json: () => renderTokenJson(token, 'done'),
        };
      }),
    );
}

function addRevoke(tokens: Command, context: CommandContext): void {
  const { runtime } = context;
  tokens
    .command('revoke')
    .summary('take an access token away from whoever uses it')
    .description('Revokes an access token: whoever uses it is refused from then on. Asks first.')
    .argument('<token>', 'its id, or its name')
    .addOption(autoApproveOption())
    .addOption(jsonOption())
    .action((word: string, { autoApprove, json }: TokenFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { revoke } = await import('../../commands/account/tokens.ts');
        const { token, isRevoked } = await revoke(runtime, word, autoApprove === true, reporter);
        return {
          text: () => (isRevoked ? renderTokenText('Revoked', token) : ''),
          json: () => renderTokenJson(token, isRevoked ? 'done' : 'declined'),
          isGood: isRevoked,
        };
      }),
    );
}

function addCreate(tokens: Command, context: CommandContext): void {
  const { runtime } = context;
  tokens
    .command('create')
    .summary('make an access token')
    .description(
      'Makes an access token. Its value is shown once: on standard output, alone on a line, or in a file that only ' +
        'you can read.',
    )
    .argument('<name>', 'its name')
    .addOption(
      new Option(
        '--scopes <scopes>',
        'what it may do, e.g. compute,network: full, read, compute, network, account, tokens',
      )
        .argParser(collectWords)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--expires <when>',
        'after so long (90d, 12h, 2w), or on a day (2027-01-31); never when absent',
      ).argParser(parseExpiry),
    )
    .option('--out <file>', 'write the value to a new file of mode 0600, and nowhere else')
    .option('--force', 'let --out replace a file that is there')
    .addOption(jsonOption())
    .action((name: string, { scopes, expires, out, force, json }: CreateFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { makeToken } = await import('../../commands/account/create-token.ts');
        const expiresAt = resolveExpiry(expires, runtime.clock.now());
        const overwrites = force === true;
        const options = { name, scopes, expiresAt, out, overwrites };
        const created = await makeToken(runtime, options, reporter);
        return {
          text: () => showCreated(created, out, (note) => runtime.stderr.write(note)),
          json: () => renderCreatedTokenJson(created, out),
        };
      }),
    );
}

/** Without a file the value stands alone on standard output, ready for `TOKEN=$(…)`; the rest goes beside it. */
function showCreated(
  { token, value }: CreatedToken,
  out: string | undefined,
  note: (text: string) => void,
): string {
  const made = renderTokenText('Made', token);
  if (out !== undefined)
    return `${made}  Its value is in ${escapeText(out)}, for you alone to read.\n`;
  note(`${made}  Its value is shown this once:\n`);
  return `${value}\n`;
}

function resolveExpiry(expiry: Expiry | undefined, now: number): number | null {
  if (expiry === undefined) return null;
  return expiry.kind === 'at' ? expiry.at : now + expiry.ms;
}
