/*
 * New artifacts: the dialog over any page (quick.tsx), and the whole form (page.tsx).
 *
 * form.ts           what is typed, kept as a draft, and sent: read it first
 * form-field.tsx, parent.tsx   one field; faults.ts, first-fault.ts what the server refused, at its field
 */

export { CreationPage } from './page.tsx';
export { CreationHost } from './quick.tsx';
