/** The colours of a page in a light colour scheme, and on paper. */
export const lightColorsCss = `--bg:#ffffff;--panel:#f6f8fa;--line:#d1d9e0;--fg:#1f2328;--dim:#59636e;--link:#0550ae;
--add:#116329;--add-bg:#e6ffec;--chg:#7d4e00;--chg-bg:#fff8c5;--del:#a40e26;--del-bg:#ffebe9;
--add-mark:#abf2bc;--del-mark:#ffc0c0;--info:#0550ae;--info-bg:#ddf4ff;--focus:#0969da;`;

/** CSS colours of a page in dark mode. */
export const darkColorsCss = `--bg:#0d1117;--panel:#151b23;--line:#3d444d;--fg:#e6edf3;--dim:#9da7b3;--link:#79c0ff;
--add:#56d364;--add-bg:#12261e;--chg:#e3b341;--chg-bg:#2b2411;--del:#ff938a;--del-bg:#301a1e;
--add-mark:#1f5a30;--del-mark:#71292f;--info:#79c0ff;--info-bg:#121d2f;--focus:#58a6ff`;

/** CSS fonts of a page, taken from the reader's computer so that none is loaded. */
export const pageFontsCss = `--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace`;
