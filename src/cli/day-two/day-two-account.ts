import {
  renderAccountJson,
  renderAccountText,
  renderSaleJson,
  renderSalesJson,
  renderSalesText,
  renderSaleText,
} from '../../render/account/account-text.ts';
import { autoApproveOption, jsonOption } from '../flags/options.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { renderLimitsJson, renderLimitsText } from '../../render/account/limits-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import {
  catalogListNames,
  renderCatalogJson,
  renderCatalogText,
  type CatalogListName,
} from '../../render/account/catalog-text.ts';

const loadAccount = () => import('../../commands/account/account.ts');
const loadSales = () => import('../../commands/account/sales.ts');

/** `account`, `account locale`. */
export const addAccountCommands = defineCommandGroup(
  {
    summary: 'show the account, or set its locale',
    description: 'Shows the account that the access token belongs to.',
  },
  {
    show: defineCommand({
      isDefault: true,
      summary: 'show the account',
      description: 'Shows the account that the access token belongs to.',
      options: [jsonOption()],
      run: async ({ runtime, reporter }) => (await loadAccount()).readOwnAccount(runtime, reporter),
      text: renderAccountText,
      json: renderAccountJson,
    }),
    locale: defineCommand({
      summary: 'show or set the language of the account',
      description: 'Shows the language that the service uses for the account, or sets it.',
      operands: [['[locale]', 'a language tag, e.g. en-GB; only shown when absent']],
      options: [jsonOption()],
      run: async ({
        runtime,
        reporter,
        operands: [locale],
      }: CommandLineCall<[locale?: string]>) => {
        const { readOwnAccount, setAccountLocale } = await loadAccount();
        return locale === undefined
          ? readOwnAccount(runtime, reporter)
          : setAccountLocale(runtime, locale, reporter);
      },
      text: ({ locale }) => `${locale}\n`,
      json: renderAccountJson,
    }),
  },
);

/** `sales cancel` and `sales resume`. */
const defineRenewal = (
  renewal: 'cancelled' | 'active',
  { summary, description }: { readonly summary: string; readonly description: string },
) =>
  defineCommand({
    summary,
    description,
    operands: [['<address-or-id>', 'the address of what is paid for, or the id of the sale']],
    options: [jsonOption(), ...(renewal === 'cancelled' ? [autoApproveOption()] : [])],
    run: async ({
      runtime,
      reporter,
      operands: [subject],
      flags: { autoApprove = false },
    }: CommandLineCall<[string], { readonly autoApprove?: boolean }>) => {
      const { changeSaleRenewal } = await loadSales();
      return changeSaleRenewal(runtime, renewal, subject, autoApprove, reporter);
    },
    text: ({ sale, outcome }) => (outcome === 'declined' ? '' : renderSaleText(sale, outcome)),
    json: ({ sale, outcome }) => renderSaleJson(sale, outcome),
    isGood: ({ outcome }) => outcome !== 'declined',
  });

/** `sales list|cancel|resume`. */
export const addSaleCommands = defineCommandGroup(
  {
    summary: 'show what the account pays for, and whether it renews',
    description: 'What the account pays for, and whether that renews.',
  },
  {
    list: defineCommand({
      summary: 'list what the account pays for',
      description: 'Lists what the account pays for, until when, and whether that renews.',
      options: [jsonOption()],
      run: async ({ runtime, reporter }) => (await loadSales()).readSales(runtime, reporter),
      text: renderSalesText,
      json: renderSalesJson,
    }),
    cancel: defineRenewal('cancelled', {
      summary: 'cancel the renewal of a sale',
      description: 'Cancels the renewal of a sale: it ends with the running period. Asks first.',
    }),
    resume: defineRenewal('active', {
      summary: 'resume the renewal of a sale',
      description: 'Revokes a cancellation: the sale renews again.',
    }),
  },
);

const limits = defineCommand({
  summary: 'show the quotas in use and the caps of names',
  description:
    'Shows the quotas of the account and how much of each is in use, and how long names may be.',
  operands: [['[dir]', 'directory of the configuration', '.']],
  options: [jsonOption()],
  run: async ({ runtime, reporter, operands: [directory] }: CommandLineCall<[string]>) => {
    const { readAccountLimits: read } = await import('../../commands/account/account.ts');
    return read(runtime, directory, reporter);
  },
  text: (read, layout) => renderLimitsText(read.limits, read.nameLengths, layout),
  json: (read) => renderLimitsJson(read.limits, read.nameLengths),
});

/** `limits`. */
export const addLimitsCommand = (program: Command, context: CommandLineContext): void =>
  limits(program, 'limits', context);

function parseList(text: string): CatalogListName {
  const list = catalogListNames.find((one) => one === text);
  if (list) return list;
  throw new InvalidArgumentError('Give images, configurations or tariffs, then the directory.');
}

const catalog = defineCommand({
  summary: 'show what can be ordered, with sizes, prices and availability',
  description:
    'Shows what the service offers: images, configurations with their size and availability, and tariffs with their price. ' +
    'A price a month is for 730 hours.',
  operands: [
    ['[list]', 'one of images, configurations, tariffs; all of them when absent', parseList],
    ['[dir]', 'directory of the configuration', '.'],
  ],
  options: [jsonOption()],
  run: async ({
    runtime,
    reporter,
    operands: [list, directory],
  }: CommandLineCall<[CatalogListName | undefined, string]>) => {
    const { readCatalog } = await import('../../commands/account/account.ts');
    return { ...(await readCatalog(runtime, directory, reporter)), list };
  },
  text: renderCatalogText,
  json: renderCatalogJson,
});

/** `catalog`. */
export const addCatalogCommand = (program: Command, context: CommandLineContext): void =>
  catalog(program, 'catalog', context);
