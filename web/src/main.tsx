// Starts the page.

import { render } from 'preact';
import { takeTokenFrom } from './api/request.ts';
import { App, prepareScreens } from './app.tsx';
import { startHistory } from './navigation/history.ts';
import { letGoWhenLeft } from './state/claims.ts';
import { hasUnsaved } from './state/decisions.ts';
import { askWhoIAm } from './state/me.ts';
import { preferences } from './state/preferences.ts';
import './style/base.css';
import './style/controls.css';
import './style/combobox.css';
import './style/shell.css';
import './style/first-paint.css';
import './style/queue.css';
import './style/card.css';
import './style/queue-grid.css';
import './style/explanation.css';
import './style/object.css';
import './style/object-body.css';
import './style/tag.css';
import './style/lists.css';
import './style/training.css';
import './style/who.css';

takeTokenFrom(() => preferences.get().token);
startHistory();
void askWhoIAm();
letGoWhenLeft();
addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});

const PAUSE = 3000; // milliseconds: first what the open screen needs

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no element with the id "page".');
root.replaceChildren(); // what index.html shows meanwhile
render(<App />, root);
setTimeout(prepareScreens, PAUSE);
