import type { SandboxTokenRow } from '../store/rows.ts';

/**
 * Token with every scope that belongs to nobody: for requests that were authorized already, and for changes made in the
 * web console.
 */
export const allScopesToken: SandboxTokenRow = {
  seq: 0,
  id: 'insider',
  name: 'insider',
  valueHash: '',
  scopes: '["full"]',
  expiresAt: null,
  createdAt: 0,
  lastUsedAt: null,
};
