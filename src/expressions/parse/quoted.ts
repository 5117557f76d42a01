/** Pattern of a quoted text in CEL, also a raw one, one of bytes, and one in three quotes. */
export const celStringPattern = String.raw`[bBrR]{0,2}(?:"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')`;
