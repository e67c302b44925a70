// The look of a report: light and dark by the reader's system, one column that a phone can show, tables and figures that
// scroll in their own boxes, and paper. All colours are variables; --c0 to --c9 are those of models and clusters, dark
// enough (or light enough) to be read as text.

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --surface: #ffffff; --ink: #1c1d21; --soft: #585b63; --line: #dcdcd8; --head: #efefec; --shade: #0003;
  --link: #1a56b0; --right: #116b3a; --right-back: #e3f4e9; --focus: #1a56b0;
  --c0: #1f5fbf; --c1: #c2410c; --c2: #0f766e; --c3: #a21caf; --c4: #4d7c0f;
  --c5: #b91c1c; --c6: #6d28d9; --c7: #8a5a00; --c8: #0369a1; --c9: #57534e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131418; --surface: #1b1d22; --ink: #e9e9ec; --soft: #a9adb8; --line: #363942; --head: #24262d; --shade: #000b;
    --link: #8ab8ff; --right: #86e0a8; --right-back: #16382a; --focus: #8ab8ff;
    --c0: #7cb0ff; --c1: #ff9a5c; --c2: #4fd1c5; --c3: #e88bf0; --c4: #a3d65c;
    --c5: #ff8585; --c6: #b79cff; --c7: #e5b94f; --c8: #6cc8f5; --c9: #c4beb8;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header, main { max-width: 74rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2.5rem; }
main { padding-bottom: 4rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.5rem, 1.1rem + 2vw, 2.25rem); margin: 0 0 .5rem; letter-spacing: -.015em; }
h2 { font-size: 1.4rem; margin: 3rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
.panel-title { font-size: .9rem; margin: 0 0 .35rem; }
p { margin: .5rem 0; max-width: 75ch; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
small { font-size: .8em; color: var(--soft); font-weight: 400; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--surface); padding: .5rem 1rem; }
.meta, .note, .download, figcaption { color: var(--soft); }
.note, .download { font-size: .875rem; max-width: 100ch; }
.download { margin: .35rem 0 0; }
.command { display: block; padding: .6rem .8rem; background: var(--head); border-radius: 6px; }
.command span { display: inline-block; max-width: 100%; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; list-style: none; padding: 0; margin: 1.25rem 0 0; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
.scroll {
  overflow-x: auto; margin-top: .75rem; border: 1px solid var(--line); border-radius: 8px;
  /* a shadow at each side where there is more to see: the covers scroll along, the shadows stay */
  background:
    linear-gradient(to right, var(--surface) 40%, transparent) left / 2.5rem 100% local no-repeat,
    linear-gradient(to left, var(--surface) 40%, transparent) right / 2.5rem 100% local no-repeat,
    linear-gradient(to right, var(--shade), transparent) left / .9rem 100% no-repeat,
    linear-gradient(to left, var(--shade), transparent) right / .9rem 100% no-repeat,
    var(--surface);
}
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { caption-side: top; text-align: left; padding: .65rem .75rem; font-weight: 600; }
caption span { display: inline-block; position: sticky; left: .75rem; max-width: calc(100vw - 4.5rem); }
th, td { padding: .4rem .65rem; text-align: right; vertical-align: baseline; border-top: 1px solid var(--line); }
td { white-space: nowrap; }
thead th, thead td { background: var(--head); font-weight: 600; vertical-align: bottom; }
th[scope="colgroup"] { text-align: center; }
tr > :first-child { text-align: left; }
tbody th { font-weight: 500; }
tbody th[scope="row"], thead tr:first-child > :first-child {
  position: sticky; left: 0; background: var(--surface); white-space: nowrap;
}
thead tr:first-child > :first-child { background: var(--head); }
thead tr:nth-child(2) > :first-child { text-align: right; }
td small { display: block; }
td.paper, th.paper { color: var(--soft); font-style: italic; }
td.text { text-align: left; white-space: normal; min-width: 7.5rem; }
tbody strong { font-weight: 750; }
tr.object th { text-align: left; font-weight: 400; background: var(--head); padding-top: .6rem; }
tr.object .title { font-weight: 650; }
tr.object .facts { color: var(--soft); display: block; max-width: min(75ch, calc(100vw - 4.5rem)); position: sticky; left: .75rem; }
thead:has(+ tbody .object) th:not(:first-child) { text-align: left; }
.right {
  color: var(--right); background: var(--right-back); border-radius: 4px; padding: .05rem .3rem; font-weight: 650;
  -webkit-box-decoration-break: clone; box-decoration-break: clone;
}
figure {
  margin: 1rem 0; padding: .85rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px;
}
figcaption { font-size: .9rem; max-width: 100ch; margin-bottom: .75rem; }
figcaption strong { color: var(--ink); }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1.5rem 1.75rem; }
.panel { min-width: 0; max-width: 30rem; }
.plot { display: block; width: 100%; height: auto; overflow: visible; font-size: 11px; }
.plot text, .plot tspan { white-space: pre; }
.clusters { list-style: none; margin: .5rem 0 0; padding: 0; font-size: .8125rem; line-height: 1.4; }
.clusters li { display: grid; grid-template-columns: 1rem 1fr; overflow-wrap: anywhere; margin: .15rem 0; }
.clusters li > * { grid-column: 2; }
.clusters .swatch { grid-column: 1; width: .65rem; height: .65rem; border-radius: 50%; margin-top: .3rem; }
${Array.from({ length: 10 }, (_, i) => `.swatch-${i} { background: var(--c${i}); }`).join('\n')}
@media print {
  body { background: none; font-size: 10pt; }
  nav, .download, .skip { display: none; }
  figure, .scroll { break-inside: avoid; overflow: visible; }
}
`;
