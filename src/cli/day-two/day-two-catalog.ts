import { InvalidArgumentError, type Command } from 'commander';
import {
  catalogListNames,
  renderCatalogJson,
  renderCatalogText,
  type CatalogList,
} from '../../render/account/catalog-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import { jsonOption } from '../flags/options.ts';

function parseList(text: string): CatalogList {
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
  }: CommandLineCall<[CatalogList | undefined, string]>) => {
    const { readCatalog } = await import('../../commands/account/catalog.ts');
    return { ...(await readCatalog(runtime, directory, reporter)), list };
  },
  text: renderCatalogText,
  json: renderCatalogJson,
});

/** `catalog`. */
export const addCatalogCommand = (program: Command, context: CommandLineContext): void =>
  catalog(program, 'catalog', context);
