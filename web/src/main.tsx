import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startStore } from './store/index.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no place for the application.');
await startStore();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
