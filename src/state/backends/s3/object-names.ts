// How the objects of a state are named, below its key: the lock, the log of what was written, and the texts that the log
// names. Numbers have as many digits each, so that names sort as what they count.

/** The object of the lock. */
export const lockName = 'lock.json';

/** What the names of texts begin with. */
export const textFolder = 'texts/';

/** What the names of the log begin with. */
export const logFolder = 'log/';

/**
 * A place of the log. Each epoch writes its own log; within it, a generation begins with a manifest, number 0, and goes
 * on with what grows since.
 */
export interface Slot {
  readonly epoch: number;
  readonly generation: number;
  readonly number: number;
}

const digits = 12;

function pad(value: number): string {
  return String(value).padStart(digits, '0');
}

/** The folder of an epoch's log. */
export function epochFolder(epoch: number): string {
  return `${logFolder}${pad(epoch)}/`;
}

/** What sorts before all of a generation, and after all before it. */
export function generationName({ epoch, generation }: Omit<Slot, 'number'>): string {
  return `${epochFolder(epoch)}${pad(generation)}`;
}

/** The object of a slot. */
export function slotName(slot: Slot): string {
  return `${generationName(slot)}/${pad(slot.number)}`;
}

/** The slot of an object; undefined for any other name. */
export function slotOf(name: string): Slot | undefined {
  const [, epoch, generation, number] = /^log\/(\d{12})\/(\d{12})\/(\d{12})$/.exec(name) ?? [];
  return epoch === undefined
    ? undefined
    : { epoch: Number(epoch), generation: Number(generation), number: Number(number) };
}

/** The object of a text that an epoch writes. */
export function textName(epoch: number, id: string): string {
  return `${textFolder}${pad(epoch)}-${id}`;
}

/** The epoch that wrote a text; undefined for any other name. */
export function epochOfText(name: string): number | undefined {
  const [, epoch] = /^texts\/(\d{12})-/.exec(name) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/** The epoch that wrote an object; undefined for what has none. */
export function epochOfObject(name: string): number | undefined {
  return slotOf(name)?.epoch ?? epochOfText(name);
}

/** The object of a trial. */
export function probeName(id: string): string {
  return `probe/${id}`;
}
