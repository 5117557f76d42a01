import type { TokenRow } from '../store/rows.ts';

/** Nobody's token, with every scope: for what was authorized already, or is done in the console. */
export const allScopesToken: TokenRow = {
  seq: 0,
  id: 'insider',
  name: 'insider',
  valueHash: '',
  scopes: '["full"]',
  expiresAt: null,
  createdAt: 0,
  lastUsedAt: null,
};
