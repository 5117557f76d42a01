import type { KindExport } from '../export/kind-export.ts';

/** Exports public IPs to a configuration. */
export const publicIpExport: KindExport<'publicIp'> = {
  keyWord: 'ip',
  keyFrom: ({ address }) => (address === null ? '' : `ip-${address}`),
  describe: () => ({ fields: {} }),
};
