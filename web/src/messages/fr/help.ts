import type { help as en } from '../en/help.ts';

export const help: typeof en = {
  title: 'Aide',
  words: 'Comment on se sert d’Atelier, en bref.',
  back: 'Toutes les pages d’aide',
  pages: {
    'getting-in': 'Comment entrer ?',
    keys: 'Touches',
    search: 'Rechercher',
    reference: 'Références',
    about: 'À propos d’Atelier',
  },
  gettingIn: [
    'Votre administrateur crée un compte pour vous et vous donne un lien, ou un nom avec un premier mot de passe. On ne peut pas s’en créer un soi-même.',
    'Le premier administrateur s’appelle admin. Le premier démarrage du service affiche son mot de passe une fois, là où il a été lancé ; qui tient la machine peut en mettre un autre avec « atelier user set admin --password ».',
    'Sans serveur de courrier, personne ne peut vous envoyer un lien pour un mot de passe perdu : demandez-en un à un administrateur.',
  ],
  keysWords: [
    'Ctrl K ouvre une boîte pour tout : ce qu’on peut faire ici, et ce qu’il y a. Un nombre ouvre l’artéfact qui le porte.',
    '? donne les touches de la page devant vous. Les lettres seules agissent hors des zones de texte et se désactivent dans votre compte.',
  ],
  searchWords: [
    'Les mots sont cherchés dans les titres, textes, commentaires et noms de fichiers, sans égard aux majuscules ni aux accents, aussi à l’intérieur d’autres mots.',
    'Entre guillemets, les mots doivent se suivre. Tous doivent être trouvés ; les titres comptent le plus.',
  ],
  referenceWords: [
    'Un mot et un nombre dans un texte, comme bug #42, deviennent un lien vers cet artéfact. art #42 marche pour tous.',
    'Cette référence ne mène nulle part : cela n’existe pas, ou vous n’avez pas le droit de le voir.',
  ],
  aboutWords: (version) => `Ceci est Atelier ${version}. Ses sources sont sous licence MIT.`,
  api: 'L’API et son explorateur',
  controls: 'Contrôles',
  controlSheet: {
    title: 'Contrôles',
    words: 'Tous les contrôles de l’application, dans l’état qu’ils ont ici.',
    buttons: 'Boutons : principal, simple, discret, danger, inactif',
    fields: 'Champs : repos, rempli, refusé',
    cells: 'Cellules : état, liste, personne, pas encore enregistré',
    lists: 'Listes et choix',
    menus: 'Menu, dialogue',
    notes: 'Avis, notes',
    places: 'Lieu vide, squelette',
    greys: 'Gris 1 à 12',
    meanings: 'Accent et significations',
    colours: 'Couleurs des suivis : carré, anneau, pastille',
    faces: 'Visages',
    type: 'Caractères',
    texts: 'Textes',
  },
};
