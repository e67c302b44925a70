// What cannot wait for the page's own script: the colours the reader chose, before the first paint, since the page must not
// flash, and a word to those whom that script does not reach. The key is that of src/state/preferences.ts.
try {
  const scheme = JSON.parse(localStorage.getItem('tagloom.preferences') ?? '{}').scheme;
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme;
} catch {
  // no storage, or not ours: as the system has it
}
addEventListener(
  'error',
  ({ target }) => {
    const waiting = document.querySelector('#first-waiting');
    if (target instanceof HTMLScriptElement && waiting !== null)
      waiting.textContent = 'A part of the page could not be loaded. Check the connection, then load the page again.';
  },
  true,
);
