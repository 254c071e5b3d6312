/** A moment on the clock of this device, written as the server writes those of its own zone, without an offset. */
export const deviceMoment = (time: number): string =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().replace('Z', '');
