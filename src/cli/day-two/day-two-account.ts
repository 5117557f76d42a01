import type { Command } from 'commander';
import {
  renderAccountJson,
  renderAccountText,
  renderSaleJson,
  renderSalesJson,
  renderSalesText,
  renderSaleText,
} from '../../render/account/account-text.ts';
import type { CommandContext } from '../command-context.ts';
import { runDayTwo } from './day-two-output.ts';
import { autoApproveOption, jsonOption } from '../flags/options.ts';

interface Flags {
  readonly autoApprove?: boolean;
  readonly json?: boolean;
}

/** `account`, `account locale`. */
export function addAccountCommands(program: Command, context: CommandContext): void {
  const { runtime } = context;
  const account = program
    .command('account')
    .summary('show the account, or set its locale')
    .description('Shows the account that the access token belongs to.');

  account
    .command('show', { isDefault: true })
    .summary('show the account')
    .description('Shows the account that the access token belongs to.')
    .addOption(jsonOption())
    .action(({ json }: Flags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readOwnAccount } = await import('../../commands/account/account.ts');
        const read = await readOwnAccount(runtime, reporter);
        return {
          text: (layout) => renderAccountText(read, layout),
          json: () => renderAccountJson(read),
        };
      }),
    );

  account
    .command('locale')
    .summary('show or set the language of the account')
    .description('Shows the language that the service uses for the account, or sets it.')
    .argument('[locale]', 'a language tag, e.g. en-GB; only shown when absent')
    .addOption(jsonOption())
    .action((locale: string | undefined, { json }: Flags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readOwnAccount, setLocale } = await import('../../commands/account/account.ts');
        const read =
          locale === undefined
            ? await readOwnAccount(runtime, reporter)
            : await setLocale(runtime, locale, reporter);
        return { text: () => `${read.locale}\n`, json: () => renderAccountJson(read) };
      }),
    );
}

/** `sales list|cancel|resume`. */
export function addSalesCommands(program: Command, context: CommandContext): void {
  const sales = program
    .command('sales')
    .summary('show what the account pays for, and whether it renews')
    .description('What the account pays for, and whether that renews.');

  addSalesList(sales, context);
  addRenewals(sales, context);
}

function addSalesList(sales: Command, context: CommandContext): void {
  const { runtime } = context;
  sales
    .command('list')
    .summary('list what the account pays for')
    .description('Lists what the account pays for, until when, and whether that renews.')
    .addOption(jsonOption())
    .action(({ json }: Flags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readSales } = await import('../../commands/account/sales.ts');
        const read = await readSales(runtime, reporter);
        return {
          text: (layout) => renderSalesText(read, layout),
          json: () => renderSalesJson(read),
        };
      }),
    );
}

function addRenewals(sales: Command, context: CommandContext): void {
  const { runtime } = context;
  const changes = [
    {
      name: 'cancel',
      renewal: 'cancelled',
      summary: 'let a sale end with its running period',
      description: 'Cancels the renewal of a sale: it ends with the running period. Asks first.',
    },
    {
      name: 'resume',
      renewal: 'active',
      summary: 'let a sale renew again',
      description: 'Takes a cancellation back: the sale renews again.',
    },
  ] as const;
  for (const { name, renewal, summary, description } of changes) {
    const command = sales
      .command(name)
      .summary(summary)
      .description(description)
      .argument('<address-or-id>', 'the address of what is paid for, or the id of the sale')
      .addOption(jsonOption());
    if (name === 'cancel') command.addOption(autoApproveOption());
    command.action((subject: string, { autoApprove, json }: Flags) =>
      runDayTwo(context, json, async (reporter) => {
        const { changeRenewal } = await import('../../commands/account/sales.ts');
        const isApproved = autoApprove === true;
        const end = await changeRenewal(runtime, renewal, subject, isApproved, reporter);
        const { sale, outcome } = end;
        return {
          text: () => (outcome === 'declined' ? '' : renderSaleText(sale, outcome)),
          json: () => renderSaleJson(sale, outcome),
          isGood: outcome !== 'declined',
        };
      }),
    );
  }
}
