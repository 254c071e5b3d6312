/** The colours of labels, trackers and values: eight families of three. tokens.css says what each looks like in both themes. */
export const colourNames = [
  'inca-silver',
  'chrome-silver',
  'firemist-silver',
  'red-wine',
  'fiesta-red',
  'coral-pink',
  'teddy-brown',
  'clockwork-orange',
  'graffiti-yellow',
  'army-green',
  'neon-green',
  'acid-green',
  'sherwood-green',
  'ocean-turquoise',
  'surf-green',
  'deep-blue',
  'lake-placid-blue',
  'daphne-blue',
  'plum-crazy',
  'ultra-violet',
  'lilac-purple',
  'panther-pink',
  'peggy-pink',
  'flamingo-pink',
] as const;

export type ColourName = (typeof colourNames)[number];

export const isColourName = (text: string | null): text is ColourName =>
  colourNames.some((name) => name === text);

/** `deep-blue` as it is read. */
export const readableColour = (name: string): string => name.replaceAll('-', ' ');

/** For things that have no colour of their own, in an order in which neighbours stay apart. */
export const distinctColours = [
  'lake-placid-blue',
  'clockwork-orange',
  'plum-crazy',
  'surf-green',
  'red-wine',
  'ultra-violet',
  'graffiti-yellow',
  'inca-silver',
] as const satisfies readonly ColourName[];
