/*
 * Who may read and write which paths of a repository.
 *
 * rules.ts      access files as data; text.ts the part that a project writes; generated.ts the part that the platform writes
 * file.ts       the file that Apache reads; renew.ts writes it anew when something has changed, keeper.ts knows when
 * check.ts      asks Subversion whether it would read a text; trial.ts tells what one would mean
 * path-access.ts  what one person may read, for pages and mails
 *
 * A right that is taken away holds from the next request on.
 */

export { checkAccessText, findAccessFault } from './check.ts';
export { writeAccess } from './file.ts';
export { readGeneratedAccess, readSections } from './generated.ts';
export { AccessKeeper, findServedRepository } from './keeper.ts';
export { type PathAccess, pathAccessOf, requireReadingAll } from './path-access.ts';
export { renewAccess } from './renew.ts';
export { AccessRules } from './rules.ts';
export { membersGroup, renameGroupIn, renamePersonIn } from './text.ts';
export { type AccessTrial, tryAccessText } from './trial.ts';
