/** A text in quotes, as CEL has them: raw, of bytes, in three quotes. */
export const celStringPattern = String.raw`[bBrR]{0,2}(?:"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`;
