/** A project of the account that belongs to another workspace of a server. */
export interface OwnedProject {
  readonly project: string;
  readonly workspace: string;
}
