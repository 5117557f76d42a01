/** Names on a server: of workspaces, of connections, of variable sets. */
const shortName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Tells whether a workspace, a connection or a set of variables of the team server may have this name. */
export function isTeamServerObjectName(name: string): boolean {
  return shortName.test(name);
}
