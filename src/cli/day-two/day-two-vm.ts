import { Option, type Command } from 'commander';
import type { VmWorkOptions } from '../../commands/account/work-on-vm.ts';
import type { VmWork } from '../../model/account/vm-work.ts';
import { renderBackupsJson, renderBackupsText } from '../../render/account/backups-text.ts';
import { renderMetricsJson, renderMetricsText } from '../../render/account/metrics-text.ts';
import { renderWorkJson, renderWorkText } from '../../render/account/vm-work-text.ts';
import type { CommandContext } from '../command-context.ts';
import { runDayTwo, type Shown } from './day-two-output.ts';
import {
  autoApproveOption,
  jsonOption,
  lockTimeoutOption,
  parseDuration,
} from '../flags/options.ts';

interface WorkFlags {
  readonly autoApprove?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
  readonly lockTimeout: number;
  readonly json?: boolean;
}

const sample = "'projects.shop.vms.web[0]'";

/** `vm start|stop|reboot|backup|backups|restore|metrics`. */
export function addVmCommands(program: Command, context: CommandContext): void {
  const vm = program
    .command('vm')
    .summary('work on a VM: power, backups, metrics')
    .description('Works on a VM of the configuration, by its address.');

  addPower(vm, context);
  addBackup(vm, context);
  addBackups(vm, context);
  addRestore(vm, context);
  addMetrics(vm, context);
}

function addPower(vm: Command, context: CommandContext): void {
  const { runtime } = context;
  const power = {
    start: ['start a VM', 'Starts a VM, and waits until it runs.'],
    stop: ['stop a VM', 'Stops a VM, and waits until it stands still.'],
    reboot: ['reboot a VM', 'Reboots a running VM, and waits until that is over.'],
  } as const;
  for (const verb of ['start', 'stop', 'reboot'] as const) {
    const [summary, description] = power[verb];
    addWork(vm, verb, summary, description).action((address: string, flags: WorkFlags) =>
      runDayTwo(context, flags.json, async (reporter) => {
        const { changePower } = await import('../../commands/account/vm-power.ts');
        return showWork(await changePower(runtime, verb, readFlags(address, flags), reporter));
      }),
    );
  }
}

function addBackup(vm: Command, context: CommandContext): void {
  const { runtime } = context;
  addWork(
    vm,
    'backup',
    'make a backup of a VM',
    'Backs up the disk of a VM, and waits until the backup is in the list. The service keeps 7: when there are as ' +
      'many, the oldest is deleted first, and is named in a question before that.',
  )
    .addOption(autoApproveOption())
    .action((address: string, flags: WorkFlags) =>
      runDayTwo(context, flags.json, async (reporter) => {
        const { backUpVm } = await import('../../commands/account/vm-backup.ts');
        return showWork(await backUpVm(runtime, readFlags(address, flags), reporter));
      }),
    );
}

function addBackups(vm: Command, context: CommandContext): void {
  const { runtime } = context;
  vm.command('backups')
    .summary('list the backups of a VM')
    .description('Lists the backups of a VM, the newest first.')
    .argument('<address>', `its address, e.g. ${sample}`)
    .addOption(jsonOption())
    .action((address: string, { json }: WorkFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readVmBackups } = await import('../../commands/account/vm-reads.ts');
        const backups = await readVmBackups(runtime, address, reporter);
        return {
          text: (layout) => renderBackupsText(address, backups, layout),
          json: () => renderBackupsJson(address, backups),
        };
      }),
    );
}

function addMetrics(vm: Command, context: CommandContext): void {
  const { runtime } = context;
  vm.command('metrics')
    .summary('show what was measured of a VM')
    .description('Shows the metrics of a VM. The service documents them as fixed sample data.')
    .argument('<address>', `its address, e.g. ${sample}`)
    .addOption(jsonOption())
    .action((address: string, { json }: WorkFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readVmMetrics } = await import('../../commands/account/vm-reads.ts');
        const series = await readVmMetrics(runtime, address, reporter);
        return {
          text: (layout) => renderMetricsText(address, series, layout),
          json: () => renderMetricsJson(address, series),
        };
      }),
    );
}

function addRestore(vm: Command, context: CommandContext): void {
  const { runtime } = context;
  addWork(
    vm,
    'restore',
    'put a backup back onto the disk of a VM',
    'Overwrites the disk of a VM with one of its backups, and waits until that is over. What was written since the ' +
      'backup is lost, so it asks first.',
  )
    .argument('[backup-id]', 'the id of the backup, as "vm backups" shows it')
    .option('--latest', 'the newest backup')
    .option('--allow-data-loss', 'also overwrite the disk of a VM that preventDestroy protects')
    .addOption(autoApproveOption())
    .action(
      (
        address: string,
        id: string | undefined,
        flags: WorkFlags & { latest?: boolean; allowDataLoss?: boolean },
        self: Command,
      ) => {
        if ((id === undefined) === (flags.latest !== true)) {
          self.error('error: give either the id of a backup or --latest');
        }
        return runDayTwo(context, flags.json, async (reporter) => {
          const { restoreVm } = await import('../../commands/account/vm-restore.ts');
          const options = {
            ...readFlags(address, flags),
            backupId: id,
            allowsDataLoss: flags.allowDataLoss === true,
          };
          return showWork(await restoreVm(runtime, options, reporter));
        });
      },
    );
}

/** A command that changes something of a VM, with the options that all of them have. */
function addWork(vm: Command, name: string, summary: string, description: string): Command {
  return vm
    .command(name)
    .summary(summary)
    .description(description)
    .argument('<address>', `the address of the VM, e.g. ${sample}`)
    .option('--no-wait', 'return once the service has accepted it')
    .addOption(
      new Option(
        '--timeout <duration>',
        'how long to wait in all, e.g. 1h (default: what the configuration says for updates)',
      ).argParser(parseDuration),
    )
    .addOption(lockTimeoutOption())
    .addOption(jsonOption());
}

function readFlags(address: string, flags: WorkFlags): VmWorkOptions {
  return {
    address,
    lockTimeoutMs: flags.lockTimeout,
    timeoutMs: flags.timeout,
    isWaitedFor: flags.wait,
    isApproved: flags.autoApprove === true,
  };
}

function showWork(work: VmWork): Shown {
  return {
    text: (layout) => renderWorkText(work, layout),
    json: () => renderWorkJson(work),
    isGood: ['done', 'accepted', 'unchanged'].includes(work.outcome),
  };
}
