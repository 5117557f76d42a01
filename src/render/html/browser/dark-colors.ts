/** The colours of a page by dark. */
export const darkColors = `--bg:#0d1117;--panel:#151b23;--line:#3d444d;--fg:#e6edf3;--dim:#9da7b3;--link:#79c0ff;
--add:#56d364;--add-bg:#12261e;--chg:#e3b341;--chg-bg:#2b2411;--del:#ff938a;--del-bg:#301a1e;
--add-mark:#1f5a30;--del-mark:#71292f;--info:#79c0ff;--info-bg:#121d2f;--focus:#58a6ff`;
