import type { problem as en } from '../en/problem.ts';

/** What a page says that could not be shown. */
export const problem: typeof en = {
  notFound: 'Cela n’existe pas',
  notFoundWords: 'Cela a été supprimé, ou l’adresse est fausse.',
  forbidden: 'Vous n’avez pas le droit de voir cela',
  forbiddenWords: (name) => `Ce n’est pas ouvert à tous. Vous êtes connecté en tant que ${name}.`,
  forbiddenVisitor: 'Ce n’est pas ouvert aux visiteurs.',
  letIn: 'Ces personnes peuvent vous donner accès',
  administratorOf: (project) => `administre ${project}`,
  failed: 'Cela n’a pas marché',
  away: 'Le serveur ne répond pas',
  awayWords: 'Rien n’est perdu. Il sera interrogé à nouveau dès que vous le voulez.',
  tooMany: 'Trop de requêtes',
  busy: 'Le serveur est occupé',
  again: (seconds) => `Nouvel essai dans ${seconds} s.`,
  signInAs: 'Se connecter sous un autre nom',
  pageOfAddress: 'Page introuvable',
  noAccess: 'Pas d’accès',
  somethingWrong: 'Une erreur',
};
