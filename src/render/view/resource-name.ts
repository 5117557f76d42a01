import {
  parseDeposedAddress,
  type ResourceAddress,
  type InstanceKey,
} from '../../model/address.ts';

/** An address split as Terraform's JSON has it: module, type, name and index. */
export interface TerraformResourceName {
  /** The address without its instance, which names the declaration in the configuration. */
  readonly base: ResourceAddress;
  /** Name of the resource: its key in the configuration. */
  readonly name: string;
  /** Key of the instance; absent for a resource without instances. */
  readonly index?: InstanceKey;
}

const instancePattern = /\[(\d+|"(?:[^"\\]|\\.)*")\]$/;

/** Takes the instance off an address: `projects.shop.vms.web[0]` is `web`, 0. */
export function splitResourceName(whole: ResourceAddress): TerraformResourceName {
  const address = parseDeposedAddress(whole)?.base ?? whole;
  const instance = instancePattern.exec(address);
  const base = instance ? address.slice(0, instance.index) : address;
  const name = /[^.\]]*$/.exec(base)?.[0] ?? base;
  if (instance?.[1] === undefined) return { base, name };
  return { base, name, index: JSON.parse(instance[1]) as InstanceKey };
}
