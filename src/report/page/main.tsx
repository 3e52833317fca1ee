/** Starts the page in the place of the summary that is there for readers without JavaScript. */
import { render } from 'preact';
import { App } from './app.tsx';
import { readEmbedded } from './read-embedded.ts';

const root = document.getElementById('app');

if (root) {
  readEmbedded(document).then(
    (report) => {
      root.replaceChildren();
      root.classList.add('is-live');
      render(<App report={report} />, root);
    },
    (error: unknown) => {
      const note = document.createElement('p');
      note.className = 'broken';
      note.textContent = `The report cannot be opened: ${String(error)}. The summary below is all that can be shown.`;
      root.prepend(note);
    },
  );
}
