/** Why a run cannot be carried out: its log shows the message. */
export class RunFault extends Error {
  override readonly name = 'RunFault';
}
