// The style of the reference at /docs and of the page for addresses that are not there: one column on a phone, the list of
// operations beside the text where there is room, light or dark as the system has it. The colours are those of the page.

export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --page: #f4f4f1; --surface: #fff; --sunk: #ecece7; --ink: #1b1d22; --soft: #565a64; --line: #d8d8d2;
  --accent: #2b4c8c; --accent-back: #e4eaf6; --fault: #a3261f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131519; --surface: #1b1e24; --sunk: #101216; --ink: #e8e9ec; --soft: #a8adb8; --line: #343842;
    --accent: #9db8ef; --accent-back: #22304d; --fault: #ff9d94;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 0.9375rem / 1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--accent); }
a:focus-visible, pre:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1, h2, h3, h4 { line-height: 1.25; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.0625rem; margin: 0 0 0.25rem; }
h4 { font-size: 0.9375rem; margin: 1rem 0 0.25rem; }
p { margin: 0 0 0.75rem; max-width: 46rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.8125rem; }
code { overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.75rem; overflow-x: auto; background: var(--sunk); border-radius: 6px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
td:first-child { min-width: 7rem; }
ul { margin: 0; padding: 0; list-style: none; }
.docs { max-width: 78rem; margin: 0 auto; padding: 1rem; }
.docs nav { margin-bottom: 1rem; }
.docs nav h2 { font-size: 0.9375rem; margin: 0.75rem 0 0.25rem; }
.docs nav a { display: block; min-height: 2.75rem; padding: 0.65rem 0; overflow-wrap: anywhere; }
.operation, .shape {
  background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; margin: 0 0 1rem;
}
.operation:target, .shape:target { border-color: var(--accent); }
.method {
  display: inline-block; min-width: 4.25rem; padding: 0 0.4rem; margin-right: 0.4rem; border-radius: 4px;
  background: var(--accent-back); color: var(--accent); text-align: center;
}
.required, .fault { color: var(--fault); }
.soft { color: var(--soft); }
.lost { max-width: 34rem; margin: 15vh auto 0; padding: 1rem; }
@media (min-width: 62rem) {
  .docs { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2rem; }
  .docs nav a { min-height: 0; padding: 0.25rem 0; }
  .docs nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 0; }
}
`;
