import type { EntryMessages } from '../../en-entry.ts';

export const signing: EntryMessages['signing'] = {
  title: 'Connexion',
  name: 'Nom',
  password: 'Mot de passe',
  capsLock: 'Les majuscules sont verrouillées',
  shared: 'C’est un ordinateur partagé',
  button: 'Se connecter',
  forgot: 'J’ai oublié mon mot de passe',
  askForLink: 'Mot de passe oublié ? Demandez un lien à un administrateur.',
  howToGetIn: 'Comment entrer ?',
  lookAround: 'Visiter sans compte',
  wrong: 'Le nom ou le mot de passe est faux.',
  tooMany: (seconds) =>
    seconds === 1
      ? 'Trop d’essais. Réessayez dans 1 seconde.'
      : `Trop d’essais. Réessayez dans ${seconds} secondes.`,
  away: 'Le serveur ne répond pas. Ce que vous avez saisi reste ici ; un nouvel essai suit.',
  on: (product, host) => `${product} sur ${host}`,
  nameMissing: 'Saisissez votre nom.',
  passwordMissing: 'Saisissez votre mot de passe.',
  again: 'Reconnectez-vous',
  againWords:
    'Votre session est terminée. Rien n’est perdu sur cette page : connectez-vous, et tout continue.',
  somebodyElse: 'Se connecter sous un autre nom',
  somebodyElseWords: (name, count) =>
    count === 0
      ? `Ce que ${name} a saisi reste sur cet appareil, pour ${name}.`
      : `${count === 1 ? 'Un changement' : `${count} changements`} de ${name} reste en attente sur cet appareil, pour ${name}.`,
  lostTitle: 'Mot de passe perdu',
  lostWords:
    'Saisissez votre nom ou votre adresse. Vous recevrez un lien pour choisir un autre mot de passe.',
  lostField: 'Nom ou adresse électronique',
  lostButton: 'Envoyer le lien',
  lostSent: 'Si ce compte existe, un courriel est en route. Son lien fonctionne une heure, une seule fois.',
  backToSignIn: 'Retour à la connexion',
  resetTitle: 'Choisissez un mot de passe',
  newPassword: 'Nouveau mot de passe',
  again2: 'Le même à nouveau',
  rule: (length) => `Au moins ${length} caractères.`,
  tooShort: (length) => `Il faut au moins ${length} caractères.`,
  different: 'Les deux ne sont pas identiques.',
  resetButton: 'Enregistrer et se connecter',
  linkOver: 'Ce lien a déjà servi, ou il est trop vieux. Demandez-en un autre.',
  changeTitle: 'Votre mot de passe a expiré',
  changeWords: 'Choisissez-en un autre pour continuer. Vos autres sessions se terminent avec l’ancien.',
  currentPassword: 'Mot de passe actuel',
  changeButton: 'Enregistrer le nouveau mot de passe',
  wrongCurrent: 'Ce n’est pas votre mot de passe actuel.',
};
