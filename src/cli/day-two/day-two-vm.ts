import { Option } from 'commander';
import type { VmOperationOptions } from '../../commands/account/work-on-vm.ts';
import type { EndedVmOperations } from '../../model/account/vm-work.ts';
import { renderBackupsJson, renderBackupsText } from '../../render/account/backups-text.ts';
import { renderVmMetricsJson, renderVmMetricsText } from '../../render/account/metrics-text.ts';
import {
  isVmOperationSuccessful,
  renderVmCommandResultsJson,
  renderVmCommandResultsText,
} from '../../render/account/vm-work-text.ts';
import {
  autoApproveOption,
  jsonOption,
  lockTimeoutOption,
  parseDurationFlag,
} from '../flags/options.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';

const sample = "'projects.shop.vms.web[0]'";

interface WorkFlags {
  readonly autoApprove?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly lockTimeout: number;
}

/** Options and output that all commands for work on a VM share. */
const work = (isAsked: boolean) => ({
  options: [
    new Option('--no-wait', 'return when the service has accepted the request'),
    new Option(
      '--timeout <duration>',
      'how long to wait in all, e.g. 1h (default: what the configuration says for updates)',
    ).argParser(parseDurationFlag),
    lockTimeoutOption(),
    jsonOption(),
    ...(isAsked ? [autoApproveOption()] : []),
  ],
  text: renderVmCommandResultsText,
  json: renderVmCommandResultsJson,
  isGood: ({ vms }: EndedVmOperations) => vms.every(isVmOperationSuccessful),
});
const worked = [
  '<address>',
  `the address of the VM, e.g. ${sample}; with [*] all instances of its block`,
] as const;
const read = ['<address>', `its address, e.g. ${sample}`] as const;

const definePower = (verb: 'start' | 'stop' | 'reboot', summary: string, description: string) =>
  defineCommand({
    ...work(false),
    summary,
    description,
    operands: [worked],
    run: async ({
      runtime,
      reporter,
      operands: [address],
      flags,
    }: CommandLineCall<[string], WorkFlags>) => {
      const { changeVmPower } = await import('../../commands/account/vm-power.ts');
      return changeVmPower(runtime, verb, readFlags(address, flags), reporter);
    },
  });

const restoreOptions = [
  new Option('--latest', 'the newest backup'),
  new Option('--allow-data-loss', 'also overwrite the disk of a VM that preventDestroy protects'),
];

interface RestoreFlags extends WorkFlags {
  readonly latest?: boolean;
  readonly allowDataLoss?: boolean;
}

const restore = defineCommand({
  ...work(true),
  summary: 'restore a VM from a backup',
  description:
    'Overwrites the disk of a VM with one of its backups, and waits until it has ended. What was written since the ' +
    'backup is lost, so it asks first.',
  operands: [worked, ['[backup-id]', 'the id of the backup, as "vm backups" shows it']],
  options: work(true).options.toSpliced(-1, 0, ...restoreOptions),
  check: ([, id], { latest = false }) =>
    (id === undefined) === latest ? undefined : 'give either the id of a backup or --latest',
  run: async ({
    runtime,
    reporter,
    operands: [address, backupId],
    flags,
  }: CommandLineCall<[string, string | undefined], RestoreFlags>) => {
    const { restoreVm } = await import('../../commands/account/vm-restore.ts');
    const { allowDataLoss: allowsDataLoss = false } = flags;
    const options = { ...readFlags(address, flags), backupId, allowsDataLoss };
    return restoreVm(runtime, options, reporter);
  },
});

/** `vm start|stop|reboot|backup|backups|restore|metrics`. */
export const addVmCommands = defineCommandGroup(
  {
    summary: 'start, stop, back up and restore a VM',
    description:
      'Starts, stops, reboots, backs up or restores a VM of the configuration, by its address.',
  },
  {
    start: definePower('start', 'start a VM', 'Starts a VM, and waits until it runs.'),
    stop: definePower('stop', 'stop a VM', 'Stops a VM and waits until it has stopped.'),
    reboot: definePower(
      'reboot',
      'reboot a VM',
      'Reboots a running VM, and waits until it runs again.',
    ),
    backup: defineCommand({
      ...work(true),
      summary: 'make a backup of a VM',
      description:
        'Backs up the disk of a VM, and waits until the backup is in the list. The service keeps 7: when there are as ' +
        'many, the oldest is deleted first, and is named in a question before that.',
      operands: [worked],
      run: async ({
        runtime,
        reporter,
        operands: [address],
        flags,
      }: CommandLineCall<[string], WorkFlags>) => {
        const { backUpVm } = await import('../../commands/account/vm-backup.ts');
        return backUpVm(runtime, readFlags(address, flags), reporter);
      },
    }),
    backups: defineCommand({
      summary: 'list the backups of a VM',
      description: 'Lists the backups of a VM with their ages, the newest first.',
      operands: [read],
      options: [jsonOption()],
      run: async ({ runtime, reporter, operands: [address] }: CommandLineCall<[string]>) => {
        const { readVmBackups } = await import('../../commands/account/vm-reads.ts');
        return readVmBackups(runtime, address, reporter);
      },
      text: (backups, layout, { operands: [address] }) =>
        renderBackupsText(address, backups, layout),
      json: (backups, { operands: [address] }) => renderBackupsJson(address, backups),
    }),
    restore,
    metrics: defineCommand({
      summary: 'show the metrics of a VM',
      description: 'Shows the metrics of a VM. The service documents them as fixed sample data.',
      operands: [read],
      options: [jsonOption()],
      run: async ({ runtime, reporter, operands: [address] }: CommandLineCall<[string]>) => {
        const { readVmMetrics } = await import('../../commands/account/vm-reads.ts');
        return readVmMetrics(runtime, address, reporter);
      },
      text: (series, layout, { operands: [address] }) =>
        renderVmMetricsText(address, series, layout),
      json: (series, { operands: [address] }) => renderVmMetricsJson(address, series),
    }),
  },
);

function readFlags(address: string, flags: WorkFlags): VmOperationOptions {
  return {
    address,
    lockTimeoutMs: flags.lockTimeout,
    timeoutMs: flags.timeout,
    isWaitedFor: flags.wait,
    isApproved: flags.autoApprove === true,
  };
}
