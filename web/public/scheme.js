// The colours the reader chose, before the first paint: the page itself comes later, and must not flash. The key is that of
// src/state/preferences.ts.
try {
  const scheme = JSON.parse(localStorage.getItem('tagloom.preferences') ?? '{}').scheme;
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme;
} catch {
  // no storage, or not ours: as the system has it
}
