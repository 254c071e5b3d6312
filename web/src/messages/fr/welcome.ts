import type { welcome as en } from '../en/welcome.ts';

export const welcome: typeof en = {
  title: 'Premiers pas',
  hello: (name) => `Bienvenue, ${name}`,
  adminWords:
    'Cette plateforme est neuve. Cinq étapes suffisent pour l’installer ; chacune peut être passée, et toutes restent dans l’aide.',
  words: 'Trois choses à savoir et vous êtes prêt. Elles restent dans l’aide.',
  goOn: 'Aller à mon travail',
  skip: 'Passer',
  skipped: 'Passée',
  done: 'Terminée',
  steps: {
    demo: {
      name: 'Regarder le projet de démonstration',
      words: (project) =>
        `${project} montre à quoi un projet peut ressembler : suivis, artefacts avec leur historique, personnes. Vous pouvez tout y changer.`,
      act: 'Ouvrir le projet de démonstration',
    },
    project: {
      name: 'Créer un projet',
      words: 'Un modèle lui donne des suivis avec leurs étapes ; tout peut être changé ensuite.',
      act: 'Nouveau projet',
    },
    people: {
      name: 'Inviter des personnes',
      words: 'Créez un compte et transmettez son lien : qui l’ouvre choisit un mot de passe et entre.',
      act: 'Créer un lien',
    },
    key: {
      name: 'Créer une clé d’accès',
      words: 'Les scripts et programmes utilisent l’API avec leur propre clé au lieu de votre mot de passe.',
      act: 'Clés d’accès personnelles à l’API',
    },
    care: {
      name: 'Courrier et sauvegarde',
      words: 'Deux choses qui ne manquent que lorsqu’il est trop tard.',
      act: 'C’est noté',
    },
    here: {
      name: 'Ce qu’il y a ici',
      words:
        'Les projets contiennent des suivis, les suivis des artefacts : bogues, tâches, demandes. Mon travail montre ceux qui vous concernent, de tous les projets.',
      act: 'C’est noté',
    },
    keys: {
      name: 'Trois touches',
      words: 'Toutes les autres sont derrière la troisième.',
      act: 'C’est noté',
    },
    projects: {
      name: 'Vos projets',
      words: 'Voici ceux dont vous êtes membre.',
      none: 'Vous n’êtes encore membre d’aucun. Un administrateur de projet peut vous ajouter.',
      act: 'Tous les projets',
    },
  },
  threeKeys: {
    palette: 'tout trouver et lancer toute commande',
    create: 'créer un artefact',
    keys: 'montrer les touches de la page',
  },
  mailOn: 'Les courriels partent : mots de passe perdus, et nouvelles de ce qui concerne chacun.',
  mailOff:
    'Aucun courriel ne part. Sans serveur de courrier personne n’apprend les changements, et un mot de passe perdu demande un lien de votre part.',
  backup: 'Les sauvegardes sont faites par',
  backupEnd: 'sur le serveur ; laissez-la tourner chaque nuit.',
  invite: {
    login: 'Nom d’utilisateur',
    loginMissing: 'Donnez un nom d’utilisateur.',
    realName: 'Nom (facultatif)',
    mail: 'Adresse électronique (facultative)',
    link: 'Lien pour',
    linkWords: 'Transmettez-le maintenant : il n’est montré que cette fois, vaut 7 jours et une seule fois.',
    copy: 'Copier le lien',
    copied: 'Le lien est copié',
    another: 'Inviter quelqu’un d’autre',
  },
};
