// Lines that a terminal would break in the middle of a word, broken between words instead.
import { measureTerminalWidth } from './measure.ts';

// eslint-disable-next-line no-control-regex -- the escape character opens every sequence
const colorCode = /\u001b\[(\d+)m/g;
const codes = `(?:${colorCode.source.replaceAll(/[()]/g, '')})*`;
/**
 * Pieces of a line that stay together where they fit, with their colours: an arrow and the value behind it, a short
 * remark, a number and its noun, and the words in place of a value.
 */
const token = (() => {
  const whole = String.raw`->${codes} \S+|# forces \w+|\((?:known after apply|sensitive value)\)|\d+ [a-z]+`;
  return new RegExp(String.raw`${codes}(?:${whole})\S*|\S+`, 'g');
})();
/** Matches the left edge of a diagnostic's box, with its colour codes. */
const edge = new RegExp(`^${codes}│${codes} `);
const colorEnds: Readonly<Record<string, string>> = { 1: '22' };

/**
 * Breaks a line, colours and all, into lines of at most `room` cells. Further lines are indented by four cells more,
 * behind a `#` where the line is a comment; by less where a word needs the room. A longer word is broken before its
 * dots, as an address can be; a word without a dot runs over, alone on its line. In a box, every line has its edge.
 */
export function breakLine(line: string, room: number): string[] {
  if (measureTerminalWidth(line) <= room) return [line];
  const [side] = edge.exec(line) ?? [];
  if (side !== undefined) {
    return breakLine(line.slice(side.length), room - measureTerminalWidth(side)).map(
      (one) => side + one,
    );
  }
  const bare = line.replaceAll(colorCode, '');
  const indent = /^ */.exec(bare)?.[0] ?? '';
  const isComment = bare.startsWith('#', indent.length);
  const lead = isComment ? `${indent}# ` : `${indent}    `;
  const start = (before: string, text: string, least = 0) => {
    const depth = Math.max(least, Math.min(before.length, room - measureTerminalWidth(text)));
    return before.slice(before.length - depth) + text;
  };
  const lines: string[] = [];
  for (const { gap, text } of splitTokens(line)) {
    const fits = measureTerminalWidth((lines.at(-1) ?? '') + gap + text) <= room;
    const isLong = measureTerminalWidth(text) > room - lead.length;
    const pieces = fits || !isLong ? [text] : breakAddressAtDots(text, room - lead.length);
    for (const [index, piece] of pieces.entries()) {
      const longer = (lines.at(-1) ?? '') + (index === 0 ? gap : '') + piece;
      if (measureTerminalWidth(longer) <= room && lines.length > 0) lines.splice(-1, 1, longer);
      else if (lines.length > 0) lines.push(start(lead, piece, isComment ? 2 : 0));
      else lines.push(start(gap, piece));
    }
  }
  return keepColors(lines);
}

/** Splits a line into words, each with the spaces before it. */
function splitTokens(line: string): { readonly gap: string; readonly text: string }[] {
  let end = 0;
  return [...line.matchAll(token)].map(({ 0: text, index }) => {
    const gap = line.slice(end, index);
    end = index + text.length;
    return { gap, text };
  });
}

/** Breaks an address before its dots into pieces of at most `room` terminal cells; a part without a dot may be longer. */
export function breakAddressAtDots(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const piece of text.split(/(?=[.])/)) {
    const longer = (lines.at(-1) ?? '') + piece;
    if (lines.length > 0 && measureTerminalWidth(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(piece);
  }
  return lines;
}

/** Ends the colours of a line at its end, and begins them anew on the next line. */
function keepColors(lines: readonly string[]): string[] {
  let open: readonly string[] = [];
  return lines.map((line) => {
    const start = open.map((code) => `\u001b[${code}m`).join('');
    for (const [, code = ''] of line.matchAll(colorCode)) {
      open = isEnd(code) ? open.filter((one) => endOf(one) !== code) : [...open, code];
    }
    const ends = open.map((code) => `\u001b[${endOf(code)}m`);
    return start + line + ends.reverse().join('');
  });
}

const endOf = (code: string): string => colorEnds[code] ?? '39';
const isEnd = (code: string): boolean => code === '22' || code === '39';
