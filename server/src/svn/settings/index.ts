/*
 * Settings of a repository: settings.ts checks what a request gives, change.ts stores it and renews the access file.
 */

export { changeRepository } from './change.ts';
export { checkSettings, type SettingsInput } from './settings.ts';
