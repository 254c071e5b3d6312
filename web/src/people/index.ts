/*
 * The page of a person (page.tsx): who they are, and what they share with whoever looks.
 */

export { PersonPage } from './page.tsx';
