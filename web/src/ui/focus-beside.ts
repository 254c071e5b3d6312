/** Rows of lists and of tables that are no grids: those lead their own keys. */
const rows = 'main li, main tr';
const reachable = 'a[href], button, input, select, textarea, [tabindex="0"]';
const inFront = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Where somebody stands: in a row of a list, at one of its controls. */
interface Standing {
  readonly row: Element;
  readonly list: readonly Element[];
  readonly control: number;
  readonly pathname: string;
}

const controlsIn = (row: Element): readonly HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(reachable)].filter((control) => !control.matches(':disabled'));

function standingAt(focused: HTMLElement): Standing | undefined {
  const row = focused.closest(rows);
  if (row === null || row.closest('[role=grid], [role=tree]') !== null) return undefined;
  return {
    row,
    list: [...(row.parentElement?.children ?? [])],
    control: controlsIn(row).indexOf(focused),
    pathname: window.location.pathname,
  };
}

/** The same control of the row that stood behind it, else of the one before; the page where there is none. */
function beside({ row, list, control }: Standing): HTMLElement | null {
  const place = list.indexOf(row);
  const others = [...list.slice(place + 1), ...list.slice(0, place).toReversed()];
  for (const other of others) {
    if (!other.isConnected) continue;
    const controls = controlsIn(other);
    const next = controls[Math.min(Math.max(control, 0), controls.length - 1)];
    if (next !== undefined) return next;
  }
  return document.getElementById('main');
}

/**
 * Whoever deletes the row in which they stand is at the next one then, and not at the beginning of the page. What asks whether it is to be
 * deleted is in front meanwhile; rows go before it does, or after.
 */
export function keepFocusBeside(): void {
  let stands: Standing | undefined;
  const give = () => {
    if (stands === undefined || stands.row.isConnected || document.activeElement !== document.body) return;
    const left = stands;
    stands = undefined;
    if (window.location.pathname === left.pathname) beside(left)?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(inFront) === null) stands = standingAt(target);
  });
  new MutationObserver(() => {
    // Whoever knows better where to go on does so before the next frame.
    if (stands !== undefined && !stands.row.isConnected) requestAnimationFrame(give);
  }).observe(document.body, { childList: true, subtree: true });
}
