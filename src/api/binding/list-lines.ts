// A binding line by line, as people read it: what is spelled as the contract does, what otherwise, and how well it is known.
import type { Binding, FieldBindingLine } from '../../model/account/binding.ts';
import type { ContractLine } from '../../model/account/contract-lines.ts';
import { operationIds } from '../contract/operation-ids.ts';
import { routes } from '../contract/routes.ts';
import { enumWords, operationShapes, recordShapes } from '../contract/shapes.ts';

/**
 * Evidence for lines of a contract file: lines that the service's own API document confirms, and lines that answers of the
 * account have shown to be right.
 */
export interface BindingLineEvidence {
  readonly confirmed: ReadonlySet<string>;
  /** Lines that answers have shown to be right, each with its spelling at that time: another spelling is unproven. */
  readonly observed: Readonly<Record<string, string>>;
}

const nothingKnown: BindingLineEvidence = { confirmed: new Set(), observed: {} };

/**
 * Lists every line of a binding for review: operations, the members of answers and of requests, and everything else that a
 * contract file can say, such as values that are sent in addition.
 */
export function listBindingLines(
  binding: Binding,
  known: BindingLineEvidence = nothingKnown,
): readonly ContractLine[] {
  const lines = [
    ...listOperations(binding),
    ...listMembers(binding),
    ...listWords(binding),
    ...listEnvelopes(binding),
    ...listPlaces(binding),
    ...listAdditions(binding),
  ];
  // Evidence of the contract says nothing of another spelling.
  const ofOther = binding.document ? 'confirmed' : 'assumed';
  return lines.map((line) => {
    const own = line.state === 'same' ? line : ({ ...line, evidence: ofOther } as const);
    return { ...own, evidence: weigh(own, known) };
  });
}

function weigh(
  { line, theirs, evidence }: ContractLine,
  { confirmed, observed }: BindingLineEvidence,
): ContractLine['evidence'] {
  if (Object.hasOwn(observed, line) && observed[line] === theirs) return 'observed';
  return confirmed.has(line) ? 'confirmed' : evidence;
}

function listOperations({ operations = {} }: Binding): readonly ContractLine[] {
  return operationIds.map((name) => {
    const ours = `${routes[name].method} ${routes[name].path}`;
    const theirs = operations[name];
    const { evidence } = operationShapes[name];
    return {
      line: `operations.${name}`,
      ours,
      theirs: theirs ?? ours,
      ...compareLine(theirs, ours),
      evidence,
    };
  });
}

function listMembers({ fields = {}, units = {} }: Binding): readonly ContractLine[] {
  const bodies = operationIds.flatMap((name) => {
    const { body } = operationShapes[name];
    return body === undefined ? [] : [[name, body] as const];
  });
  const sent = new Set(bodies.map(([, record]) => record));
  const answered = Object.keys(recordShapes)
    .filter((record) => !sent.has(record))
    .map((record) => [record, record] as const);
  return [...answered, ...bodies].flatMap(([owner, record]) =>
    Object.entries(recordShapes[record] ?? {}).map(([member, shape]) => {
      const ours = `/${member}`;
      const isOpen = units[owner]?.[member] === 'open';
      const theirs = isOpen ? 'open' : writeField(fields[owner]?.[member]);
      const { evidence = 'assumed' } = shape;
      return {
        line: `fields.${owner}.${member}`,
        ours,
        theirs: theirs ?? ours,
        ...compareLine(theirs, ours),
        evidence,
      };
    }),
  );
}

function listWords({ enums = {} }: Binding): readonly ContractLine[] {
  return Object.entries(enums).flatMap(([name, words]) =>
    (enumWords[name] ?? []).flatMap((ours) => {
      const theirs = words[ours];
      if (theirs === undefined) return [];
      const text = [theirs].flat().join(', ');
      const line = `enums.${name}.${ours}`;
      return [
        { line, ours, theirs: text, ...compareLine(text, ours), evidence: 'assumed' as const },
      ];
    }),
  );
}

function listEnvelopes({ lists = {} }: Binding): readonly ContractLine[] {
  return Object.entries(lists).map(([name, line]) => {
    const own = { line: `lists.${name}`, ours: '', evidence: 'assumed' as const };
    if (line === 'open') return { ...own, theirs: line, state: line };
    const { items, total, page } = line;
    const parts = [
      ...(items === undefined ? [] : [items === '' ? 'the answer is the list' : `items ${items}`]),
      ...(total === undefined ? [] : [`total ${total}`]),
      ...(page ? [page.by === 'none' ? 'not paged' : `by ${page.by}`] : []),
    ];
    return { ...own, theirs: parts.join(', '), state: 'otherwise' as const };
  });
}

function listPlaces({ parameters = {} }: Binding): readonly ContractLine[] {
  return operationIds.flatMap((name) =>
    Object.entries(parameters[name] ?? {}).map(([parameter, theirs]) => {
      const { params, query } = operationShapes[name];
      const ours = params.includes(parameter)
        ? `path ${parameter}`
        : query.includes(parameter)
          ? `query ${parameter}`
          : `body /${parameter}`;
      const line = `parameters.${name}.${parameter}`;
      return { line, ours, theirs, ...compareLine(theirs, ours), evidence: 'assumed' as const };
    }),
  );
}

/** Lines for which the contract has no word: constants, the places of records in answers, units, and the types of ids. */
function listAdditions({
  answers = {},
  constants = {},
  ids = {},
  units = {},
}: Binding): readonly ContractLine[] {
  const own = { ours: '', state: 'otherwise', evidence: 'assumed' } as const;
  return [
    ...Object.entries(constants).map(([name, places]) => ({
      ...own,
      line: `constants.${name}`,
      theirs: Object.entries(places)
        .flatMap(([place, values]: [string, object]) =>
          Object.entries(values).map(([at, value]) => `${place} ${at} ${JSON.stringify(value)}`),
        )
        .join(', '),
    })),
    ...Object.entries(answers).map(([name, at]) => ({
      ...own,
      line: `answers.${name}`,
      theirs: at === '' ? 'the whole answer' : at,
    })),
    ...Object.entries(units).flatMap(([record, members]) =>
      Object.entries(members).flatMap(([member, unit]) =>
        unit === 'open' ? [] : [{ ...own, line: `units.${record}.${member}`, theirs: unit }],
      ),
    ),
    ...Object.entries(ids).map(([record, type]) => ({
      ...own,
      line: `ids.${record}`,
      theirs: type,
    })),
  ];
}

function compareLine(theirs: string | undefined, ours: string): Pick<ContractLine, 'state'> {
  if (theirs === undefined || theirs === ours) return { state: 'same' };
  return { state: theirs === 'none' || theirs === 'open' ? theirs : 'otherwise' };
}

function writeField(line: FieldBindingLine | undefined): string | undefined {
  return line === undefined || typeof line === 'string' ? line : line.at;
}
