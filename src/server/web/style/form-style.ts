/** CSS of forms, buttons and fields. */
export const formStyle = `
button,.button{display:inline-block;font:inherit;font-weight:600;font-size:.9rem;line-height:1.4;padding:.35rem .9rem;border:1px solid var(--line);border-radius:6px;background:var(--panel);color:var(--fg);cursor:pointer}
button:hover,.button:hover{border-color:var(--dim);text-decoration:none}
.button,p .button{text-decoration:none}
.primary,button.primary{background:var(--solid);border-color:var(--solid);color:var(--on-solid)}
.primary:hover{filter:brightness(1.1)}
.danger,button.danger{color:var(--del);border-color:var(--del);background:none}
.danger:hover{background:var(--del-bg)}
button.quiet{background:none;border-color:transparent;font-weight:400;color:var(--dim)}
button.quiet:hover{color:var(--fg);border-color:var(--line)}
input,textarea,select{font:inherit;color:inherit;padding:.35rem .6rem;border:1px solid var(--dim);border-radius:6px;background:var(--bg);max-width:100%}
input[type=checkbox]{width:1rem;height:1rem;margin:0;accent-color:var(--solid)}
input::placeholder,textarea::placeholder{color:var(--dim);opacity:1}
textarea{font:.875rem/1.5 var(--mono);width:100%;resize:vertical}
.form,.sign-in{max-width:44rem}
.form p>select{display:block;min-width:16rem}
.form p>input:not([type=checkbox]),.sign-in p>input{display:block;width:100%}
.form label,.sign-in label{font-weight:600;font-size:.9rem}
.form p,.sign-in p{margin:0 0 1rem}
.hint{display:block;font-size:.85rem}
.check{display:flex;gap:.5rem;align-items:center}
.form .check label,label.check{font-weight:400;font-size:inherit}
.pair{display:grid;gap:0 1rem;grid-template-columns:1fr 1fr;align-items:start}
fieldset{min-width:0;margin:1.5rem 0;padding:1rem 1.25rem .25rem;border:1px solid var(--line);border-radius:8px}
legend{font-weight:700;padding:0 .4rem}
.variables{width:100%;border-collapse:collapse;margin-bottom:1rem}
.variables th,.variables td{text-align:left;font-weight:400;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
.variables td:nth-child(2){width:50%}.variables input[type=password]{width:100%}
.sign-in{max-width:26rem;margin:8vh auto 0}
.sign-in button{width:100%;padding:.5rem}
.sign-in .wide{display:block;text-align:center;padding:.5rem}
.sign-in .hint{margin-top:1.5rem}
.approval textarea{margin:.25rem 0 .75rem}
.decisions{list-style:none;margin:.5rem 0;padding:0}
.decisions li{margin:.4rem 0;overflow-wrap:anywhere}
.more{margin:1rem 0}
.more summary{cursor:pointer;color:var(--link)}
.more .form{margin-top:1rem}
.danger-zone{margin-top:2.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:8px}
.danger-zone summary{cursor:pointer;color:var(--del);font-weight:600}
.danger-zone form{margin-top:.75rem}
.line{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0 .25rem}
.line input{flex:0 1 20rem}
@media (max-width:40rem){.pair{grid-template-columns:1fr}
.variables,.variables tbody,.variables tr,.variables th,.variables td{display:block;width:auto!important;border:0;padding:.15rem 0}
.variables tr{border-bottom:1px solid var(--line);padding:.4rem 0}}
`;
