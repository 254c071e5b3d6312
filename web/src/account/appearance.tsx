import { useSyncExternalStore } from 'react';
import { pageOf } from '../kernel/addresses.ts';
import { languages, useMessages } from '../messages/index.ts';
import {
  type Appearance,
  appearance,
  setAppearance,
  setPreference,
  useFavorites,
  usePreference,
} from '../store/index.ts';
import { Segmented, Select, SettingsPage, Switch } from '../ui/index.ts';
import styles from './account.module.css';

const themes: readonly Appearance['theme'][] = ['light', 'dark', 'system'];
const densities: readonly Appearance['density'][] = ['comfortable', 'compact'];
const languageNames: Readonly<Record<string, string>> = { en: 'English', fr: 'Français' };

function Choice({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <p className={styles['fieldName']}>{name}</p>
      {children}
    </div>
  );
}

/** How the application looks. Each choice works at once, and on every browser. */
export function AppearanceSettings() {
  const { account, shell } = useMessages();
  const words = account.appearance;
  const { theme, density } = useSyncExternalStore(appearance.subscribe, appearance.get);
  const [language = ''] = usePreference('web.language');
  const [letters] = usePreference('web.letters');
  const [firstPage = ''] = usePreference('web.first_page');
  const favourites = useFavorites();
  const places = [
    { id: '/inbox', name: shell.inbox },
    { id: '/projects', name: shell.projects },
    ...favourites.map(({ html_url: address, label }) => ({
      id: pageOf(window.location.origin, address),
      name: label,
    })),
  ];
  const themeNames = { light: shell.themeLight, dark: shell.themeDark, system: shell.themeSystem };
  const densityNames = { comfortable: shell.comfortable, compact: shell.compact };
  const setTheme = (id: string) => {
    const chosen = themes.find((one) => one === id) ?? 'system';
    setAppearance({ theme: chosen });
    void setPreference('web.theme', chosen);
  };
  const setDensity = (id: string) => {
    const chosen = densities.find((one) => one === id) ?? 'comfortable';
    setAppearance({ density: chosen });
    void setPreference('web.density', chosen);
  };
  return (
    <SettingsPage title={account.pages.appearance} words={words.words}>
      <div className={styles['switches']}>
        <Choice name={words.theme}>
          <Segmented
            label={words.theme}
            options={themes.map((id) => ({ id, name: themeNames[id] }))}
            value={theme}
            onChange={setTheme}
          />
        </Choice>
        <Choice name={words.density}>
          <Segmented
            label={words.density}
            options={densities.map((id) => ({ id, name: densityNames[id] }))}
            value={density}
            onChange={setDensity}
          />
        </Choice>
        <Choice name={words.language}>
          <Segmented
            label={words.language}
            options={[
              { id: 'browser', name: words.likeBrowser },
              ...languages.map((id) => ({ id, name: languageNames[id] ?? id })),
            ]}
            value={language === '' ? 'browser' : language}
            onChange={(id) => void setPreference('web.language', id === 'browser' ? '' : id)}
          />
        </Choice>
        <Select
          label={words.firstPage}
          help={words.firstPageHelp}
          options={places}
          none={shell.myWork}
          value={firstPage === '' ? null : firstPage}
          onChange={(to) => void setPreference('web.first_page', to ?? '')}
        />
        <Switch
          isSelected={letters !== 'off'}
          onChange={(isOn) => void setPreference('web.letters', isOn ? 'on' : 'off')}
          help={words.lettersHelp}
        >
          {words.letters}
        </Switch>
      </div>
    </SettingsPage>
  );
}
