import type { Store } from '../store/store.ts';

/** 10.0.0.0/24, 10.1.0.0/24 … 10.255.0.0/24, 10.0.1.0/24 …: one for each network of a project. */
export function nextCidr(store: Store, projectId: string): string {
  const index = store.next(`cidr:${projectId}`) - 1;
  return `10.${index % 256}.${Math.floor(index / 256) % 256}.0/24`;
}
