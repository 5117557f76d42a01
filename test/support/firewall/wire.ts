import {
  readCreationTime,
  readWireId,
  readWireNumber,
  readWireRecord,
  readWireReference,
  readLiveText,
  readWireText,
} from '../../../src/model/wire/decode-fields.ts';
import type { ResourcePlace } from '../../../src/model/account/live.ts';
import type { LiveFirewall, Rule } from './firewall.ts';
import { isJsonObject } from '../../../src/model/json-object.ts';

interface WireFirewall {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly rules: Readonly<Record<string, { readonly vmId: string; readonly port: number }>>;
}

interface FirewallCommand {
  readonly project: string;
  readonly firewall: string;
  readonly name: string;
  readonly rules: Readonly<Record<string, Rule>>;
}

function decodeRules(wire: unknown): Readonly<Record<string, Rule>> {
  if (!isJsonObject(wire)) return {};
  return Object.fromEntries(
    Object.entries(wire).flatMap(([key, one]): [string, Rule][] => {
      if (!isJsonObject(one)) return [];
      const vm = readWireReference(one.vmId);
      return vm === null ? [] : [[key, { vm, port: readWireNumber(one.port) ?? 0 }]];
    }),
  );
}

const encodeRules = (rules: Readonly<Record<string, Rule>>) =>
  Object.fromEntries(Object.entries(rules).map(([key, { vm, port }]) => [key, { vmId: vm, port }]));

const at = ({ project, firewall }: FirewallCommand) => ({
  projectId: project,
  firewallId: firewall,
});

/** A firewall on the wire. */
export const firewallWire = {
  list: ({ projectId }: ResourcePlace) => ({ operation: 'listFirewalls', params: { projectId } }),
  get: ({ projectId }: ResourcePlace, firewallId: string) => ({
    operation: 'getFirewall',
    params: { projectId, firewallId },
  }),
  decode(wire: unknown, { projectId }: ResourcePlace): LiveFirewall {
    const record = readWireRecord<WireFirewall>(wire, 'a firewall');
    return {
      kind: 'firewall',
      id: readWireId(record.id, 'a firewall'),
      projectId,
      name: readWireText(record.name) ?? '',
      status: readLiveText(record.status),
      rules: decodeRules(record.rules),
      ...readCreationTime(wire),
    };
  },
  encode: {
    createFirewall: ({ project, name, rules }: FirewallCommand) => ({
      params: { projectId: project },
      body: { name, rules: encodeRules(rules) },
    }),
    renameFirewall: (command: FirewallCommand) => ({
      params: at(command),
      body: { name: command.name },
    }),
    setFirewallRules: (command: FirewallCommand) => ({
      params: at(command),
      body: { rules: encodeRules(command.rules) },
    }),
    deleteFirewall: (command: FirewallCommand) => ({ params: at(command) }),
  },
};
