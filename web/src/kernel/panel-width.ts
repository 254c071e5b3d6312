/** Where everybody's width of the side panel is kept. */
export const panelWidthKey = 'web.panel_width';

export const leastPanelWidth = 360;
const usual = 452;

/** How wide the side panel is, as it was kept: what is drawn before it leaves so much room. */
export const panelWidth = (kept: string | undefined): number =>
  Math.max(leastPanelWidth, Number(kept) || usual);
