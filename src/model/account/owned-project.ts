/** Project of the account that another workspace of the team server manages, so that this workspace leaves it alone. */
export interface OtherWorkspaceProject {
  readonly project: string;
  readonly workspace: string;
}
