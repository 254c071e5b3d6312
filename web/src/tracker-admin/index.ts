/*
 * The administration of a tracker: `/trackers/{id}/admin/…`.
 *
 * page.tsx          which page an address names: read it first; calls.ts all that is asked and changed
 * form/             its form: canvas, settings of an element, preview; form-elements.ts what forms are built of
 * permissions/  workflow/   who may what, and steps between states; settings/ all other pages
 * colours.tsx, typed-field.tsx   controls that several of them have; work.module.css how the large ones look
 */

export { TrackerAdminPage } from './page.tsx';
