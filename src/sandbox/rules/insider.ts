import type { SandboxTokenRow } from '../store/rows.ts';

/**
 * A token with every scope that nobody has: for requests that were authorized already, and changes made in the web
 * console.
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
