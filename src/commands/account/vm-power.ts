import { isResourceBusy } from '../../kinds/outcome.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveVm } from '../../kinds/vm/model.ts';
import { makeVmPowerCommand, type PowerVerb } from '../../kinds/vm/requests.ts';
import type { EndedVmOperations } from '../../model/account/vm-work.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import type { VmJobTarget, VmOperationRuntime } from './vm-job.ts';
import { operateManagedVm, type VmOperationOptions } from './work-on-vm.ts';

/** Starts, stops or reboots a VM. A VM that runs already is not started, and a stopped one not stopped. */
export function changeVmPower(
  runtime: VmOperationRuntime,
  verb: PowerVerb,
  options: VmOperationOptions,
  reporter: DayTwoReporter,
): Promise<EndedVmOperations> {
  return operateManagedVm(runtime, verb, options, reporter, (target) => {
    return Promise.resolve({
      command: makeVmPowerCommand(verb, target.place),
      approve: (vm: LiveVm) => {
        if (verb === 'reboot') refuseStopped(vm, target);
        return Promise.resolve(true);
      },
      notes: () => (verb === 'reboot' ? [] : noteConfiguredPower(verb, target)),
    });
  });
}

/** Asked here, since the service's own refusal is a conflict that looks like any other. */
function refuseStopped(vm: LiveVm, { resource: { address } }: VmJobTarget): void {
  if (isResourceBusy(vm) || vm.bootStatus !== 'Stopped') return;
  throw createCommandRefusal('vm-not-running', 'A VM that is stopped cannot be rebooted', {
    hint: `Start it: hostwright vm start '${address}'`,
    address,
  });
}

/** The configuration has the last word on the power at every apply. */
function noteConfiguredPower(
  verb: 'start' | 'stop',
  { session, resource: { address } }: VmJobTarget,
): Diagnostic[] {
  const desired = session.configuration.graph.resources.find((one) => one.address === address);
  const configured = desired?.attributes.power;
  const source = desired?.attributeSources.power ?? desired?.source;
  const power = verb === 'start' ? 'running' : 'stopped';
  if (typeof configured !== 'string' || configured === power) return [];
  return [
    {
      severity: 'note',
      code: 'power-configured',
      summary: `The configuration says ${configured}: the next apply ${verb === 'stop' ? 'starts' : 'stops'} it again`,
      hint: `Write "power: ${power}" there to keep it so.`,
      address,
      ...(source && { source }),
    },
  ];
}
