// What the program prints on a terminal beside text. Each of the two splits output into what is printed and its argument.

/** A change of colour, with its code. */
// eslint-disable-next-line no-control-regex -- the escape character opens every sequence
export const colorChange = /\u001b\[(\d+)m/g;

/** Lines that were drawn are erased, with their number. */
// eslint-disable-next-line no-control-regex -- as above
export const erasure = /\u001b\[(\d+)A\r\u001b\[J/;

/** A mode of the terminal is set or taken back, with its number and `h` or `l`: its cursor (25), a frame drawn at once (2026). */
// eslint-disable-next-line no-control-regex -- as above
export const modeChange = /\u001b\[\?(25|2026)([hl])/g;
