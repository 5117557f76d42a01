// Roles of people and tokens, for all workspaces or for one. Every role of a workspace includes viewing it.
import type { Schemas } from '../contract.ts';

/** All roles that a member can have. */
export const roles = [
  'view',
  'plan',
  'approve',
  'apply',
  'admin',
] as const satisfies readonly Schemas['Role'][];

/** Role of a member, such as viewing, planning or approving. */
export type Role = Schemas['Role'];
/** Grant of a role to a member, for one workspace or all. */
export type RoleGrant = Schemas['Grant'];

/** Roles that each role includes. Approving and applying are apart, so that two people can be made to share them. */
const included: Readonly<Record<Role, readonly Role[]>> = {
  view: ['view'],
  plan: ['view', 'plan'],
  approve: ['view', 'approve'],
  apply: ['view', 'plan', 'apply'],
  admin: roles,
};

/** True where one of the granted roles is the role in question, or includes it. */
export function isRoleGranted(granted: readonly Role[], role: Role): boolean {
  return granted.some((one) => included[one].includes(role));
}

/** The role that starts, cancels and repeats runs of an operation. */
export function findRequiredMemberRole(operation: string): Role {
  return ['plan', 'preview', 'drift'].includes(operation) ? 'plan' : 'apply';
}
