export { CreationPage } from './page.tsx';
export { CreationHost } from './quick.tsx';
