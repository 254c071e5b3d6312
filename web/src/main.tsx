import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { languageOf, loadLanguage } from './messages/index.ts';
import { knownPreference, startStore } from './store/index.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no place for the application.');
await startStore();
const spoken = await loadLanguage(languageOf(knownPreference('web.language'), navigator.languages));
createRoot(root).render(
  <StrictMode>
    <App spoken={spoken} />
  </StrictMode>,
);
