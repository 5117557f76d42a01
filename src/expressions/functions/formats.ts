// Functions that put values into a text.
import { defineCostlyFunction } from './define.ts';
import { formatEachListItem, formatWithArguments } from '../notation/format-text.ts';

export const formattingFunctions = [
  defineCostlyFunction(
    {
      is: 'format(template: text, ...values: any): text',
      does: 'The text with a value in each place that `%` marks. `%s` is a text, `%d` a whole number, `%f` a number, `%x` hexadecimal, `%t` true or false, `%q` a text in quotes, `%v` any value. `%05d` pads, `%[2]s` takes the second value, and `%%` is a percent sign.',
      example: ['format("web-%02d", 7)', 'web-07'],
    },
    formatWithArguments,
  ),
  defineCostlyFunction(
    {
      is: 'formatList(template: text, ...values: any): list',
      does: 'A list of texts, made like `format` from each item of the lists. Other values are the same for all.',
      example: [
        'formatList("%s.%s", ["a", "b"], "example.com")',
        ['a.example.com', 'b.example.com'],
      ],
    },
    formatEachListItem,
  ),
];
