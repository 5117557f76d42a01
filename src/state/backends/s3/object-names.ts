// Names of a state's objects, below its key: the lock, the log of all writes, and the texts that the log uses. Numbers have
// equally many digits, so that names sort in the order of the numbers.

/** Name of the object with the lock. */
export const lockObjectName = 'lock.json';

/** Prefix of the objects with whole files of the state. */
export const bucketStateFileFolder = 'texts/';

/** Prefix of the objects with entries of the state's log. */
export const bucketLogFolder = 'log/';

/**
 * Slot of the state's log, which holds one entry. Each epoch has its own log; within it, a generation begins with a
 * manifest, number 0, followed by what is appended to the files.
 */
export interface BucketLogSlot {
  readonly epoch: number;
  readonly generation: number;
  readonly number: number;
}

const digits = 12;

function pad(value: number): string {
  return String(value).padStart(digits, '0');
}

/** The prefix of the objects in one epoch's log. */
export function nameEpochFolder(epoch: number): string {
  return `${bucketLogFolder}${pad(epoch)}/`;
}

/** Prefix of all objects of a generation, which sorts after all earlier ones. */
export function formatLogGenerationName({
  epoch,
  generation,
}: Omit<BucketLogSlot, 'number'>): string {
  return `${nameEpochFolder(epoch)}${pad(generation)}`;
}

/** The name of the object that holds a slot of the log. */
export function formatLogSlotName(slot: BucketLogSlot): string {
  return `${formatLogGenerationName(slot)}/${pad(slot.number)}`;
}

/** The slot of the log that an object holds; undefined for any other object. */
export function parseLogSlotName(name: string): BucketLogSlot | undefined {
  const [, epoch, generation, number] = /^log\/(\d{12})\/(\d{12})\/(\d{12})$/.exec(name) ?? [];
  return epoch === undefined
    ? undefined
    : { epoch: Number(epoch), generation: Number(generation), number: Number(number) };
}

/** Makes the name of the object for a whole file of the state, which is written in an epoch. */
export function nameStateFileObject(epoch: number, id: string): string {
  return `${bucketStateFileFolder}${pad(epoch)}-${id}`;
}

/** Parses the epoch from the name of an object with a whole file of the state; undefined for any other name. */
export function parseStateFileObjectEpoch(name: string): number | undefined {
  const [, epoch] = /^texts\/(\d{12})-/.exec(name) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/** Parses the epoch in which an object was written from its name; undefined for an object without an epoch. */
export function parseObjectEpoch(name: string): number | undefined {
  return parseLogSlotName(name)?.epoch ?? parseStateFileObjectEpoch(name);
}

/** The name of the object that a trial of conditional writes uses. */
export function nameProbeObject(id: string): string {
  return `probe/${id}`;
}
