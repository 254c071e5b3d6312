import type { welcome as en } from '../en/welcome.ts';

export const welcome: typeof en = {
  title: 'Premiers pas',
  hello: (name) => `Bienvenue, ${name}`,
  adminWords:
    'Cette plateforme est neuve. Quelques étapes suffisent pour l’installer ; chacune peut être passée, et toutes restent dans l’aide.',
  words: 'Trois choses à savoir et vous êtes prêt. Elles restent dans l’aide.',
  goOn: 'Aller à mon travail',
  skip: 'Passer',
  skipped: 'Passée',
  done: 'Terminée',
  steps: {
    demo: {
      name: 'Regarder le projet de démonstration',
      words: (project) =>
        `${project} montre à quoi un projet peut ressembler : trackers, artefacts avec leur historique, personnes. Vous pouvez tout y changer.`,
      act: 'Faire la visite',
    },
    project: {
      name: 'Créer un projet',
      words: 'Un modèle lui donne des trackers avec leurs étapes ; tout peut être changé ensuite.',
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
        'Les projets contiennent des trackers, les trackers des artefacts : bogues, tâches, demandes. Mon travail montre ceux qui vous concernent, de tous les projets.',
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
  tour: {
    name: 'Visite de la démo',
    leave: 'Quitter la visite',
    place: (step, length) => `${step} sur ${length}`,
    next: 'Suivant',
    before: 'Retour',
    end: 'Terminé',
    steps: [
      [
        'Un projet',
        'Ses trackers avec ce qui est ouvert, ses dépôts, ses membres et ce qui s’est passé en dernier. Tout le reste est à un clic dans la barre latérale.',
      ],
      [
        'Un tracker en table',
        'Touchez une cellule pour la changer, f pour filtrer, j et k pour descendre et monter, Entrée pour voir une ligne à côté de la table.',
      ],
      [
        'Le même en tableau',
        'Tirez une carte, ou portez-la avec Espace et les flèches. Seules les colonnes permises par le processus la prennent ; on voit lesquelles.',
      ],
      [
        'Un artefact',
        'Les champs se changent où ils sont. Dessous, tout ce qui lui est arrivé ; écrivez un commentaire, et les autres l’apprennent.',
      ],
      [
        'À vous',
        'Ctrl K trouve tout et lance toute commande, ? montre les touches d’une page, et l’aide est ici. Changez ce que vous voulez dans la démo.',
      ],
    ],
    take: 'Faire la visite',
    deleteDemo: 'Supprimer la démo',
    deleteTitle: 'Supprimer le projet de démo ?',
    deleteWords:
      'Il part avec tout ce qu’il contient. On peut le faire revenir de la corbeille de la plateforme pendant un temps.',
    deleted: 'Le projet de démo est supprimé.',
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
