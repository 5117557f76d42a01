import type { KindEntry } from '../../../src/model/kind-table.ts';

/** Its line in the model's table of kinds. */
export const firewallEntry: KindEntry = {
  collection: 'firewalls',
  within: 'project',
  commands: {
    createFirewall: 'create',
    renameFirewall: 'update',
    setFirewallRules: 'update',
    deleteFirewall: 'delete',
  },
};
