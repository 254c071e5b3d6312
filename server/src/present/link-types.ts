import type { LinkTypeLabels } from '@atelier/contract';
import type { LinkType } from '../trackers/index.ts';

export const presentLinkTypeLabels = ({
  shortname,
  forwardLabel,
  reverseLabel,
}: LinkType): LinkTypeLabels => ({
  shortname,
  forward_label: forwardLabel,
  reverse_label: reverseLabel,
});
