export * from './credentials.ts';
export * from './errors.ts';
export * from './platform.ts';
export * from './projects.ts';
export * from './route.ts';
export * from './users.ts';
