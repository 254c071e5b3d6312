import { ApiError } from '@atelier/client';
import type { ReportSettings, Tracker } from '@atelier/client/routes';
import { Suspense, useMemo, useRef, useState } from 'react';
import { Skeleton } from '../ui/index.ts';
import { unchanged, useChangeView, useOpen, useSetSearch } from './address.ts';
import { useTotal } from './calls.ts';
import { Nothing } from './later-nothing.tsx';
import styles from './page.module.css';
import { askedSearch, isChanged, savedView, type TableSearch, unreadableFilters, viewOf } from './view.ts';
import { ViewBar } from './view-bar.tsx';
import { drawnBy, rendererOf, type ViewKind, type ViewProps, type ViewSettings } from './views.ts';

export interface OtherViewProps {
  readonly kind: ViewKind;
  readonly tracker: Tracker;
  readonly report: ReportSettings | undefined;
  readonly search: TableSearch;
}

const isMembers = (value: unknown): value is ViewSettings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nothing: ViewSettings = {};

/** What the report keeps for this kind of view. */
function keptSettings(report: ReportSettings | undefined, kind: ViewKind): ViewSettings {
  return report?.renderers.find(({ type }) => type === rendererOf(kind))?.settings ?? nothing;
}

/** What the address says about the settings; what somebody cut off says nothing. */
function settingsIn(text: string | undefined): ViewSettings {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    return isMembers(read) ? read : {};
  } catch {
    return {};
  }
}

/** What differs from what is saved, as the address has it. */
function writtenSettings(settings: ViewSettings, saved: ViewSettings): string | undefined {
  const other = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name]),
  );
  return other.length === 0 ? undefined : JSON.stringify(Object.fromEntries(other));
}

/** A tracker as another room draws it, below the same search, filters and saved views. */
export function OtherView({ kind, tracker, report, search }: OtherViewProps) {
  const searchBox = useRef<HTMLInputElement>(null);
  const saved = useMemo(() => savedView(tracker, report), [tracker, report]);
  const { f, q, words, sort, group, cols } = search;
  const view = useMemo(
    () => viewOf(saved, { f, q, words, sort, group, cols }, tracker),
    [saved, tracker, f, q, words, sort, group, cols],
  );
  const asked = useMemo(() => askedSearch(tracker, view), [tracker, view]);
  const kept = useMemo(() => keptSettings(report, kind), [report, kind]);
  const settings = useMemo(() => ({ ...kept, ...settingsIn(search.set) }), [kept, search.set]);
  const set = useSetSearch();
  const change = useChangeView(saved);
  const total = useTotal(tracker);
  const open = useOpen(search.open !== undefined);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const [found, setFound] = useState<{ readonly size: number | undefined; readonly error: Error | null }>({
    size: undefined,
    error: null,
  });
  const isQueryFault = found.error instanceof ApiError && found.error.status === 400 && view.query !== '';
  const isWrong = unreadableFilters(tracker, view.filters).length > 0;
  return (
    <div className={styles['page']}>
      <ViewBar
        kind={kind}
        settings={settings}
        tracker={tracker}
        view={view}
        report={report}
        isChanged={isChanged(search)}
        found={isWrong ? undefined : found.size}
        total={total}
        queryFault={isQueryFault ? found.error?.message : undefined}
        searchBox={searchBox}
        tools={setTools}
        onChange={change}
        onDiscard={() => set(unchanged)}
        onReport={(id) => set({ ...unchanged, report: id === undefined ? undefined : String(id) })}
      />
      {isWrong ? (
        <Nothing tracker={tracker} view={view} onChange={change} />
      ) : (
        <Suspense
          fallback={
            <div className={styles['state']}>
              <Skeleton lines={8} />
            </div>
          }
        >
          <Drawn
            kind={kind}
            tracker={tracker}
            view={view}
            search={asked}
            report={report}
            settings={settings}
            onSettings={(patch) =>
              set((before) => ({
                set: writtenSettings({ ...kept, ...settingsIn(before.set), ...patch }, kept),
              }))
            }
            onChangeView={change}
            tools={tools}
            onFound={setFound}
            opened={search.open === undefined ? undefined : Number(search.open)}
            onOpen={open}
          />
        </Suspense>
      )}
    </div>
  );
}

function Drawn({ kind, ...props }: ViewProps & { readonly kind: ViewKind }) {
  const View = drawnBy(kind)?.use();
  return View === undefined ? null : <View {...props} />;
}
