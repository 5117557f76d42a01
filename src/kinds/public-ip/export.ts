import type { KindExport } from '../export/kind-export.ts';

/** Public IPs as a configuration would say them. */
export const publicIpExport: KindExport<'publicIp'> = {
  keyWord: 'ip',
  keyFrom: ({ address }) => (address === null ? '' : `ip-${address}`),
  describe: () => ({ fields: {} }),
};
