import type { KindExport } from '../export/kind-export.ts';

/** Public IPs as a configuration would say them. */
export const publicIpExport: KindExport<'publicIp'> = {
  keyWord: 'ip',
  // At a VM's `publicIp`.
  reservedKeys: ['new', 'none'],
  keyFrom: ({ address }) => (address === null ? '' : `ip-${address}`),
  describe: () => ({ fields: {} }),
};
