/** Who sees a project, as messages name it: what is public is seen without an account where visitors may look around. */
export const whoSees = (access: string, mode: string | undefined): string =>
  access === 'public' && mode === 'anonymous' ? 'anonymous' : access;
