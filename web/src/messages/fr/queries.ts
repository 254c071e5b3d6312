import type { queries as en } from '../en/queries.ts';

export const queries: typeof en = {
  title: 'Requêtes',
  id: 'Id',
  links: 'Liens',
  linksOf: (id, to, from) => `Liens de #${id} : ${to} sortants, ${from} entrants`,
  noneSeen: 'Aucun que vous puissiez voir.',
  nothing: 'Rien ne correspond à cette requête',
  found: (shown, count) => (count <= 1 ? `${shown} artefact` : `${shown} artefacts`),
  showNew: 'Afficher les nouveautés',
  names: {
    '@id': 'Id',
    '@title': 'Titre',
    '@description': 'Description',
    '@status': 'État',
    '@assigned_to': 'Responsable',
    '@submitted_on': 'Créé le',
    '@submitted_by': 'Créé par',
    '@last_update_date': 'Modifié le',
    '@last_update_by': 'Modifié par',
    '@project.name': 'Projet',
    '@tracker.name': 'Tracker',
    '@pretty_title': 'Artefact',
    '@link_type': 'Type de lien',
  },
};
