import { useEffect, useState } from 'react';
import { deviceDatabase } from './device.ts';
import { personSignal } from './person.ts';

const nameOf = (uri: string): string => `looked ${uri}`;

/** For devices that keep nothing, as long as the page lives. */
const ofThisVisit = new Map<string, string>();

async function lastLook(uri: string): Promise<string | undefined> {
  const kept = await (await deviceDatabase(personSignal.get()))?.get('facts', nameOf(uri));
  return ofThisVisit.get(uri) ?? kept;
}

async function look(uri: string, version: string): Promise<void> {
  ofThisVisit.set(uri, version);
  await (await deviceDatabase(personSignal.get()))?.put('facts', version, nameOf(uri));
}

/** The version of a thing that one looked at last time; what came after it is new. Undefined at the first look. */
export function useLastLook(uri: string, version: string): string | undefined {
  const [before, setBefore] = useState<{ readonly uri: string; readonly version: string | undefined }>();
  useEffect(() => {
    let isWanted = true;
    void lastLook(uri).then((known) => {
      if (isWanted) setBefore({ uri, version: known });
    });
    return () => {
      isWanted = false;
    };
  }, [uri]);
  const isKnown = before?.uri === uri;
  useEffect(() => {
    if (isKnown) void look(uri, version);
  }, [isKnown, uri, version]);
  return isKnown ? before.version : undefined;
}
