// Starts the page on which a user trains.

import { render } from 'preact';
import { tabReviews } from './tab-reviews.ts';
import { TrainPage } from './train-page.tsx';
import { start, trainState } from './train-state.ts';
import '../style/base.css';
import '../style/controls.css';
import '../style/combobox.css';
import '../style/shell.css';
import '../style/first-paint.css';
import '../style/explanation.css';
import '../style/object.css';
import '../style/object-body.css';
import '../style/lists.css';
import '../style/about.css';
import '../style/train.css';
import '../style/columns.css';
import '../style/tab-review.css';

addEventListener('beforeunload', (event) => {
  const { actions, isKept } = tabReviews.get();
  if (trainState.get().run.state === 'running' || (!isKept && actions.length > 0)) event.preventDefault();
});

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no element with the id "page".');
root.replaceChildren(); // what index.html shows meanwhile
render(<TrainPage />, root);
start();
