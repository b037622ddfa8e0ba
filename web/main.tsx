import { render } from 'preact';
import { App } from '#web/views/app.tsx';

const root = document.getElementById('app');
if (root) render(<App />, root);
