import { render } from 'preact';
import { App } from './app.tsx';
import { keepSending } from './device/queue.ts';
import './style.css';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no place for the console');
render(<App />, root);
keepSending();

if ('serviceWorker' in navigator) {
  window.addEventListener('load', () => {
    navigator.serviceWorker.register('/service-worker.js').catch((error: unknown) => {
      // Without it the console works, but not without a network.
      console.warn('no service worker', error);
    });
  });
}
