// docs/functions.md, made from the functions themselves: what the page says of them is what they do.
import { functionGroups } from '../../src/expressions/functions/catalogue.ts';
import type { FunctionDescription } from '../../src/expressions/functions/define.ts';
import {
  terraformFunctions,
  type TerraformCounterpart,
} from '../../src/expressions/functions/terraform-names.ts';
import type { Value } from '../../src/model/value.ts';
import { anchorOf, wrap } from './markdown.ts';

const header = `# Functions

<!-- Made by \`npm run generate\` from src/expressions/functions. Do not edit. -->

Expressions (\`\${…}\`) are written in [CEL](https://github.com/google/cel-spec) and may call the
functions below. They do what Terraform's functions do, under names in camel case.

- A value that is known only after apply makes the result known only after apply. In a list or a map
  it stays in its place: \`size\`, \`keys\`, \`in\`, \`merge\`, loops and the other items are known.
- A sensitive argument makes the result sensitive, also a checksum or base64 of it.
- Every function has a limit of time and size. Beyond it the expression is an error
  (\`expression-too-costly\`).
- Patterns are those of [RE2](https://github.com/google/re2/wiki/Syntax).
- Arguments are not converted: write \`string(x)\`, \`int(x)\` or \`double(x)\`, as in CEL.

## Loops

| loop                                                  | what it makes                                |
| ----------------------------------------------------- | -------------------------------------------- |
| \`list.map(x, …)\`, \`list.map(x, condition, …)\`      | a list                                       |
| \`list.filter(x, condition)\`                         | the items for which it is true               |
| \`list.all(x, …)\`, \`.exists(x, …)\`, \`.exists_one\` | whether it is true for all, any or one       |
| \`map.transformMap(k, v, …)\`                         | a map with the same keys                     |
| \`map.transformMap(k, v, condition, …)\`              | the same, of the entries for which it is true |
| \`map.transformList(k, v, …)\`                        | a list                                       |

Each takes lists and maps. With one variable, a loop over a map goes through its keys. With two, \`k\`
is the key, or the number of an item, and \`v\` the value; \`all\`, \`exists\` and \`exists_one\` take two,
too. Maps are always walked by their sorted keys, as \`keys()\` and \`values()\` do.

\`\`\`cel
{"b": 1, "a": 2}.transformList(k, v, k + string(v))
// ["a2", "b1"]
\`\`\`

## By subject
`;

const ofTerraform = `## Terraform's functions

The functions of Terraform 1.11, and what takes their place. In general:

- Terraform makes all items of a list one type. Here each item keeps its own.
- \`7 / 2\` is 3.5, as in Terraform; in plain CEL it is 3. Write \`int(7 / 2)\` for a whole number.
- CEL has no \`list...\`. Functions that are called so in Terraform also take one list.
`;

/** A value as CEL writes it. */
function show(value: Value): string {
  return JSON.stringify(value)
    .replace(/,(?=["[{\d])/g, ', ')
    .replaceAll('":', '": ');
}

function describe({ name, signature, summary, example: [call, gives] }: FunctionDescription) {
  return `### ${name}\n\n\`${signature}\`\n\n${wrap(summary)}\n\n\`\`\`cel\n${call}\n// ${show(gives)}\n\`\`\`\n`;
}

function showCounterpart(counterpart: TerraformCounterpart): readonly [string, string] {
  switch (counterpart.kind) {
    case 'function': {
      const { name, note = '' } = counterpart;
      return [`[\`${name}\`](#${anchorOf(name)})`, note];
    }
    case 'expression':
      return [`\`${counterpart.write}\``, counterpart.note ?? ''];
    case 'none':
      return ['none', counterpart.why];
  }
}

/** The page. */
export function renderFunctionsPage(): string {
  const index = functionGroups.map(({ title, functions }) => {
    const links = functions.map(({ name }) => `[${name}](#${anchorOf(name)})`);
    return wrap(`- [${title}](#${anchorOf(title)}): ${links.join(', ')}`).replaceAll('\n', '\n  ');
  });
  const groups = functionGroups.map(
    ({ title, functions }) => `## ${title}\n\n${functions.map(describe).join('\n')}`,
  );
  const rows = [...terraformFunctions].map(([name, counterpart]) => {
    const cells = showCounterpart(counterpart).map((cell) => cell.replaceAll('|', String.raw`\|`));
    return `| \`${name}\` | ${cells.join(' | ')} |`;
  });
  const table = ['| Terraform | Here | |', '| --- | --- | --- |', ...rows].join('\n');
  return [
    header,
    `${[...index, "- [Terraform's functions](#terraforms-functions)"].join('\n')}\n`,
    ...groups,
    ofTerraform,
    table,
  ].join('\n');
}
