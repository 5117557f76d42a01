/** The colours of a page by light, and on paper. */
export const lightColors = `--bg:#ffffff;--panel:#f6f8fa;--line:#d1d9e0;--fg:#1f2328;--dim:#59636e;--link:#0550ae;
--add:#116329;--add-bg:#e6ffec;--chg:#7d4e00;--chg-bg:#fff8c5;--del:#a40e26;--del-bg:#ffebe9;
--add-mark:#abf2bc;--del-mark:#ffc0c0;--info:#0550ae;--info-bg:#ddf4ff;--focus:#0969da;`;
